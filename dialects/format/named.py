"""
Named formats: the table, and text -> `Format` for names as well as format lines.

A format of fixed order is one entry: its name, its line, and the names in the line that
stand for integers. A family of formats for every order is one entry as well: the level
kinds for a given order, outermost first.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import Final, NamedTuple, NoReturn

from tamale.dialects.errors import FormatError
from tamale.dialects.format.expression_parser import integer_value
from tamale.dialects.format.morton import block_of, hicoo
from tamale.dialects.format.notation import FormatParser, parse_format, parse_widths
from tamale.dialects.format.spec import Format, mode_names
from tamale.dialects.format.templates import fill, match, with_placeholders
from tamale.dialects.format.tokens import Cursor, did_you_mean
from tamale.dialects.format.verify import verify_format, with_defaults_omitted

EXAMPLE_ORDER: Final = 3
"""The order for which a format of every order is shown."""


class NamedFormat(ABC):
    """A name of format texts, `csr`, `csf(2, 0, 1)`, `bcsr(2, 3)`."""

    name: str
    needs_numbers: bool
    """Whether the name alone means no format."""

    @property
    @abstractmethod
    def usage(self) -> str:
        """The name and what may follow it."""

    @property
    @abstractmethod
    def shown(self) -> str:
        """What tables show: the line, or that of one order, perhaps shortened."""

    @abstractmethod
    def build(self, order: int | None, arguments: tuple[int, ...]) -> Format:
        """
        The format for tensors of `order` (None: not known).

        Raises:
            FormatError: the order or the arguments do not fit.
        """

    @abstractmethod
    def arguments_of(self, format: Format) -> tuple[int, ...] | None:
        """The arguments with which this name means `format`, None if it never does."""


class Line(NamedFormat):
    """A format of fixed order; `parameters` stand for positive integers in `text`."""

    def __init__(self, name: str, text: str, *parameters: str):
        self.name = name
        self.text = text
        self.parameters = parameters
        self.needs_numbers = bool(parameters)

    @property
    def usage(self) -> str:
        return f"{self.name}({', '.join(self.parameters)})" if self.parameters else self.name

    @property
    def shown(self) -> str:
        return self.text

    @cached_property
    def template(self) -> Format:
        return with_placeholders(FormatParser(self.text).parse_line(), self.parameters)

    def build(self, order: int | None, arguments: tuple[int, ...]) -> Format:
        if order not in (None, self.template.order):
            families = ", ".join(x.name for x in NAMED_FORMATS.values() if isinstance(x, Family))
            raise FormatError(
                f"format: '{self.name}' stores tensors of order {self.template.order}; "
                f"this one has order {order}.\n  help: {families} fit every order."
            )
        if len(arguments) != len(self.parameters) or any(n < 1 for n in arguments):
            given = f"({', '.join(map(str, arguments))})" if arguments else "none"
            wanted = (
                f"{len(self.parameters)} positive integers" if self.parameters else "no arguments"
            )
            raise FormatError(f"format: '{self.usage}' takes {wanted}, got {given}.")
        filled = fill(self.template, dict(zip(self.parameters, arguments, strict=True)))
        normal = with_defaults_omitted(filled)
        verify_format(normal)
        return normal

    def arguments_of(self, format: Format) -> tuple[int, ...] | None:
        found = match(self.template, format)
        return None if found is None else tuple(found[name] for name in self.parameters)


class Family(NamedFormat):
    """
    A format for every order; the arguments are the order of its modes, `csf(2, 0, 1)`.

    `kinds` gives the kinds and options of the levels for an order.
    """

    needs_numbers = False

    def __init__(self, name: str, kinds: Callable[[int], tuple[str, ...]]):
        self.name = name
        self.kinds = kinds

    @property
    def usage(self) -> str:
        return f"{self.name} or {self.name}(mode, ...)"

    @property
    def shown(self) -> str:
        return str(self.build(EXAMPLE_ORDER, ()))

    def build(self, order: int | None, arguments: tuple[int, ...]) -> Format:
        if order is None:
            if not arguments:
                raise FormatError(
                    f"format: '{self.name}' fits every order; which one does the tensor have?"
                )
            order = len(arguments)
        if arguments and sorted(arguments) != list(range(order)):
            raise FormatError(
                f"format: '{self.name}({', '.join(map(str, arguments))})' must name each mode of a "
                f"tensor of order {order} once, from 0."
            )
        modes = mode_names(order)
        stored = [modes[mode] for mode in arguments or range(order)]
        levels = (f"{mode} : {kind}" for mode, kind in zip(stored, self.kinds(order), strict=True))
        return parse_format(f"({', '.join(modes)}) -> ({', '.join(levels)})")

    def arguments_of(self, format: Format) -> tuple[int, ...] | None:
        if not format.is_permutation:
            return None
        if match(self.build(format.order, format.mode_order), format) is None:
            return None
        return () if format.mode_order == tuple(range(format.order)) else format.mode_order


class Hicoo(NamedFormat):
    """`hicoo(b)`, of two orders; its lines are too long to be written out."""

    name = "hicoo"
    needs_numbers = True

    @property
    def usage(self) -> str:
        return "hicoo(b)"

    @property
    def shown(self) -> str:
        return (
            "(i, j) -> (morton(i / b, j / b) : compressed, i / b : singleton, j / b : singleton, "
            "morton(i % b, j % b) : compressed, i % b : singleton, j % b : singleton), crd = i64"
        )

    def build(self, order: int | None, arguments: tuple[int, ...]) -> Format:
        if order is None:
            raise FormatError(
                "format: 'hicoo' fits orders 2 and 3; which one does the tensor have?"
            )
        if len(arguments) != 1:
            raise FormatError(f"format: '{self.usage}' takes 1 integer, got {len(arguments)}.")
        return hicoo(order, arguments[0])

    def arguments_of(self, format: Format) -> tuple[int, ...] | None:
        block = block_of(format)
        return None if block is None else (block,)


def _coo_kinds(order: int) -> tuple[str, ...]:
    """Only the last level makes a nonzero's coordinates unique."""
    if order < 2:
        return ("compressed",) * order
    inner = ("singleton(nonunique)",) * (order - 2)
    return ("compressed(nonunique)", *inner, "singleton")


def _ucoo_kinds(order: int) -> tuple[str, ...]:
    """As sorted COO, but coordinates in any order."""
    if order < 2:
        return ("compressed(nonordered)",) * order
    inner = ("singleton(nonunique, nonordered)",) * (order - 2)
    return ("compressed(nonunique, nonordered)", *inner, "singleton(nonordered)")


NAMED_FORMATS: Final[Mapping[str, NamedFormat]] = {
    entry.name: entry
    for entry in (
        Line("csr", "(i, j) -> (i : dense, j : compressed)"),
        Line("csc", "(i, j) -> (j : dense, i : compressed)"),
        Line("dcsr", "(i, j) -> (i : compressed, j : compressed)"),
        Line("dcsc", "(i, j) -> (j : compressed, i : compressed)"),
        Line(
            "bcsr",
            "(i, j) -> (i / m : dense, j / n : compressed, i % m : dense, j % n : dense)",
            "m",
            "n",
        ),
        Line(
            "bcsc",
            "(i, j) -> (j / n : dense, i / m : compressed, i % m : dense, j % n : dense)",
            "m",
            "n",
        ),
        Line("dia", "(i, j) -> (j - i : squeezed, i : range, j : offset)"),
        Line("ell", "(i, j) -> (#i : sliced, i : dense, j : singleton)"),
        Line("jad", "(i, j) -> (#i : sliced, i : jagged, j : singleton)"),
        Line("sell", "(i, j) -> (i / s : dense, #i : ragged, i % s : dense, j : singleton)", "s"),
        Line("skyline", "(i, j) -> (i : dense, j : banded)"),
        Line("dok", "(i, j) -> (i : hashed, j : hashed)"),
        Line("bitmap", "(i, j) -> (i : dense, j : bitmap)"),
        Hicoo(),
        Family("dense", lambda order: ("dense",) * order),
        Family("csf", lambda order: ("compressed",) * order),
        Family("coo", _coo_kinds),
        Family("ucoo", _ucoo_kinds),
    )
}
"""In the order in which `name_of` looks: a more telling name comes first."""


class NamedHybrid(NamedTuple):
    """A name of hybrid formats; its one argument, a positive integer, goes into the text."""

    name: str
    parameter: str
    text: str

    @property
    def needs_numbers(self) -> bool:
        return True

    @property
    def usage(self) -> str:
        return f"{self.name}({self.parameter})"

    @property
    def shown(self) -> str:
        return self.filled(self.parameter)

    def filled(self, argument: str | int) -> str:
        """The text with an argument."""
        return self.text.format(argument)


NAMED_HYBRIDS: Final[Mapping[str, NamedHybrid]] = {
    "hyb": NamedHybrid("hyb", "k", "#i < {} ? ell : coo"),
}


def is_hybrid(text: str) -> bool:
    """Whether a text means a hybrid, see `tamale.dialects.format.hybrid`, and no single format."""
    return "?" in text or text.partition("(")[0].strip() in NAMED_HYBRIDS


@lru_cache(maxsize=1024)
def resolve_format(text: str, order: int | None = None) -> Format:
    """
    The format that a format line or a name denotes, for tensors of `order`.

    `order` may be left out where the text tells it. Equal arguments give the same object.

    Raises:
        FormatError: the text cannot be read, or its order is not `order`.

    >>> str(resolve_format("csf(1, 0), pos = i64", order=2))
    '(i, j) -> (j : compressed, i : compressed), pos = i64'
    """
    if is_hybrid(text):
        raise FormatError(
            f"format: '{text}' is a hybrid of several formats; here goes a single one\n"
            "  help: `tm.convert` makes hybrids, `tm.evaluate` computes with them"
        )
    if "->" not in text:
        return _resolve_name(text, order)
    format = parse_format(text)
    if order not in (None, format.order):
        raise FormatError(
            f"format: '{text}' is for tensors of order {format.order}; this one has order {order}."
        )
    return format


def _resolve_name(text: str, order: int | None) -> Format:
    cursor = Cursor(text)
    word = cursor.expect_word("a format line or the name of a format")
    entry = NAMED_FORMATS.get(word.text)
    if entry is None:
        _refuse_name(cursor, word.text)
    arguments = parse_arguments(cursor) if cursor.accept("(") else ()
    widths = parse_widths(cursor)
    cursor.expect_end(f"format '{entry.name}'")
    return entry.build(order, arguments).with_widths(**widths)


def _refuse_name(cursor: Cursor, name: str) -> NoReturn:
    hint = did_you_mean(name, (*NAMED_FORMATS, *NAMED_HYBRIDS))
    known = ", ".join((*NAMED_FORMATS, *NAMED_HYBRIDS))
    cursor.fail(f"no format is called '{name}'{hint}; known: {known}", cursor.tokens[0])


def parse_arguments(cursor: Cursor) -> tuple[int, ...]:
    """The integers in `1, 2)`, behind the parenthesis that opens."""
    arguments: list[int] = []
    while not cursor.accept(")"):
        if arguments:
            cursor.expect(",", "or ')' after an argument")
        token = cursor.token
        value = integer_value(token) if token.is_integer else None
        if value is None:
            cursor.fail(f"expected an integer as argument {len(arguments) + 1}, got {token.shown}")
        cursor.take()
        arguments.append(value)
    return tuple(arguments)


@lru_cache(maxsize=1024)
def name_of(format: Format) -> str | None:
    """
    The name and arguments of `format`, whatever its modes are called and its index widths.

    >>> name_of(parse_format("(r, c) -> (c : dense, r : compressed)"))
    'csc'
    """
    for entry in NAMED_FORMATS.values():
        arguments = entry.arguments_of(format)
        if arguments is not None:
            return entry.name + (f"({','.join(map(str, arguments))})" if arguments else "")
    return None


def dense_format(order: int) -> Format:
    """The dense array of `order` modes, the first one outermost."""
    return resolve_format("dense", order)
