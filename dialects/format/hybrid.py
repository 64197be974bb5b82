"""
Hybrid formats: the entries of a tensor split among several formats by a rule.

    hybrid := comparison '?' part ':' ( hybrid | part ) | the name of a hybrid
    part   := a format line or the name of a format

    #i < 3 ? ell : coo                      the first three entries of each row, and the others
    j - i == 0 ? dia : j < 8 ? csr : coo    the diagonal, of the rest the first columns, the others

An entry belongs to the first part whose comparison holds, to the last part if none does. A
comparison names the modes as the format behind it does; names of formats have `i`, `j`, ...
Counters count all entries of the tensor in the order of the source, whatever part they go to.

Source: the hybrid ELL + COO format, Bell and Garland, SC 2009; Chou et al., PLDI 2020, sec. 8, name
splitting rules as future work.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from tamale.dialects.errors import FormatError
from tamale.dialects.format.expressions import Const
from tamale.dialects.format.named import NAMED_HYBRIDS, is_hybrid, parse_arguments, resolve_format
from tamale.dialects.format.notation import parse_widths
from tamale.dialects.format.selection import Comparison, Selection, parse_comparison
from tamale.dialects.format.spec import DEFAULT_WIDTH, Format, Width, mode_names
from tamale.dialects.format.tokens import Cursor

MOST_PARTS: Final = 20
"""Parts of one hybrid; each takes its own passes over the entries."""


@dataclass(frozen=True)
class Part:
    """A format, and what sends entries to it: all that are left if there is no comparison."""

    format: Format
    comparison: Comparison | None


@dataclass(frozen=True)
class HybridFormat:
    """
    Formats with a rule that sends each entry to one of them; `str` gives lines.

    Modes are called `i`, `j`, ... in all parts, so that equal hybrids store alike.
    """

    parts: tuple[Part, ...]

    def __str__(self) -> str:
        return " : ".join(
            str(part.format) if part.comparison is None else f"{part.comparison} ? {part.format}"
            for part in self.parts
        )

    @property
    def order(self) -> int:
        """The number of modes."""
        return self.parts[0].format.order

    @cached_property
    def modes(self) -> tuple[str, ...]:
        """The names of the modes."""
        return mode_names(self.order)

    @property
    def formats(self) -> tuple[Format, ...]:
        """The formats of the parts, in order."""
        return tuple(part.format for part in self.parts)

    @cached_property
    def selections(self) -> tuple[Selection, ...]:
        """Per part: its comparison holds, and none of those before it."""
        selections: list[Selection] = []
        refused: list[Comparison] = []
        for part in self.parts:
            own = () if part.comparison is None else (part.comparison,)
            selections.append(Selection((*refused, *own)))
            refused.extend(comparison.negated() for comparison in own)
        return tuple(selections)

    @property
    def counts(self) -> bool:
        """Whether the rule counts entries."""
        return any(selection.counts for selection in self.selections)

    def with_widths(self, *, pos: Width | None = None, crd: Width | None = None) -> "HybridFormat":
        """The same parts with other index widths."""
        parts = (Part(p.format.with_widths(pos=pos, crd=crd), p.comparison) for p in self.parts)
        return HybridFormat(tuple(parts))


def hybrid(parts: Sequence[Part]) -> HybridFormat:
    """
    A hybrid of parts, each with modes of its own names.

    Raises:
        FormatError: the parts do not fit each other, or a comparison does not fit its part.
    """
    orders = {part.format.order for part in parts}
    if len(orders) != 1:
        raise FormatError(f"format: the parts of a hybrid have orders {sorted(orders)}, not one")
    if orders == {0}:
        raise FormatError("format: a tensor of order 0 has no entries to split among the parts")
    if not 1 < len(parts) <= MOST_PARTS:
        raise FormatError(f"format: a hybrid has 2 to {MOST_PARTS} parts, not {len(parts)}")
    return HybridFormat(tuple(map(_canonical, parts)))


def _canonical(part: Part) -> Part:
    """The part with the usual names of modes."""
    old, new = part.format.modes, mode_names(part.format.order)
    if part.comparison is None:
        return Part(part.format.canonical(), None)
    part.comparison.verify(old)
    return Part(part.format.canonical(), part.comparison.renamed(old, new))


@lru_cache(maxsize=1024)
def resolve_hybrid(text: str, order: int | None = None) -> HybridFormat:
    """
    The hybrid that `text` denotes, for tensors of `order`, which may be left out where it tells.

    Raises:
        FormatError: the text cannot be read, or its parts do not fit each other or the order.

    >>> str(resolve_hybrid("j < 2 ? csr : csc"))[:26]
    'j < 2 ? (i, j) -> (i : den'
    """
    if "?" not in text:
        return _named(text, order)
    pieces = list(_split(text))
    if order is None:
        order = next((found for _, part in pieces if (found := _order_of(part)) is not None), None)
    *first, (_, last) = pieces
    parts = [Part(resolve_format(part, order), rule) for rule, part in first]
    rest = resolve_any(last, order)
    return hybrid([*parts, *([Part(rest, None)] if isinstance(rest, Format) else rest.parts)])


def resolve_any(text: str, order: int | None = None) -> Format | HybridFormat:
    """
    The format or the hybrid that `text` denotes.

    Raises:
        FormatError: as `resolve_format` and `resolve_hybrid`.
    """
    return resolve_hybrid(text, order) if is_hybrid(text) else resolve_format(text, order)


def _named(text: str, order: int | None) -> HybridFormat:
    """The hybrid of a name, `hyb(3)`, with widths that all parts get."""
    cursor = Cursor(text)
    entry = NAMED_HYBRIDS.get(cursor.expect_word("the name of a hybrid").text)
    if entry is None:
        raise FormatError(
            f"format: '{text}' is no hybrid of several formats\n"
            f"  help: write '#i < 3 ? ell : coo', or a name: {', '.join(NAMED_HYBRIDS)}"
        )
    arguments = parse_arguments(cursor) if cursor.accept("(") else ()
    if len(arguments) != 1 or arguments[0] < 1:
        given = f"({', '.join(map(str, arguments))})" if arguments else "none"
        raise FormatError(f"format: '{entry.usage}' takes 1 positive integer, got {given}.")
    widths = parse_widths(cursor)
    cursor.expect_end(f"hybrid '{entry.name}'")
    found = resolve_hybrid(entry.filled(arguments[0]), order)
    return found.with_widths(**widths)


def _split(text: str) -> Iterator[tuple[Comparison | None, str]]:
    """The parts as they are written, each with its comparison."""
    while True:
        condition, question, rest = text.partition("?")
        if not question:
            yield None, text.strip()
            return
        colon = _colon(rest)
        if colon is None:
            raise FormatError(
                f"format: behind '{rest.strip()}' there is no ':' and format of what is left\n"
                "  help: a hybrid reads '#i < 3 ? ell : coo'"
            )
        yield parse_comparison(condition.strip()), rest[:colon].strip()
        text = rest[colon + 1 :]


def _colon(text: str) -> int | None:
    """Where the first ':' outside of parentheses is."""
    depth = 0
    for k, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if character == ":" and depth == 0:
            return k
    return None


def _order_of(text: str) -> int | None:
    try:
        return resolve_any(text).order
    except FormatError:  # A name that fits several orders, or an error that comes up again.
        return None


def name_of_hybrid(format: HybridFormat) -> str | None:
    """
    The name that means the hybrid, whatever its index widths.

    >>> name_of_hybrid(resolve_hybrid("#i < 4 ? ell : coo"))
    'hyb(4)'
    """
    comparison = format.parts[0].comparison
    if comparison is None or not isinstance(comparison.rhs, Const) or format.order != 2:
        return None
    number = comparison.rhs.value
    plain = format.with_widths(pos=DEFAULT_WIDTH, crd=DEFAULT_WIDTH)
    for entry in NAMED_HYBRIDS.values():
        if number > 0 and resolve_hybrid(entry.filled(number)) == plain:
            return f"{entry.name}({number})"
    return None
