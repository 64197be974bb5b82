"""
What a kernel is asked for: a statement, a format per tensor, element types. The text of a request
is the key of the caches; nothing here imports xDSL, so that a kernel that exists is found without
it.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, TypeAlias, cast, get_args
from uuid import uuid4

from tamale.dialects.errors import FormatError, ScheduleError
from tamale.dialects.format.kinds import BUILTIN_KINDS, level_kind
from tamale.dialects.format.named import dense_format, resolve_format
from tamale.dialects.format.spec import Format
from tamale.dialects.format.statistics import Statistics
from tamale.dialects.lazy import load
from tamale.dialects.notation.ast import Access, Assignment, Call, Reduce, to_text, walk
from tamale.dialects.notation.parser import parse_notation
from tamale.dialects.operators import is_builtin_operator, operator_named
from tamale.frontend.arguments import check_name
from tamale.frontend.dtypes import computation_type, element_type
from tamale.frontend.notation.check import check_notation
from tamale.frontend.notation.reductions import accesses, explicit_reductions
from tamale.frontend.schedule import UNASKED, Schedule, shared_by
from tamale.passes.algebra.choices import has_choices
from tamale.passes.algebra.precomputing import without_part

Assembly: TypeAlias = Literal["append", "count"]
"""One pass that appends; or one that counts, and after a scan of the counts one that fills in."""


@dataclass(frozen=True)
class Operand:
    """A tensor that a kernel reads: its name, storage, element type, and one of its uses."""

    name: str
    format: Format
    dtype: str
    indices: tuple[str, ...]


@dataclass(frozen=True)
class Request:
    """Everything that decides what code a kernel gets."""

    source: str
    """The statement as the user wrote it."""
    statement: Assignment
    """The statement with its reductions explicit."""
    formats: Mapping[str, Format]
    """Tensor -> format, the result's included."""
    dtypes: Mapping[str, str]
    """Operand -> element type."""
    dtype: str
    """The type that the kernel computes in; the result's element type."""
    name: str
    conversions: bool = True
    """Whether tensors may be converted inside of the kernel."""
    schedule: Schedule = UNASKED
    """What is asked for about loops; the compiler chooses the rest."""
    statistics: Mapping[str, Statistics] = field(default_factory=dict[str, Statistics])
    """Operand -> how large it is, about, where that decides how to compute."""
    assembly: Assembly | None = None
    """How the entries of sparse results get their places; None if the rule of the pass says."""

    @property
    def threads(self) -> int:
        """How many workers share the loops."""
        return self.schedule.threads

    @cached_property
    def operands(self) -> tuple[Operand, ...]:
        """The tensors on the right, each once, in order of appearance."""
        first = {a.tensor: a for a in reversed(accesses(self.statement.expression))}
        names = dict.fromkeys(a.tensor for a in accesses(self.statement.expression))
        return tuple(
            Operand(name, self.formats[name], self.dtypes[name], first[name].indices)
            for name in names
        )

    @property
    def result(self) -> Access:
        return self.statement.result

    @property
    def result_format(self) -> Format:
        return self.formats[self.result.tensor]

    @cached_property
    def uses(self) -> tuple[Access, ...]:
        """Every distinct access on the right."""
        return tuple(dict.fromkeys(accesses(self.statement.expression)))

    @cached_property
    def has_choices(self) -> bool:
        """Whether sizes of operands can decide how to compute."""
        return has_choices(self.statement, self.formats)

    @cached_property
    def key_parts(self) -> tuple[str, ...]:
        """The texts that the kernel depends on."""
        formats = [f"{name}: {format}" for name, format in sorted(self.formats.items())]
        dtypes = [f"{name}: {dtype}" for name, dtype in sorted(self.dtypes.items())]
        parts = [to_text(self.statement), self.dtype, self.name, *formats, *dtypes]
        parts += [] if self.conversions else ["no conversions"]
        parts += [f"{name}: {known}" for name, known in sorted(self.statistics.items())]
        parts += [] if self.assembly is None else [f"assembly by {self.assembly}"]
        return (*parts, *self.schedule.lines(), *_outside_sources(self))

    @cached_property
    def steps(self) -> tuple[Assignment, ...]:
        """
        The statements to run one after the other: the parts that are computed first, and what is
        left of the statement.

        Raises:
            NotationError: a part cannot be read or has no meaning.
            ScheduleError: a part cannot be computed first.
        """
        steps, left = list[Assignment](), self.statement
        for asked in self.schedule.parts:
            part = _read_part(asked.statement)
            left = without_part(left, part)
            steps.append(part)
        return (*steps, left)

    def order_of(self, tensor: str) -> tuple[str, ...] | None:
        """The loops asked for where a tensor is computed; None if the rules choose."""
        orders = dict(self.schedule.orders)
        return orders.get(tensor, orders.get("") if tensor == self.result.tensor else None)


def _outside_sources(request: Request) -> Iterator[str]:
    """The definitions of level kinds and operators that come from outside tamale."""
    yield from outside_kinds(request.formats.values())
    for node in walk(request.statement.expression):
        if isinstance(node, Call | Reduce) and not is_builtin_operator(node.operator):
            operator = operator_named(node.operator)
            yield f"{operator.identities} {operator.annihilators} {operator.domain}"
            yield _source_of(operator.emit)


def outside_kinds(formats: Iterable[Format]) -> Iterator[str]:
    """The definitions of level kinds that come from outside tamale."""
    for format in formats:
        for level in format.levels:
            if level.kind not in BUILTIN_KINDS:
                yield _source_of(type(level_kind(level.kind)))


def _source_of(definition: object) -> str:
    """
    The text of a class or function; something unique where there is none, so that nothing is
    shared.
    """
    try:
        return inspect.getsource(definition)  # pyright: ignore[reportArgumentType]
    except (OSError, TypeError):
        return uuid4().hex


def make_request(
    source: str,
    formats: Mapping[str, str | Format],
    dtypes: Mapping[str, object],
    *,
    dtype: object = None,
    name: str = "kernel",
    accumulate: bool = True,
    conversions: bool = True,
    schedule: Schedule = UNASKED,
    assembly: str | None = None,
    threads: int = 1,
) -> Request:
    """
    Reads and checks a request.

    Args:
        source: a statement of index notation.
        formats: tensor -> format line, named format or `Format`; dense where missing.
        dtypes: operand -> element type; float64 where missing.
        dtype: the type to compute in; NumPy's promotion of the operands by default.
        name: of the generated function.
        accumulate: whether `op=` combines with an old value of the result, which then is an
            operand; else the result starts from nothing, and `op` only says how to reduce.
        conversions: whether tensors may be converted inside of the kernel.
        schedule: what is asked for about loops.
        assembly: how the entries of sparse results get their places, `append` or `count`; a rule
            decides if it is not said.
        threads: how many workers share the loops.

    Raises:
        NotationError: the statement, or a part of it, cannot be read or has no meaning.
        FormatError: a format cannot be read, or does not fit its tensor's order.
        ScheduleError: the schedule is not one of the statement.
    """
    parsed = parse_notation(source)
    check_notation(parsed, source)
    statement = explicit_reductions(parsed)
    if parsed.operator is not None and not accumulate:
        statement = _without_old_value(statement)
    names = dict.fromkeys(a.tensor for a in accesses(statement.expression))
    _refuse_strangers("element type", dtypes, [*names, statement.result.tensor], source)
    types = {t: element_type(dtypes.get(t, "float64"), f"operand {t}") for t in names}
    computed = (
        computation_type(statement.expression, types.values(), "compile")
        if dtype is None
        else element_type(dtype, "compile")
    )
    check_name(name)
    request = Request(source, statement, {}, types, computed, name, conversions)
    request = replace(request, assembly=assembly_named(assembly))
    return scheduled(request, shared_by(threads, schedule), formats)


def assembly_named(name: str | None) -> Assembly | None:
    """
    How results are assembled; None, if a rule is to say.

    Raises:
        ScheduleError: there is no such way.
    """
    known = get_args(Assembly)
    if name is not None and name not in known:
        raise ScheduleError(f"assembly: '{name}' is none of {', '.join(known)}")
    return cast("Assembly | None", name)


def scheduled(
    request: Request, schedule: Schedule, formats: Mapping[str, str | Format]
) -> Request:
    """
    The request with another schedule; `formats` are those of its tensors, dense where missing.

    Raises:
        NotationError: a part that is to be computed first cannot be read or has no meaning.
        FormatError: a format cannot be read, or does not fit its tensor's order.
        ScheduleError: the schedule is not one of the statement.
    """
    wanted = replace(request, schedule=schedule)
    *temporaries, result = [step.result for step in wanted.steps]
    known = {a.tensor: a for a in (*request.uses, result)}
    _refuse_strangers("format", formats, known, request.source)
    computed = [access.tensor for access in (*temporaries, result)]
    for tensor, _ in schedule.orders:
        if tensor and tensor not in computed:
            raise ScheduleError(
                f"reorder: no loops compute '{tensor}' in  {request.source}\n"
                f"  help: name one of {', '.join(computed)}"
            )
    stored = {**formats}
    for access, part in zip(temporaries, schedule.parts, strict=True):
        known[access.tensor], stored[access.tensor] = access, part.format
    resolved = {
        tensor: _resolve(tensor, stored.get(tensor), len(access.indices))
        for tensor, access in known.items()
    }
    wanted = replace(wanted, formats=resolved)
    if schedule.shared is not None:
        load("tamale.frontend.parallelizing:require_shared")(wanted, schedule.shared)
    return wanted


def _refuse_strangers(
    what: str, given: Iterable[str], known: Iterable[str], source: str
) -> None:
    """
    Raises:
        FormatError: something is said about what is no tensor of the statement.
    """
    for tensor in given:
        if tensor not in known:
            raise FormatError(
                f"{what}: '{tensor}' names no tensor of  {source}; "
                f"its tensors are {', '.join(known)}"
            )


def _read_part(text: str) -> Assignment:
    """
    A part that is to be computed first, with the tensor that keeps it.

    Raises:
        NotationError: it cannot be read or has no meaning.
    """
    parsed = parse_notation(text)
    check_notation(parsed, text)
    part = explicit_reductions(parsed)
    return part if parsed.operator is None else _without_old_value(part)


def _without_old_value(statement: Assignment) -> Assignment:
    """`y = op(y, e)`, which `op=` stands for, as `y = e`."""
    combined = statement.expression
    assert isinstance(combined, Call)
    return Assignment(statement.result, None, combined.arguments[1])


def _resolve(tensor: str, format: str | Format | None, order: int) -> Format:
    if format is None:
        return dense_format(order)
    resolved = resolve_format(format, order) if isinstance(format, str) else format
    if resolved.order != order:
        raise FormatError(
            f"format: {tensor} has order {order}, but {resolved} describes {resolved.order} modes"
        )
    return resolved
