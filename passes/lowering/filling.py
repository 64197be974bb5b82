"""
Filling a result that has exact room: every entry goes to a position that its parent tells.

Where the levels above are dense, a parent's entries begin where `first_pos` says, so that nothing
is carried from one parent to the next. Below, the entries of consecutive parents adjoin: one cursor
for each group of levels goes on from parent to parent. Source: Chou et al., PLDI 2020, sec. 6.2.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import SSAValue

from tamale.dialects import assembly
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.lowering.assembling import Assembler, Group
from tamale.passes.lowering.scope import Fiber, Scope


@dataclass(frozen=True)
class Filler(Assembler):
    """Fills in one kernel's result."""

    def groups_filled_by(self, variable: str) -> list[Group]:
        return []  # There is room for all of them.

    def open_fiber(self, scope: Scope, variable: str | None) -> Scope:
        """Finds out where the entries below the current coordinate go."""
        fiber = self.fiber_below(variable)
        if fiber is None:
            return scope
        outer, inner = fiber
        if outer is None or outer.dense:
            return self._enter(scope, inner)
        emit = self.kernel.emit
        parent = emit.load(_cursor(scope, outer))
        cursor = _cursor(scope, inner)
        name = f"{self.kernel.result.tensor}{inner.first + 1}_begin"
        return scope.opening(inner.first, Fiber(emit.load(cursor, hint=name), parent, cursor))

    def _enter(self, scope: Scope, inner: Group) -> Scope:
        """The first positions below a position of dense levels, in every group."""
        emit, name = self.kernel.emit, self.kernel.result.tensor
        parent = self.dense_position(scope, inner.first)
        for group in self.groups[self.groups.index(inner) :]:
            first = emit.insert(assembly.FirstPosOp(self.result, group.first, parent)).position
            first.name_hint = f"{name}{group.first + 1}_begin"
            cursor = emit.variable(INDEX, f"p{name}{group.last + 1}", first)
            scope = scope.opening(group.first, Fiber(first, parent, cursor))
            parent = first
        return scope

    def append(self, scope: Scope, value: SSAValue) -> None:
        """Puts an entry with the scope's coordinates at the next position of the last group."""
        emit, group = self.kernel.emit, self.groups[-1]
        cursor = _cursor(scope, group)
        position = emit.load(cursor, hint=f"p{self.kernel.result.tensor}{group.last + 1}")
        parent = scope.fibers[group.first].parent
        assert parent is not None
        for k in range(group.first, group.last + 1):
            coordinates = [scope.coordinates[v] for v in self.variables[: k + 1]]
            emit.insert(assembly.InsertCoordOp(self.result, k, parent, position, coordinates))
            parent = position
        emit.insert(assembly.StoreOp(value, self.result, position, adding=False))
        self._advance(cursor)

    def close_fiber(self, scope: Scope, variable: str | None) -> None:
        """Goes on to the next parent, if it is stored because this one got entries."""
        fiber = self.fiber_below(variable)
        if fiber is None:
            return
        outer, inner = fiber
        if outer is None or outer.dense:
            return
        emit = self.kernel.emit
        end = emit.load(_cursor(scope, inner))
        with emit.when(emit.compare("sgt", end, scope.fibers[inner.first].begin)):
            self._advance(_cursor(scope, outer))

    def _advance(self, cursor: SSAValue) -> None:
        emit = self.kernel.emit
        emit.store(emit.add(emit.load(cursor), emit.constant(1)), cursor)


def _cursor(scope: Scope, group: Group) -> SSAValue:
    """The next free position of a group, in memory."""
    cursor = scope.fibers[group.first].cursor
    assert cursor is not None
    return cursor
