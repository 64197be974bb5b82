"""A walk of DIA in IR: levels that store nothing get their coordinates from those above."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from figure import ENTRIES, FIGURE, SHAPE
from level_code import INDEX, compiled
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, i32
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from tamale.backends.cpp.printer import print_cpp
from tamale.dialects.format.expressions import Binary, Const, Expr, Var
from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.relation import relation
from tamale.passes.emit.emitter import Emitter
from tamale.passes.emit.upstream import array_type
from tamale.passes.levels import storage_kind
from tamale.passes.levels.functions import LevelStorage

FORMAT = resolve_format("dia")


class Walk:
    """A function that writes down row, column and position of everything it meets."""

    def __init__(self) -> None:
        arrays = [array_type(i32)] * 2 + [array_type(INDEX)] * 4
        function = func.FuncOp("walk", ([INDEX] * 2 + arrays, []))
        block = function.body.block
        self.emit = Emitter(InsertPoint.at_end(block), block)
        self.rows, self.columns, self.size, self.perm, *self.lists = block.args
        self.walk()
        self.emit.insert(func.ReturnOp())
        self.module = ModuleOp([function])
        self.module.verify()

    def value(self, expression: Expr, ancestors: Sequence[SSAValue]) -> SSAValue:
        """Sums and differences are all that diagonals need."""
        match expression:
            case Const(number):
                return self.emit.constant(number)
            case Var(name) if name.startswith("l"):
                return ancestors[int(name[1:])]
            case Var(name):
                return {"dim_i": self.rows, "dim_j": self.columns}[name]
            case Binary("+" | "-" as op, a, b):
                terms = self.value(a, ancestors), self.value(b, ancestors)
                return self.emit.binary({"+": "add", "-": "sub"}[op], *terms)
            case _:
                raise AssertionError(expression)

    def level(self, k: int, *ancestors: SSAValue) -> LevelStorage:
        emit, one = self.emit, self.emit.constant(1)
        arrays = {"size": self.size, "perm": self.perm} if k == 0 else {}
        diagonals = emit.sub(emit.add(self.rows, self.columns), one), emit.sub(one, self.rows)
        zero = emit.constant(0)
        size, low = (diagonals, (self.rows, zero), (self.columns, zero))[k]
        return LevelStorage(emit, arrays, size, low, ancestors, relation(FORMAT, k), self.value)

    def walk(self) -> None:
        emit, zero = self.emit, self.emit.constant(0)
        squeezed, between, offset = (storage_kind(level.kind) for level in FORMAT.levels)
        outer = self.level(0)
        with emit.loop(*squeezed.pos_bounds(outer, zero), "p") as p:
            diagonal = squeezed.pos_access(outer, p)
            middle = self.level(1, diagonal)
            with emit.loop(*between.coord_bounds(middle, p), "i") as i:
                position, _ = between.locate(middle, p, i)
                inner = self.level(2, diagonal, i)
                begin, _ = offset.pos_bounds(inner, position)
                self.write(i, offset.pos_access(inner, begin), begin)

    def write(self, *values: SSAValue) -> None:
        emit, zero, *lists = self.emit, self.emit.constant(0), *self.lists[:3]
        count = emit.load(self.lists[3], zero)
        for value, target in zip(values, lists, strict=True):
            emit.store(value, target, count)
        emit.store(emit.add(count, emit.constant(1)), self.lists[3], zero)


def test_a_walk_of_diagonals(tmp_path: Path):
    walk = Walk()
    library = compiled(walk.module, tmp_path)
    stored = FIGURE["dia"]
    # And a diagonal of zeros, of which two columns exist.
    level = [np.array([4], np.int32), np.array([*stored.levels[0]["perm"], 4], np.int32)]
    lists = [np.zeros(100, np.int64) for _ in range(4)]
    pointers = (ctypes.c_void_p(array.ctypes.data) for array in (*level, *lists))
    assert library["walk"](*map(ctypes.c_int64, SHAPE), *pointers) == 0
    count = int(lists[3][0])
    rows, columns, positions = (column[:count].tolist() for column in lists[:3])
    values = np.array([*stored.values, 0, 0, 0, 0])[positions].tolist()
    met = dict(zip(zip(rows, columns, strict=True), values, strict=True))
    assert len(met) == count == 2 + 4 + 4 + 2
    assert {place: value for place, value in met.items() if value} == ENTRIES


def test_bounds_are_computed_once_per_diagonal():
    code = print_cpp(Walk().module)
    loop = code.index("for (int64_t i")
    assert code.index("[p]") < loop
    assert "perm" not in code[loop:]
