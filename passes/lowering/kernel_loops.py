"""
The statements of one kernel as loops, conditions and level functions.

A lattice becomes loops that merge, one choice for each case; a workspace is opened, filled by its
producer, and read by its consumer; an assignment stores, combines or appends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace

from xdsl.dialects.builtin import i1
from xdsl.ir import Block, SSAValue

from tamale.dialects import cfir
from tamale.dialects.cfir.storage import LoadOp, LocateOp, StoreOp
from tamale.dialects.cfir.workspaces import ClearOp, FindOp, InsertOp, MarkOp, SortOp
from tamale.dialects.cin.sets import SetExpr, Stored, leaves
from tamale.dialects.notation.ast import Assignment
from tamale.dialects.operators import operator_named
from tamale.passes.lowering.assembling import Assembler, Group
from tamale.passes.lowering.blocks import blocks_in
from tamale.passes.lowering.expression import emit_expression, emit_presence
from tamale.passes.lowering.in_place import insertions
from tamale.passes.lowering.iterators import Iterator, bound_visits, make_iterator
from tamale.passes.lowering.lets import Counters, is_nonnegative_let
from tamale.passes.lowering.merging import Choose, LatticeLoops
from tamale.passes.lowering.narrowing import narrowed
from tamale.passes.lowering.partials import Partials
from tamale.passes.lowering.scope import KernelContext, Place, Scope, Workspace
from tamale.passes.lowering.statements import (
    adds_up,
    appends_entries,
    workspace_start,
)
from tamale.passes.lowering.universes import is_nonnegative_loop, universe_size


@dataclass(frozen=True)
class KernelLowering:
    """Lowers the statements of one kernel."""

    kernel: KernelContext
    assembler: Assembler
    grown: Sequence[Group]
    """The groups of levels whose room is found out loop by loop."""
    counters: Counters
    in_place: frozenset[str]
    """The lists that are the end of the result."""
    inside: frozenset[cfir.LetOp] | None = None
    """In a block: the lets whose values need no test."""
    partials: Partials | None = None
    """Where workers put what they compute of places that others began."""

    def block(self, block: Block, scope: Scope) -> None:
        for op in block.ops:
            self.counters.start_before(op)
            match op:
                case cfir.LatticeOp():
                    self._blocks(op, scope)
                case cfir.LetOp():
                    self._let(op, scope)
                case cfir.WhereOp():
                    self._where(op, scope)
                case cfir.AssignOp():
                    self._assign(op.statement.data, scope)
                case cfir.AppendOp():
                    self._append(op.statement.data, scope)
                case _:
                    raise AssertionError(op.name)

    def divided(self, block: Block, scope: Scope) -> None:
        """A block; for partial results apart, where another worker may have begun its places."""
        partials, emit = self.partials, self.kernel.emit
        begun = None if partials is None else partials.begun(scope)
        if partials is None or begun is None:
            self.block(block, scope)
            return
        then, otherwise = emit.choice(begun)
        with emit.filling(then):
            self.block(block, partials.chosen(scope, partial=True))
        with emit.filling(otherwise):
            self.block(block, partials.chosen(scope, partial=False))

    def _blocks(self, op: cfir.LatticeOp, scope: Scope) -> None:
        """The loops of a lattice, without tests where a whole block is known to be inside."""
        blocks = blocks_in(self.kernel, op, scope) if self.inside is None else None
        if blocks is None:
            self._lattice(op, scope)
            return
        emit = self.kernel.emit
        then, otherwise = emit.choice(blocks.are_inside(self.kernel, scope))
        with emit.filling(then):
            replace(self, inside=blocks.lets)._lattice(op, scope)
        with emit.filling(otherwise):
            replace(self, inside=frozenset[cfir.LetOp]())._lattice(op, scope)

    def _lattice(self, op: cfir.LatticeOp, scope: Scope) -> None:
        variable, domain = op.index_var.data, op.domain.data
        iterators = {leaf: make_iterator(self.kernel, scope, leaf) for leaf in leaves(domain)}
        if scope.span is not None and scope.span.cuts(variable):
            walks = iterators.items()
            iterators = {leaf: narrowed(self.kernel.emit, i, scope.span) for leaf, i in walks}
        self._reserve(op, iterators)
        LatticeLoops(
            kernel=self.kernel,
            variable=variable,
            domain=domain,
            cases=[guard.data for guard in op.guards],
            live=[bool(region.block.ops) for region in op.cases],
            iterators=iterators,
            sought=op.sought_leaves,
            scope=scope,
            body=lambda guard, inner: self._case(op, guard, inner),
            around=lambda coordinate, choose: self._coordinate(variable, coordinate, scope, choose),
            duplicates_apart=adds_up(op, self.kernel),
        ).run()

    def _reserve(self, op: cfir.LatticeOp, iterators: Mapping[Stored, Iterator]) -> None:
        """Makes room for what a loop appends, if it is not known to be there."""
        variable, inserted = op.index_var.data, insertions(op, self.in_place)
        makes = appends_entries(op, self.kernel.result)
        filled = self.assembler.groups_filled_by(variable) if makes else []
        appended = self.assembler.groups[-1:] if inserted else ()
        for group in (*filled, *appended):
            if group in self.grown:
                size = lambda: universe_size(self.kernel, variable)  # noqa: E731
                count = bound_visits(self.kernel.emit, op.domain.data, iterators, size)
                if inserted > 1:
                    count = self.kernel.emit.mul(count, self.kernel.emit.constant(inserted))
                self.assembler.reserve(group, count)

    def _coordinate(
        self, variable: str, coordinate: SSAValue, scope: Scope, choose: Choose
    ) -> None:
        nonnegative = is_nonnegative_loop(self.kernel, variable)
        inner = scope.at(variable, coordinate, nonnegative=nonnegative)
        if scope.span is not None and scope.span.cuts(variable):
            inner = replace(inner, span=scope.span.enter(self.kernel.emit, coordinate))
        inner = self.assembler.open_fiber(inner, variable)
        choose(inner)
        self.assembler.close_fiber(inner, variable)

    def _case(self, op: cfir.LatticeOp, guard: SetExpr, scope: Scope) -> None:
        present = {leaf.access for leaf in leaves(guard)}
        absent = {leaf.access for leaf in leaves(op.domain.data)} - present
        region = next(r for g, r in zip(op.guards, op.cases, strict=True) if g.data == guard)
        for leaf in op.located_leaves:
            if leaf.access not in absent:
                scope = self._locate(leaf, scope)
        self.divided(region.block, scope)

    def _let(self, op: cfir.LetOp, scope: Scope) -> None:
        variable, value = op.index_var.data, self.counters.value(op, scope)
        surely = self.inside is not None and op in self.inside
        inside = None if surely else self.counters.inside(op, value, scope)
        if inside is None:
            nonnegative = op.bound is not None or is_nonnegative_let(op, scope)
            self._bound(op, scope.at(variable, value, nonnegative=nonnegative))
            return
        with self.kernel.emit.when(inside):
            self._bound(op, scope.at(variable, value, nonnegative=True))

    def _bound(self, op: cfir.LetOp, scope: Scope) -> None:
        """The body of a let."""
        for leaf in op.located_leaves:
            scope = self._locate(leaf, scope)
        scope = self.assembler.open_fiber(scope, op.index_var.data)
        self.block(op.body.block, scope)
        self.assembler.close_fiber(scope, op.index_var.data)

    def _locate(self, leaf: Stored, scope: Scope) -> Scope:
        level = self.kernel.level(leaf)
        parent = scope.parent(leaf.access, level)
        tensor = self.kernel.tensors[leaf.access]
        coordinate = scope.coordinates[leaf.variable]
        ancestors = scope.ancestors(leaf.access, level)
        located = LocateOp(tensor, level, parent.begin, coordinate, ancestors)
        self.kernel.emit.insert(located)
        located.position.name_hint = f"p{leaf.access}{level + 1}"
        return scope.reaching(leaf.access, level, Place(located.position))

    def _where(self, op: cfir.WhereOp, scope: Scope) -> None:
        emit, name = self.kernel.emit, op.workspace.name
        if not op.workspace.is_scalar:
            self._where_vector(op, scope)
            return
        start = emit.constant(workspace_start(op), self.kernel.element)
        filled = None
        if self.kernel.appends or self.kernel.vectors:
            filled = emit.variable(i1, f"{name}_filled", emit.constant(0, i1))
        value = emit.variable(self.kernel.element, name, start)
        inner = scope.using(name, Workspace(value, filled))
        self.block(op.producer.block, inner)
        self.block(op.consumer.block, inner)

    def _where_vector(self, op: cfir.WhereOp, scope: Scope) -> None:
        emit, tensor = self.kernel.emit, self.kernel.tensors[op.workspace.name]
        emit.insert(ClearOp(tensor))
        self.block(op.producer.block, scope)
        if op.workspace.ordered:
            emit.insert(SortOp(tensor))
        if op.workspace.name not in self.in_place:
            self.block(op.consumer.block, scope)

    def _assign(self, statement: Assignment, scope: Scope) -> None:
        emit, value = self.kernel.emit, emit_expression(scope, statement.expression)
        if statement.result.tensor in self.kernel.vectors:
            self._insert(statement, value, scope)
            return
        workspace = scope.workspaces.get(statement.result.tensor)
        if workspace is None:
            self._assign_result(statement, value, scope)
            return
        self._mark(workspace.filled, statement, scope)
        if statement.operator is not None:
            old = emit.load(workspace.value)
            value = operator_named(statement.operator).emit(emit, old, value)
        emit.store(value, workspace.value)

    def _insert(self, statement: Assignment, value: SSAValue, scope: Scope) -> None:
        """Combines a value with the entry of a workspace, or makes one, if there is a value."""
        emit, present = self.kernel.emit, emit_presence(scope, statement.expression)
        with nullcontext() if present is None else emit.when(present):
            name = statement.result.tensor
            tensor = self.kernel.tensors[name]
            entries = self.assembler.result if name in self.in_place else tensor
            (variable,) = statement.result.indices
            coordinate = scope.coordinates[variable]
            entry = emit.insert(FindOp(tensor, coordinate))
            position = emit.named(entry.position, f"p{name}")
            again, new = emit.choice(entry.found)
            with emit.filling(again):
                combined = value
                if statement.operator is not None:
                    old = emit.insert(LoadOp(entries, position)).value
                    combined = operator_named(statement.operator).emit(emit, old, value)
                emit.insert(StoreOp(combined, entries, position))
            with emit.filling(new):
                if name in self.in_place:
                    emit.insert(MarkOp(tensor, entry.place))
                    self.assembler.append(scope, value)
                else:
                    emit.insert(InsertOp(value, tensor, coordinate, entry.place))

    def _mark(self, filled: SSAValue | None, statement: Assignment, scope: Scope) -> None:
        """Remembers in `filled` that there was a value, if there is one."""
        if filled is None:
            return
        emit = self.kernel.emit
        present = emit_presence(scope, statement.expression)
        if present is not None:
            present = emit.or_(emit.load(filled), present)
        emit.store(present or emit.true(), filled)

    def _assign_result(self, statement: Assignment, value: SSAValue, scope: Scope) -> None:
        if self.partials is not None and scope.partial:
            self.partials.update(statement.operator, value, scope)
            return
        emit, result = self.kernel.emit, self.assembler.result
        self._mark(scope.written, statement, scope)
        position = self.assembler.value_position(scope)
        if statement.operator is not None:
            old = emit.insert(LoadOp(result, position)).value
            value = operator_named(statement.operator).emit(emit, old, value)
        emit.insert(StoreOp(value, result, position))

    def _append(self, statement: Assignment, scope: Scope) -> None:
        value = emit_expression(scope, statement.expression)
        present = emit_presence(scope, statement.expression)
        if present is None:
            self.assembler.append(scope, value)
            return
        with self.kernel.emit.when(present):
            self.assembler.append(scope, value)
