"""
Writing results: into places that exist, or by appending in storage order.

A result's levels form groups: a level with edges and the branchless levels after it share
positions. Entries are appended to the last group where the statement runs; when the loop of an
outer group's last level has seen a coordinate, its fiber is closed: the coordinate is stored if
anything came below it. A tail of dense levels is a block of values that an entry begins with: all
0, then written in any order; the entry is appended if it was. Source: Chou et al., OOPSLA 2018,
sec. 4 (append).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import i1
from xdsl.ir import Operation, SSAValue

from tamale.dialects import cfir
from tamale.dialects.cfir.storage import (
    AdvanceOp,
    AppendCoordOp,
    AppendEdgesOp,
    LocateOp,
    PositionOp,
    ReserveOp,
    StoreOp,
)
from tamale.dialects.format.spec import Format
from tamale.dialects.level_variables import level_variables
from tamale.passes.lowering.scope import Fiber, KernelContext, Scope
from tamale.passes.lowering.tails import each_value, writes_whole_entries


@dataclass(frozen=True)
class Group:
    """Levels [first, last] of a result that share positions; `dense` ones exist in full."""

    first: int
    last: int
    dense: bool


def result_groups(format: Format) -> tuple[Group, ...]:
    """The groups of a result's levels above its tail, outermost first."""
    groups: list[Group] = []
    for k in range(format.tail):
        properties = format.properties(k)
        if groups and properties.branchless and not groups[-1].dense:
            groups[-1] = Group(groups[-1].first, k, dense=False)
        else:
            groups.append(Group(k, k, dense=properties.full))
    return tuple(groups)


@dataclass(frozen=True)
class Assembler:
    """Assembles one kernel's result."""

    kernel: KernelContext
    result: SSAValue
    """The result under assembly."""

    @property
    def variables(self) -> tuple[str, ...]:
        return level_variables(self.kernel.result, self.kernel.result_format)

    @property
    def groups(self) -> tuple[Group, ...]:
        return result_groups(self.kernel.result_format)

    @property
    def has_tail(self) -> bool:
        return self.kernel.result_format.has_tail

    @property
    def tail(self) -> int:
        """The first level of the tail."""
        return self.kernel.result_format.tail

    def dense_position(self, scope: Scope, levels: int) -> SSAValue:
        """The position below the first `levels` levels, all dense."""
        emit = self.kernel.emit
        position = emit.constant(0)
        for k in range(levels):
            position = self._located(k, position, scope.coordinates[self.variables[k]])
        if levels:
            position.name_hint = f"p{self.kernel.result.tensor}{levels}"
        return position

    def value_position(self, scope: Scope) -> SSAValue:
        """The place of a value that exists: in a dense result, or in the tail of the next entry."""
        if not self.has_tail:
            return self.dense_position(scope, len(self.variables))
        position = self.position(self.groups[-1])
        for k in range(self.tail, len(self.variables)):
            position = self._located(k, position, scope.coordinates[self.variables[k]])
        position.name_hint = f"p{self.kernel.result.tensor}{len(self.variables)}"
        return position

    def _located(self, k: int, parent: SSAValue, coordinate: SSAValue) -> SSAValue:
        return self.kernel.emit.insert(LocateOp(self.result, k, parent, coordinate)).position

    def parent_position(self, scope: Scope, levels: int) -> SSAValue:
        """Where the edges below a position of the first `levels` levels, all dense, are kept."""
        return self.dense_position(scope, levels)

    def groups_filled_by(self, variable: str) -> list[Group]:
        """The appended groups whose entries the loop of `variable` makes."""
        return [g for g in self.groups if not g.dense and self.filling_loop(g) == variable]

    def filling_loop(self, group: Group) -> str:
        """The variable of the innermost loop that an entry of an appended group is made in."""
        variable = self.variables[group.last]
        for op in self.kernel.kernel.body.walk():
            if isinstance(op, cfir.LetOp) and op.index_var.data == variable:
                return _loop_around(op)
        return variable

    def reserve(self, group: Group, count: SSAValue) -> None:
        """Makes room for `count` more entries."""
        self.kernel.emit.insert(ReserveOp(self.result, group.first, count))

    def append(self, scope: Scope, value: SSAValue) -> None:
        """Adds an entry with the scope's coordinates to the last group."""
        emit, group = self.kernel.emit, self.groups[-1]
        position = self.position(group)
        self._append_coordinates(scope, group, position)
        emit.insert(StoreOp(value, self.result, position))
        emit.insert(AdvanceOp(self.result, group.first))

    def position(self, group: Group, hint: str = "") -> SSAValue:
        position = self.kernel.emit.insert(PositionOp(self.result, group.first)).position
        position.name_hint = hint or f"p{self.kernel.result.tensor}{group.last + 1}"
        return position

    def _append_coordinates(self, scope: Scope, group: Group, position: SSAValue) -> None:
        for level in range(group.first, group.last + 1):
            coordinate = scope.coordinates[self.variables[level]]
            self.kernel.emit.insert(AppendCoordOp(self.result, level, position, coordinate))

    def fiber_below(self, variable: str | None) -> tuple[Group | None, Group] | None:
        """
        The group that ends with `variable` (None: the root) and the appended one right below it.
        """
        if not self.kernel.appends:
            return None
        groups: Sequence[Group | None] = (None, *self.groups)
        for outer, inner in zip(groups, self.groups, strict=False):
            ends = outer is None if variable is None else _ends_with(outer, variable, self)
            if ends and not inner.dense:
                return outer, inner
        return None

    def open_fiber(self, scope: Scope, variable: str | None) -> Scope:
        """Remembers where the entries below the current coordinate begin."""
        if self._begins_entry(variable):
            return self._open_block(scope)
        fiber = self.fiber_below(variable)
        if fiber is None:
            return scope
        name, inner = self.kernel.result.tensor, fiber[1]
        return scope.opening(
            inner.first, Fiber(self.position(inner, f"{name}{inner.first + 1}_begin"))
        )

    def close_fiber(self, scope: Scope, variable: str | None) -> None:
        """
        Writes the edges of the entries appended since it was opened, and their parent's
        coordinate."""
        if self._begins_entry(variable):
            self._close_block(scope)
            return
        fiber = self.fiber_below(variable)
        if fiber is None:
            return
        outer, inner = fiber
        emit, begin = self.kernel.emit, scope.fibers[inner.first].begin
        end = self.position(inner)
        if outer is None or outer.dense:
            parent = self.parent_position(scope, inner.first)
            emit.insert(AppendEdgesOp(self.result, inner.first, parent, begin, end))
            return
        with emit.when(emit.compare("sgt", end, begin)):
            parent = self.position(outer)
            self._append_coordinates(scope, outer, parent)
            emit.insert(AppendEdgesOp(self.result, inner.first, parent, begin, end))
            emit.insert(AdvanceOp(self.result, outer.first))


    # Blocks of values below entries

    def _begins_entry(self, variable: str | None) -> bool:
        """Whether a coordinate of `variable` is that of an entry with a block of values."""
        return self.has_tail and variable == self.variables[self.tail - 1]

    def _open_block(self, scope: Scope) -> Scope:
        """Sets the values of the entry that may come next to 0, if not all are to be written."""
        emit, name = self.kernel.emit, self.kernel.result.tensor
        if not self._writes_whole_entries:
            zero, entry = emit.constant(0, self.kernel.element), self.position(self.groups[-1])
            with each_value(emit, self.kernel.result_format, (self.result, entry)) as (position,):
                emit.insert(StoreOp(zero, self.result, position))
        return replace(scope, written=emit.variable(i1, f"{name}_written", emit.constant(0, i1)))

    @property
    def _writes_whole_entries(self) -> bool:
        kernel = self.kernel.kernel
        assert isinstance(kernel, cfir.KernelOp)
        return writes_whole_entries(kernel, self.kernel.result_format)

    def _close_block(self, scope: Scope) -> None:
        """Appends the entry, if any of its values was written."""
        emit, group = self.kernel.emit, self.groups[-1]
        assert scope.written is not None
        with emit.when(emit.load(scope.written)):
            self._append_coordinates(scope, group, self.position(group))
            emit.insert(AdvanceOp(self.result, group.first))


def _loop_around(op: Operation) -> str:
    parent = op.parent_op()
    while not isinstance(parent, cfir.LatticeOp):
        assert parent is not None
        parent = parent.parent_op()
    return parent.index_var.data


def _ends_with(group: Group | None, variable: str, assembler: Assembler) -> bool:
    return group is not None and assembler.variables[group.last] == variable
