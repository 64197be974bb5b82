"""`partition`: a statement and its tensors in parts that can be computed one by one, anywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from tamale.dialects.errors import KernelError, ScheduleError
from tamale.dialects.format.spec import Format
from tamale.dialects.integers import whole_number
from tamale.dialects.notation.parser import parse_notation
from tamale.frontend.interop import tensor
from tamale.frontend.parts.cutting import (
    Cuts,
    combining_operator_along,
    refused,
    searched_cuts,
    sizes_of,
)
from tamale.frontend.parts.distributed import Distributed
from tamale.frontend.parts.parts import Part, Parts
from tamale.frontend.parts.slicing import sliced
from tamale.frontend.request import Request, make_request
from tamale.frontend.statistics import known_of, worth_a_choice
from tamale.frontend.tensor import Tensor

MOST_PARTS = 1 << 16
"""Each part of a cut has tensors of its own."""


def partition(
    expression: str,
    tensors: Mapping[str, Any],
    parts: int,
    *,
    out: str | Format = "dense",
    dtype: object = None,
    shape: Sequence[int] | None = None,
) -> Parts:
    """
    Cuts the tensors of a statement into parts of nearly equal work: the same kernel on each part's
    tensors gives that part of the result.

    The tensors are cut along the index variable of the outermost loop, where threads would begin
    (`docs/partitioning.md`), but between its coordinates: a row is in one part. Where the result
    has that variable, each part has coordinates of the result for itself; where it is reduced, the
    parts' results have all coordinates and are combined by the operator.

    Args:
        expression: such as `"y(i) = A(i,j) * x(j)"`.
        tensors: the operands by name, anything that `tensor` takes, or results that are
            `Distributed`. Such a result is used where it is: the cut is its cut, along the
            variable that its cut mode has in the statement, and `parts` is how many it has.
        parts: how many, from 1 to `MOST_PARTS`; some may be empty.
        out: the result's format.
        dtype: the type to compute in; NumPy's promotion of the operands by default.
        shape: the result's dimension sizes, where no operand tells them.

    Returns:
        The parts. Levels are views where the outermost level stores the variable that is cut and
        the levels below it depend on positions alone (`dense`, `compressed`, `singleton`), but for
        positions, which are counted anew; other operands are stored again, part by part.

    Raises:
        ScheduleError: the outermost loop is over no index variable (the diagonals of `dia`, the
            slots of `ell`); its work cannot be counted (`hashed`, unordered levels); it is reduced,
            but only in a part of the statement, as j in `y(i) = b(i) + A(i,j) * x(j)` with A in
            `csc`; two distributed operands are cut differently; a
            part cannot be stored in its format (rows of `skyline`); a tensor is used with the
            variable in different modes, as A is in `Z(i,j) = A(i,k) * A(k,j)`.
        TamaleError: the statement or an operand is refused.
    """
    given = {name: _operand(value) for name, value in tensors.items()}
    request = _request(expression, given, out, dtype)
    _check_operands(request, given)
    whole = {name: value for name, value in given.items() if isinstance(value, Tensor)}
    sizes = sizes_of(request, given, shape or ())
    dims = _result_shape(request, sizes)
    spread = {name: v for name, v in given.items() if isinstance(v, Distributed)}
    count = whole_number(parts)
    if count is None or not 1 <= count <= MOST_PARTS:
        raise ScheduleError(
            f"partition: {parts!r} is no number of parts; it is from 1 to {MOST_PARTS}"
        )
    if spread:
        cuts = _cuts_of(request, spread, count)
    else:
        request = _fitted(request, whole)
        cuts = searched_cuts(request, whole, count, dims)
    return _parts(request, given, cuts, dims)


def _parts(request: Request, given: Mapping[str, Any], cuts: Cuts, dims: Sequence[int]) -> Parts:
    """The parts that a cut makes of tensors."""
    combined = combining_operator_along(request, cuts.variable)
    pieces = {name: _pieces(request, name, value, cuts) for name, value in given.items()}
    found = [
        Part(
            {name: own[k] for name, own in pieces.items()},
            cuts.bounds[k],
            cuts.bounds[k + 1],
            _part_shape(request, dims, cuts, k),
        )
        for k in range(len(cuts.sizes))
    ]
    keepers = {n: value.executor for n, value in given.items() if isinstance(value, Distributed)}
    return Parts(request, cuts.variable, combined, tuple(found), keepers)


def _operand(value: Any) -> Tensor | Distributed:
    return value if isinstance(value, Distributed) else tensor(value)


def _request(
    expression: str, given: Mapping[str, Tensor | Distributed], out: str | Format, dtype: object
) -> Request:
    formats: dict[str, str | Format] = {name: value.format for name, value in given.items()}
    dtypes = {name: value.dtype.name for name, value in given.items()}
    target = parse_notation(expression).result.tensor
    if target not in given or out != "dense":
        formats[target] = out
    return make_request(expression, formats, dtypes, dtype=dtype, accumulate=target in given)


def _check_operands(request: Request, given: Mapping[str, Any]) -> None:
    """
    Raises:
        KernelError: an operand is missing or of the wrong order.
    """
    for operand in request.operands:
        if operand.name not in given:
            raise KernelError(
                f"partition: operand {operand.name} of  {request.source}  is missing"
            )


def _fitted(request: Request, tensors: Mapping[str, Tensor]) -> Request:
    """The request for tensors as large as these: all parts get the kernel of the whole."""
    if not request.has_choices:
        return request
    known = worth_a_choice(request, known_of(request, tensors))
    return replace(request, statistics=known) if known else request


def _result_shape(request: Request, sizes: Mapping[str, int]) -> tuple[int, ...]:
    """
    Raises:
        KernelError: the size of an index variable is not known.
    """
    for variable in request.result.indices:
        if variable not in sizes:
            raise KernelError(
                f"partition: no operand of  {request.source}  tells the size of '{variable}'\n"
                "  help: pass shape="
            )
    return tuple(sizes[variable] for variable in request.result.indices)


def _part_shape(request: Request, dims: Sequence[int], cuts: Cuts, k: int) -> tuple[int, ...]:
    pairs = zip(request.result.indices, dims, strict=True)
    return tuple(cuts.sizes[k] if v == cuts.variable else size for v, size in pairs)


# Operands


def _modes(request: Request, name: str, variable: str) -> list[int]:
    """
    The modes of an operand that a variable walks.

    Raises:
        ScheduleError: two uses differ in that.
    """
    found = {
        tuple(mode for mode, index in enumerate(use.indices) if index == variable)
        for use in request.uses
        if use.tensor == name
    }
    if len(found) > 1:
        raise refused(
            request,
            f"{name} is used with '{variable}' in different modes\n"
            "  help: pass it under two names",
        )
    return list(found.pop())


def _pieces(
    request: Request, name: str, value: Tensor | Distributed, cuts: Cuts
) -> Sequence[Any]:
    """
    An operand's tensor for each part.

    Raises:
        ScheduleError: its format cannot hold one of them.
    """
    if isinstance(value, Distributed):
        return value.handles
    modes = _modes(request, name, cuts.variable)
    if not modes:
        return [value] * len(cuts.sizes)
    try:
        return sliced(value, modes, cuts.bounds)
    except KernelError as error:
        where = f"a part of {name} along '{cuts.variable}' is no tensor of its format"
        raise refused(request, f"{where}\n  {error}") from error


def _cuts_of(request: Request, spread: Mapping[str, Distributed], parts: int) -> Cuts:
    """
    The cut that distributed operands have already.

    Raises:
        ScheduleError: they differ, or one is not cut.
    """
    found: dict[Cuts, str] = {}
    for name, value in spread.items():
        if value.mode is None:
            raise refused(request, f"{name} is not whole in any part\n  help: pass {name}.gather()")
        indices = [use.indices for use in request.uses if use.tensor == name]
        cuts = Cuts(indices[0][value.mode], value.bounds)
        if _modes(request, name, cuts.variable) != [value.mode]:
            raise refused(request, f"{name} is cut in one mode, and '{cuts.variable}' has several")
        found[cuts] = name
    if len(found) > 1:
        names = ", ".join(spread)
        raise refused(request, f"{names} are cut differently\n  help: gather all but one of them")
    cuts, name = found.popitem()
    if len(cuts.sizes) != parts:
        raise refused(request, f"{name} has {len(cuts.sizes)} parts, not {parts}")
    return cuts
