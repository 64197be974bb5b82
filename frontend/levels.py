"""
The levels of a stored tensor on NumPy arrays: how they are walked down, and the modes back from
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tamale.dialects.errors import FormatError
from tamale.dialects.format.expressions import (
    Binary,
    Const,
    Counter,
    Expr,
    Let,
    Operator,
    Var,
    apply,
)
from tamale.dialects.format.invert import invert, level_variable
from tamale.dialects.format.relation import Relation, relation
from tamale.dialects.format.spec import Format
from tamale.dialects.format.symbolic_bounds import extent_of
from tamale.passes.levels import storage_kind
from tamale.passes.levels.functions import StoredLevel

Column: TypeAlias = NDArray[np.int64]

ALWAYS_LISTED = 1 << 24
"""So many coordinates (128 MiB) are listed whatever the arrays hold: padding may hold nothing."""


class InMemory(Protocol):
    """A tensor as its arrays."""

    @property
    def format(self) -> Format: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def levels(self) -> Sequence[Mapping[str, NDArray[np.integer[Any]]]]:
        """Per level: its arrays by name."""
        ...
    @property
    def vals(self) -> NDArray[Any]: ...


def level_range(format: Format, shape: Sequence[int], k: int) -> tuple[int, int]:
    """The smallest coordinate of level k and how many it can have."""
    mode = format.stored_modes[k]
    return (0, shape[mode]) if mode is not None else extent_of(format, k, tuple(shape))


def stored_level(tensor: InMemory, k: int, ancestors: Sequence[Column] = ()) -> StoredLevel:
    """Level k as its kind sees it, below parents at these coordinates."""
    format = tensor.format
    low, size = level_range(format, tensor.shape, k)
    asks = storage_kind(format.levels[k].kind).asks_ancestors
    return StoredLevel(
        arrays=tensor.levels[k],
        size=size,
        properties=format.properties(k),
        where=f"level {k + 1} ('{format.levels[k]}')",
        low=low,
        ancestors=ancestors,
        relation=relation(format, k) if asks else Relation(),
        dims={f"dim_{name}": n for name, n in zip(format.modes, tensor.shape, strict=True)},
    )


def walked(tensor: InMemory) -> Iterator[tuple[int, StoredLevel, int]]:
    """Each level with how many parent positions it has, from the outermost; checks nothing."""
    positions, ancestors = 1, list[Column]()
    deepest = max((k for k in range(len(tensor.levels)) if _asks(tensor, k)), default=0)
    for k, level in enumerate(tensor.format.levels):
        kind, stored = storage_kind(level.kind), stored_level(tensor, k, ancestors)
        yield k, stored, positions
        if k < deepest:
            _check_extent(tensor, stored, kind.count(stored, positions))
            owners, crd = kind.coordinates(stored, positions)
            ancestors = [*(column[owners] for column in ancestors), crd]
        positions = kind.count(stored, positions)


def _check_extent(tensor: InMemory, level: StoredLevel, count: int) -> None:
    """
    Coordinates above a level that looks at them are listed only if the tensor has as many elements,
    or if they are few, however large the sizes claim to be.
    """
    stored = sum(len(array) for arrays in tensor.levels for array in arrays.values())
    if count > max(stored + len(tensor.vals), ALWAYS_LISTED):
        raise FormatError(
            f"{level.where}: {count} positions, but only {stored} coordinates and "
            f"{len(tensor.vals)} values are stored"
        )


def _asks(tensor: InMemory, k: int) -> bool:
    return storage_kind(tensor.format.levels[k].kind).asks_ancestors


def level_coordinates(tensor: InMemory) -> tuple[list[Column], NDArray[np.bool_] | None]:
    """
    Per level: the coordinate of every position of the last level; and which of these positions hold
    an entry, None if all do.
    """
    columns: list[Column] = []
    present: NDArray[np.bool_] | None = None
    for _, stored, parents in walked(tensor):
        kind = storage_kind(tensor.format.levels[len(columns)].kind)
        owners, crd = kind.coordinates(stored, parents)
        columns = [*(column[owners] for column in columns), crd]
        found = kind.found(stored, parents)
        if present is not None:
            present = present[owners]
        if found is not None:
            present = found if present is None else present & found
    return columns, present


def positions(tensor: InMemory) -> tuple[tuple[Column, ...], NDArray[np.bool_] | None]:
    """As `level_coordinates`, but the coordinates of the modes."""
    columns, present = level_coordinates(tensor)
    return mode_coordinates(tensor.format, columns), present


def mode_coordinates(format: Format, columns: Sequence[Column]) -> tuple[Column, ...]:
    """Per mode: its coordinates, computed from those of the levels."""
    if format.is_permutation:
        return tuple(columns[k] for k in format.level_of_mode)
    values = {level_variable(k): column for k, column in enumerate(columns)}
    length = len(columns[0]) if columns else 1
    return tuple(
        np.broadcast_to(np.asarray(evaluate_columns(mode, values), np.int64), (length,))
        for mode in invert(format)
    )


def evaluate_columns(expr: Expr, values: Mapping[str, Any]) -> Any:
    """The value of `expr`, which has no counters, for all elements of its variables at once."""
    match expr:
        case Var(name):
            return values[name]
        case Const(value):
            return value
        case Binary(op, lhs, rhs):
            return _operate(op, evaluate_columns(lhs, values), evaluate_columns(rhs, values))
        case Let(name, value, body):
            bound = evaluate_columns(value, values)
            return evaluate_columns(body, {**values, name: bound})
        case Counter():
            raise AssertionError("a counter carries nothing back to the modes")


def _operate(op: Operator, lhs: Any, rhs: Any) -> Any:
    """NumPy rounds as level expressions do: down."""
    match op:
        case "/":
            return lhs // rhs
        case "%":
            return lhs % rhs
        case "<<":
            return lhs << rhs
        case ">>":
            return lhs >> rhs
        case _:
            return apply(op, lhs, rhs)


def inside(columns: Sequence[Column], shape: Sequence[int]) -> NDArray[np.bool_] | None:
    """Which of these coordinates lie inside of the dimension sizes, None if all do."""
    mask: NDArray[np.bool_] | None = None
    for column, size in zip(columns, shape, strict=True):
        if len(column) and (column.min() < 0 or column.max() >= size):
            good = (column >= 0) & (column < size)
            mask = good if mask is None else mask & good
    return mask
