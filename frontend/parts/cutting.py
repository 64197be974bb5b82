"""Where a statement's tensors are cut: along which index variable, and at which coordinates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tamale.dialects import cin
from tamale.dialects.errors import ScheduleError
from tamale.dialects.format.expressions import Binary, Const, Expr, Var, to_text
from tamale.dialects.format.level import Level
from tamale.dialects.format.named import dense_format
from tamale.dialects.format.normal import normalize
from tamale.dialects.format.spec import Format
from tamale.dialects.level_variables import in_index_variables, level_variables
from tamale.dialects.notation.ast import Reduce
from tamale.dialects.operators import operator_named
from tamale.frontend.request import Request
from tamale.frontend.schedule import shared_by
from tamale.frontend.shares import Sharing, sharing_of
from tamale.frontend.stages import Stages
from tamale.passes.algebra.chains import chain
from tamale.passes.partition import cut_of


@dataclass(frozen=True)
class Cuts:
    """Where parts begin and end along an index variable."""

    variable: str
    bounds: tuple[int, ...]
    """Ascending, from 0 to the size of the variable; one more than there are parts."""

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many coordinates each part has."""
        return tuple(high - low for low, high in zip(self.bounds, self.bounds[1:], strict=False))


def searched_cuts(
    request: Request, operands: Mapping[str, Any], parts: int, shape: Sequence[int]
) -> Cuts:
    """
    Cuts along the outermost loop, with nearly the same work in each part: the places at which
    threads would begin, moved to the coordinate that they lie inside of.

    Args:
        request: the statement, stored and typed as the operands are.
        operands: its tensors.
        parts: how many there are to be.
        shape: the result's dimension sizes.

    Raises:
        ScheduleError: the work along the outermost loop cannot be counted, or it is the loop of no
            index variable.
    """
    sharing = _sharing(_in_full(request, max(parts, 2)), request)
    loop = sharing.partition.variables[0]
    variable, step = _index_variable(request, loop)
    size = sizes_of(request, operands, shape)[variable]
    if parts == 1:
        return Cuts(variable, (0, size))
    begins = [share.begin[0] * step for share in sharing.shares(operands, shape).shares]
    return Cuts(variable, (0, *(min(begin, size) for begin in begins[1:]), size))


def refused(request: Request, reason: str) -> ScheduleError:
    """The error for a statement that is not cut."""
    return ScheduleError(f"partition: {request.source}  is not cut: {reason}")


def _in_full(request: Request, parts: int) -> Request:
    """The statement with a result that is stored in full: any worker can write any part of it."""
    target = request.result.tensor
    schedule = shared_by(parts, request.schedule)
    formats = {**request.formats, target: _full_format(request.result_format)}
    return replace(request, formats=formats, schedule=schedule)


def _full_format(format: Format) -> Format:
    if not format.is_permutation:
        return dense_format(format.order)
    levels = tuple(Level(level.expression, "dense") for level in format.levels)
    return replace(format, levels=levels)


def _sharing(whole: Request, request: Request) -> Sharing:
    """
    How the loops of `whole` are shared. Where it is computed by several nests, which a result in
    full allows, the loops of the request itself are asked for.

    Raises:
        ScheduleError: they cannot be shared.
    """
    sharing = sharing_of(whole)
    if sharing is None and whole.formats != request.formats:
        loops = [loop.index_var.data for loop in chain(_kernel(request).body.block)]
        if set(loops) == {v for use in request.uses for v in use.indices}:
            whole = replace(whole, schedule=whole.schedule.reorder(*loops))
            sharing = sharing_of(whole)
    if sharing is None:
        raise refused(request, cut_of(_kernel(whole)).limit or "one worker does all")
    return sharing


def _kernel(request: Request) -> cin.KernelOp:
    """The kernel that gives the result."""
    module = Stages(request).module("ocin")
    return [op for op in module.walk() if isinstance(op, cin.KernelOp)][-1]


def _index_variable(request: Request, loop: str) -> tuple[str, int]:
    """The index variable that the outermost loop is about, and how many of its coordinates each."""
    if any(loop in access.indices for access in (request.result, *request.uses)):
        return loop, 1
    for use in request.uses:
        format = request.formats[use.tensor]
        for name, level in zip(level_variables(use, format), format.levels, strict=True):
            if name == loop:
                found = _steps(normalize(in_index_variables(level.expression, use, format)))
                if found is not None:
                    return found
                where = f"'{to_text(level.expression)}' of {use.tensor} ({format})"
                raise refused(
                    request,
                    f"the outermost loop is over {where}, not over one of its index variables\n"
                    f"  help: store {use.tensor} in another format, such as csr",
                )
    raise refused(request, f"the outermost loop is over '{loop}' of a tensor computed on the way")


def _steps(expression: Expr) -> tuple[str, int] | None:
    """`i` and `i / c` by variable and number of coordinates."""
    match expression:
        case Var(name):
            return name, 1
        case Binary("/", Var(name), Const(value)):
            return name, value
        case _:
            return None


def sizes_of(
    request: Request, operands: Mapping[str, Any], shape: Sequence[int | None]
) -> dict[str, int]:
    """
    The size of each index variable.

    Raises:
        ScheduleError: no operand tells the size of one of the result's.
    """
    sizes: dict[str, int] = {}
    for use in request.uses:
        sizes |= zip(use.indices, operands[use.tensor].shape, strict=True)
    for variable, size in zip(request.result.indices, shape, strict=False):
        if size is not None:
            sizes.setdefault(variable, size)
    return sizes


def combining_operator_along(request: Request, variable: str) -> str | None:
    """
    By which operator results of parts along an index variable give the whole; None if each part
    has coordinates of the result for itself.

    Raises:
        ScheduleError: neither is so.
    """
    statement = request.statement
    if variable in statement.result.indices:
        return None
    expression = statement.expression
    if isinstance(expression, Reduce) and variable in expression.variables:
        if operator_named(expression.operator).reduction_identity is not None:
            return expression.operator
    raise refused(
        request,
        f"its parts along '{variable}' give parts of a reduction, but the result is not that "
        f"reduction alone\n  help: compute the reduction first, then what is left",
    )
