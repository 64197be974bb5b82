"""Tensors in any format, their arrays made by brute force from the entries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tamale.dialects.format.expressions import (
    Binary,
    Const,
    Counter,
    Expr,
    Let,
    Var,
    counters,
)
from tamale.dialects.format.spec import Format
from tamale.dialects.format.substitution import inline_lets
from tamale.frontend.dtypes import INDEX_TYPES
from tamale.frontend.levels import level_range
from tamale.frontend.tensor import Tensor
from tamale.passes.levels import array_width
from tamale.passes.levels.hash_tables import home_places

Column: TypeAlias = NDArray[np.int64]
Arrays: TypeAlias = Mapping[str, Sequence[int]]
Made: TypeAlias = tuple[Arrays, list[int], int]
"""A level's arrays, each entry's position, and how many positions there are."""


@dataclass(frozen=True)
class Given:
    """What a level is made of: for each entry its parent's position and its coordinate."""

    parents: list[int]
    count: int
    coordinates: list[int]
    low: int
    size: int
    above: list[list[int]]
    """The coordinates of the levels above, outermost first."""
    unique: bool

    @cached_property
    def children(self) -> list[list[int]]:
        """For each parent position the entries below, in the order of arrival."""
        children: list[list[int]] = [[] for _ in range(self.count)]
        for n, parent in enumerate(self.parents):
            children[parent].append(n)
        return children


def dense(given: Given) -> Made:
    pairs = zip(given.parents, given.coordinates, strict=True)
    positions = [p * given.size + c - given.low for p, c in pairs]
    return {}, positions, given.count * given.size


def compressed(given: Given) -> Made:
    """Segments by parent, in the order of arrival."""
    pos, crd, positions = [0], list[int](), [0] * len(given.parents)
    for own in given.children:
        places: dict[int, int] = {}
        for n in own:
            c = given.coordinates[n]
            if not given.unique or c not in places:
                places[c] = len(crd)
                crd.append(c)
            positions[n] = places[c]
        pos.append(len(crd))
    return {"pos": pos, "crd": crd}, positions, len(crd)


def singleton(given: Given) -> Made:
    crd = [0] * given.count
    for p, c in zip(given.parents, given.coordinates, strict=True):
        crd[p] = c
    return {"crd": crd}, given.parents, given.count


def squeezed(given: Given) -> Made:
    perm = sorted(set(given.coordinates))
    pairs = zip(given.parents, given.coordinates, strict=True)
    positions = [p * len(perm) + perm.index(c) for p, c in pairs]
    return {"size": [len(perm)], "perm": perm}, positions, given.count * len(perm)


def offset(given: Given) -> Made:
    return {}, given.parents, given.count


def sliced(given: Given) -> Made:
    size = max((c - given.low + 1 for c in given.coordinates), default=0)
    pairs = zip(given.parents, given.coordinates, strict=True)
    positions = [p * size + c - given.low for p, c in pairs]
    return {"size": [size]}, positions, given.count * size


def ragged(given: Given) -> Made:
    pairs = list(zip(given.parents, given.coordinates, strict=True))
    pos = [0]
    for own in given.children:
        width = max((given.coordinates[n] - given.low + 1 for n in own), default=0)
        pos.append(pos[-1] + width)
    return {"pos": pos}, [pos[p] + c - given.low for p, c in pairs], pos[-1]


def jagged(given: Given) -> Made:
    """Slots are parents; the rows of slot k are the first ones of `perm`."""
    lengths = [given.coordinates.count(row) for row in range(given.size)]
    perm = sorted(range(given.size), key=lambda row: -lengths[row])
    pos = [0]
    for slot in range(given.count):
        pos.append(pos[-1] + sum(length > slot for length in lengths))
    pairs = zip(given.parents, given.coordinates, strict=True)
    return {"pos": pos, "perm": perm}, [pos[p] + perm.index(c) for p, c in pairs], pos[-1]


def banded(given: Given) -> Made:
    """Up to the diagonal, or the end of the dimension before it."""
    ends = [min(d + 1, given.low + given.size) for d in given.above[-1]]
    rows = list(zip(given.parents, given.coordinates, ends, strict=True))
    pos = [0]
    for own in given.children:
        widths = (ends[n] - given.coordinates[n] for n in own)
        pos.append(pos[-1] + max(widths, default=0))
    return {"pos": pos}, [pos[p + 1] + c - end for p, c, end in rows], pos[-1]


def hashed(given: Given) -> Made:
    pos, crd, positions = [0], list[int](), [0] * len(given.parents)
    for own in given.children:
        held = {given.coordinates[n] for n in own}
        capacity = 1 << (2 * len(held) - 1).bit_length() if held else 0
        table = [-1] * capacity
        for c in sorted(held, reverse=True):
            place = int(home_places(np.array([c]), np.array([capacity]))[0])
            while table[place] >= 0:
                place = (place + 1) % capacity
            table[place] = c
        for n in own:
            positions[n] = len(crd) + table.index(given.coordinates[n])
        crd += table
        pos.append(len(crd))
    return {"pos": pos, "crd": crd}, positions, len(crd)


def bitmap(given: Given) -> Made:
    _, positions, count = dense(given)
    present = [0] * count
    for p in positions:
        present[p] = 1
    return {"present": present}, positions, count


BINARY: Mapping[str, Callable[[Column, Column], Any]] = {
    "|": np.bitwise_or,
    "^": np.bitwise_xor,
    "&": np.bitwise_and,
    "<<": np.left_shift,
    ">>": np.right_shift,
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.floor_divide,
    "%": np.remainder,
}
MAKE: Mapping[str, Callable[[Given], Made]] = {
    "dense": dense,
    "compressed": compressed,
    "singleton": singleton,
    "squeezed": squeezed,
    "range": dense,
    "offset": offset,
    "sliced": sliced,
    "ragged": ragged,
    "jagged": jagged,
    "banded": banded,
    "hashed": hashed,
    "bitmap": bitmap,
}


def level_columns(format: Format, modes: Sequence[tuple[int, ...]]) -> list[list[int]]:
    """Per level: its coordinate for each entry, counters by arrival."""
    entries = np.array(modes, np.int64).reshape(len(modes), format.order)
    values = dict(zip(format.modes, entries.T, strict=True))
    columns: list[list[int]] = []
    for level in format.levels:
        found = counters(level.expression)
        expression = inline_lets(level.expression) if found else level.expression
        counts = {counter: arrivals(counter, values) for counter in counters(expression)}
        column = evaluated(expression, values, counts)
        columns.append(np.broadcast_to(column, len(modes)).tolist())
    return columns


def arrivals(counter: Counter, values: Mapping[str, Column]) -> Column:
    """For each entry: how many with its coordinates of the counter's variables came before."""
    seen: dict[tuple[int, ...], int] = {}
    count = len(next(iter(values.values())))
    own = [values[name].tolist() for name in counter.variables]
    groups = zip(*own, strict=True) if own else [()] * count
    before: list[int] = []
    for group in groups:
        before.append(seen.get(group, 0))
        seen[group] = before[-1] + 1
    return np.array(before, np.int64)


def evaluated(
    expression: Expr, values: Mapping[str, Column], counts: Mapping[Counter, Column]
) -> Column:
    """An expression for all entries at once; what a let binds is computed once."""
    match expression:
        case Var(name):
            return values[name]
        case Const(value):
            return np.array(value, np.int64)
        case Counter():
            return counts[expression]
        case Binary(op, lhs, rhs):
            operands = evaluated(lhs, values, counts), evaluated(rhs, values, counts)
            return BINARY[op](*operands)
        case Let(name, value, body):
            return evaluated(body, {**values, name: evaluated(value, values, counts)}, counts)


def store_entries(
    modes: Sequence[tuple[int, ...]],
    values: NDArray[Any],
    shape: Sequence[int],
    format: Format,
) -> Tensor:
    """The entries in a format, in the order of their arrival where it promises none."""
    if all(format.properties(k).ordered for k in range(len(format.levels))):
        columns = level_columns(format, modes)
        arrival = sorted(range(len(modes)), key=lambda n: [column[n] for column in columns])
        modes, values = [modes[n] for n in arrival], values[arrival]
    columns = level_columns(format, modes)
    parents, count, levels = [0] * len(modes), 1, list[dict[str, NDArray[Any]]]()
    for k, level in enumerate(format.levels):
        low, size = level_range(format, shape, k)
        unique = format.properties(k).unique
        given = Given(parents, count, columns[k], low, size, columns[:k], unique)
        arrays, parents, count = MAKE[level.kind](given)
        levels.append(
            {
                name: np.array(values, INDEX_TYPES[array_width(format, k, name)])
                for name, values in arrays.items()
            }
        )
    vals = np.zeros(count, values.dtype)
    np.add.at(vals, parents, values)
    return Tensor(format, shape, levels, vals)
