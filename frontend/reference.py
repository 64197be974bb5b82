"""
The meaning of a statement, computed with NumPy: what kernels are compared with.

Every subexpression is an array over all index variables, by broadcasting; with it goes where it has
an entry. Nothing here is shared with the compiler's passes. Results have an entry by these rules:

    A(i,j)       where A stores a value; a dense tensor everywhere; of another padded tensor,
                 where an operator asks for it, where it is not 0
    2, alpha     everywhere
    op(a, b)     where all arguments have one whose fill value is op's annihilator; where any
                 argument has one if there is no such argument; where op's own domain says,
                 if it has one
    sum(j, a)    where a has an entry for some j
    Z(i,j) = a   as a; everywhere if the fill value of a is not 0
    Z(i,i) = a   as a on the diagonal, nowhere else

An implicit entry is the fill value, and an annihilator wins: 0 * NaN at an implicit entry is 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from math import prod
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tamale.dialects.cin.sets import (
    Complement,
    Empty,
    Intersection,
    SetExpr,
    Stored,
    Union,
    parse_set,
)
from tamale.dialects.errors import TamaleError
from tamale.dialects.notation.ast import (
    Access,
    Assignment,
    Call,
    Expr,
    Literal,
    Reduce,
    to_text,
    walk,
)
from tamale.dialects.operators import LOWEST, Number, Operator, operator_named
from tamale.frontend.dtypes import computation_type, element_type
from tamale.frontend.reference_operators import as_sets, asks, fill_of_call, ufunc
from tamale.frontend.tensor import Tensor
from tamale.passes.levels import mixes_padding

Array: TypeAlias = NDArray[Any]
Mask: TypeAlias = NDArray[np.bool_]

SLAB_POINTS = 1 << 22
"""How many points of the iteration space are computed at once, if the result has a mode to cut."""

MAX_POINTS = 1 << 31
"""The largest iteration space that is walked, in about a minute."""


@dataclass(frozen=True)
class Reference:
    """What a statement means: the result's values, and the coordinates at which it has an entry."""

    values: Array
    structure: Mask


def evaluate_reference(
    statement: Assignment,
    operands: Mapping[str, Tensor | Array],
    *,
    dtype: object = None,
    sizes: Mapping[str, int] | None = None,
) -> Reference:
    """
    Computes a statement point by point.

    Args:
        statement: with its reductions explicit, see `explicit_reductions`.
        operands: every tensor on the right; arrays are dense.
        dtype: the type to compute in; NumPy's promotion of the operands by default.
        sizes: of the index variables that no operand has.

    Returns:
        Values and structure, both in the shape of the result.

    Raises:
        TamaleError: an operand or a size is missing, sizes disagree, or the iteration space has
            more than `MAX_POINTS` points.

    Cost: one pass over the whole iteration space per operator.
    """
    tensors = {name: _Operand.of(value) for name, value in operands.items()}
    extents = _extents(statement, tensors, sizes or {})
    types = [tensor.vals.dtype.name for tensor in tensors.values()]
    if dtype is None:
        computed = np.dtype(computation_type(statement.expression, types, "reference"))
    else:
        computed = np.dtype(element_type(dtype, "reference"))
    shape = [extents[v] for v in statement.result.indices]
    values, structure = np.zeros(shape, computed), np.zeros(shape, np.bool_)
    for cut in _slabs(statement, extents):
        place = _place(statement.result, extents, cut)
        part = _Evaluator(statement, tensors, extents, cut, computed).result()
        values[place], structure[place] = part.values, part.present
    return Reference(values, structure)


def _place(
    result: Access, extents: Mapping[str, int], cut: Mapping[str, slice]
) -> tuple[NDArray[np.intp], ...]:
    """Where a slab goes: one open grid per mode, so that `Z(i,i)` is the diagonal."""
    variables = list(dict.fromkeys(result.indices))
    ranges = [np.arange(extents[v])[cut.get(v, slice(None))] for v in variables]
    grids = dict(zip(variables, np.ix_(*ranges), strict=True))
    return tuple(grids[v] for v in result.indices)


@dataclass(frozen=True)
class _Operand:
    """The entries of a tensor, whatever its storage; `coordinates` is None where all are stored."""

    shape: tuple[int, ...]
    coordinates: tuple[NDArray[np.int64], ...] | None
    vals: Array
    padded: bool = False
    """Whether zeros that are stored may be padding."""

    @classmethod
    def of(cls, value: Tensor | Array) -> _Operand:
        if not isinstance(value, Tensor):
            array = np.asarray(value)
            return cls(array.shape, None, array)
        if value.format.all_dense:
            return cls(value.shape, None, value.to_numpy())
        return cls(value.shape, *value.entries(), mixes_padding(value.format))

    def window(self, cuts: Sequence[slice], dtype: np.dtype[Any]) -> tuple[Array, Mask]:
        """Values and presence in a box; duplicates are added up."""
        if self.coordinates is None:
            box = self.vals[tuple(cuts)].astype(dtype)
            return box, np.ones(box.shape, np.bool_)
        inside = np.ones(len(self.vals), np.bool_)
        for column, cut in zip(self.coordinates, cuts, strict=True):
            inside &= (cut.start <= column) & (column < cut.stop)
        place = tuple(
            column[inside] - cut.start for column, cut in zip(self.coordinates, cuts, strict=True)
        )
        shape = [cut.stop - cut.start for cut in cuts]
        values, present = np.zeros(shape, dtype), np.zeros(shape, np.bool_)
        np.add.at(values, place, self.vals[inside].astype(dtype))
        present[place] = True
        return values, present


def _extents(
    statement: Assignment, tensors: Mapping[str, _Operand], given: Mapping[str, int]
) -> dict[str, int]:
    """The size of every index variable, the result's first."""
    found = dict(given)
    for access in walk(statement.expression):
        if not isinstance(access, Access):
            continue
        if access.tensor not in tensors:
            raise TamaleError(
                f"reference: operand {access.tensor} of  {to_text(statement)}  is missing"
            )
        for variable, size in zip(access.indices, tensors[access.tensor].shape, strict=True):
            if found.setdefault(variable, size) != size:
                raise TamaleError(
                    f"reference: '{variable}' has size {found[variable]} and, in "
                    f"{to_text(access)}, {size}, in  {to_text(statement)}"
                )
    for variable in statement.result.indices:
        if variable not in found:
            raise TamaleError(
                f"reference: no operand of  {to_text(statement)}  tells the size of '{variable}'"
            )
    return {v: found[v] for v in dict.fromkeys([*statement.result.indices, *found])}


def _slabs(statement: Assignment, extents: Mapping[str, int]) -> Iterator[dict[str, slice]]:
    """Cuts the longest mode of the result, so that a slab fits into memory."""
    points = prod(extents.values())
    if points > MAX_POINTS:
        raise TamaleError(
            f"reference: {to_text(statement)}  has {points} points, and each would be computed; "
            f"at most {MAX_POINTS} are"
        )
    longest = max(statement.result.indices, key=extents.__getitem__, default=None)
    if points <= SLAB_POINTS or longest is None:
        yield {}
        return
    size = extents[longest]
    step = max(1, SLAB_POINTS * size // points)
    for start in range(0, size, step):
        yield {longest: slice(start, min(start + step, size))}


@dataclass(frozen=True)
class _Part:
    """
    A subexpression at every point: arrays with an axis per index variable, of length 1 where
    nothing changes.

    `fill` is the value where nothing has an entry, None if that is not one constant.
    """

    values: Array
    present: Mask
    fill: Number | None


class _Evaluator:
    """Evaluates a statement in one slab of its iteration space."""

    def __init__(
        self,
        statement: Assignment,
        tensors: Mapping[str, _Operand],
        extents: Mapping[str, int],
        cut: Mapping[str, slice],
        dtype: np.dtype[Any],
    ) -> None:
        self.statement, self.tensors, self.dtype = statement, tensors, dtype
        self.variables = tuple(extents)
        self.cuts = {v: cut.get(v, slice(0, size)) for v, size in extents.items()}

    def result(self) -> _Part:
        """The right side over the variables of the result."""
        with np.errstate(all="ignore"):
            part = self._evaluate(self.statement.expression)
        present = part.present if part.fill == 0 else np.ones_like(part.present)
        variables = dict.fromkeys(self.statement.result.indices)
        order = len(variables)
        shape = [self._size(v) for v in variables]

        def fit(array: Array) -> Array:
            return np.broadcast_to(array.reshape(array.shape[:order]), shape)

        return _Part(fit(part.values), fit(present), part.fill)

    def _size(self, variable: str) -> int:
        return self.cuts[variable].stop - self.cuts[variable].start

    def _axis(self, variable: str) -> int:
        return self.variables.index(variable)

    def _evaluate(self, expression: Expr, *, exact: bool = False) -> _Part:
        """`exact`: it matters whether there is an entry, and padding is none."""
        match expression:
            case Access():
                return self._access(expression, exact=exact)
            case Literal(value=value):
                ones = (1,) * len(self.variables)
                return _Part(np.full(ones, value, self.dtype), np.ones(ones, np.bool_), value)
            case Reduce():
                return self._reduce(expression, exact=exact)
            case Call(operator=name, arguments=arguments):
                operator = operator_named(name)
                parts = [
                    self._evaluate(argument, exact=exact or asks(operator, k))
                    for k, argument in enumerate(arguments)
                ]
                return self._call(operator, parts)

    def _access(self, access: Access, *, exact: bool) -> _Part:
        cuts = [self.cuts[v] for v in access.indices]
        operand = self.tensors[access.tensor]
        values, present = operand.window(cuts, self.dtype)
        if exact and operand.padded:
            present = present & (values != 0)
        # Indexing with one open grid per index also takes the diagonal of A(i,i).
        place = tuple(self._grid(v) for v in access.indices)
        if not place:
            place = (np.newaxis,) * len(self.variables)
        return _Part(values[place], present[place], 0 if access.indices else None)

    def _grid(self, variable: str) -> NDArray[np.intp]:
        shape = [1] * len(self.variables)
        shape[self._axis(variable)] = self._size(variable)
        return np.arange(self._size(variable)).reshape(shape)

    def _call(self, operator: Operator, parts: Sequence[_Part]) -> _Part:
        values = self._apply(operator, [part.values for part in parts])
        fill = fill_of_call(operator, [part.fill for part in parts])
        if operator.domain is not None:
            present = np.asarray(_members(parse_set(as_sets(operator.domain)), parts))
            return _Part(np.where(present, values, self._number(fill)), present, fill)
        needed = [
            part
            for k, part in enumerate(parts)
            if part.fill is not None and part.fill == operator.annihilator(k)
        ]
        if not needed:
            present = reduce(np.logical_or, [part.present for part in parts])
            return _Part(values, present, fill)
        present = reduce(np.logical_and, [part.present for part in needed])
        return _Part(np.where(present, values, self._number(fill)), present, fill)

    def _number(self, value: Number | None) -> Array:
        assert value is not None
        return np.asarray(value).astype(self.dtype)

    def _apply(self, operator: Operator, values: Sequence[Array]) -> Array:
        return np.asarray(ufunc(operator)(*values)).astype(self.dtype, copy=False)

    def _reduce(self, reduction: Reduce, *, exact: bool) -> _Part:
        operator = operator_named(reduction.operator)
        part = self._evaluate(reduction.body, exact=exact)
        axes = tuple(self._axis(v) for v in reduction.variables)
        shape = np.broadcast_shapes(part.values.shape, part.present.shape)
        full = [self._size(v) if k in axes else shape[k] for k, v in enumerate(self.variables)]
        values, present = np.broadcast_to(part.values, full), np.broadcast_to(part.present, full)
        start = self._reduction_start(operator)
        for axis in axes:
            values = ufunc(operator).reduce(values, axis=axis, initial=start, keepdims=True)
        fill = part.fill
        if fill is not None and operator.apply(fill, fill) != fill:
            fill = None
        return _Part(
            np.asarray(values).astype(self.dtype, copy=False),
            np.asarray(present.any(axis=axes, keepdims=True)),
            fill,
        )

    def _reduction_start(self, operator: Operator) -> Any:
        """The operator's identity as a number of the type that is computed in."""
        identity = operator.reduction_identity
        assert identity is not None
        if np.issubdtype(self.dtype, np.integer) and abs(identity) == -LOWEST:
            limits = np.iinfo(self.dtype)
            return limits.min if identity == LOWEST else limits.max
        return self.dtype.type(identity)


def _members(domain: SetExpr, parts: Sequence[_Part]) -> Any:
    """Where an operator's own domain holds."""
    match domain:
        case Stored(access=name):
            return parts[ord(name) - ord("a")].present
        case Union(sets):
            return reduce(np.logical_or, [_members(s, parts) for s in sets])
        case Intersection(sets):
            return reduce(np.logical_and, [_members(s, parts) for s in sets])
        case Complement(inner):
            return np.logical_not(_members(inner, parts))
        case _:
            return not isinstance(domain, Empty)
