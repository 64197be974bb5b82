"""
`lower-lattices`: cfir -> cfir level functions in scf, arith, memref.

Makes the loops of every lattice explicit; tensors are still asked by level functions. Before /
after:

    cfir.lattice j over A.j with x.j = j
    case A.j { cfir.assign t += A(i,j) * x(j) }

    %begin, %end = cfir.pos_bounds %A 1 (%i)
    scf.for %pA2 = %begin to %end step %c1 {
      %j = cfir.pos_access %A 1 (%pA2)
      ...
    }

`passes/lowering/` has the parts: `merging.py` the loops, `iterators.py` what they walk, `lets.py`
bound variables and counters, `blocks.py` loops that need no tests, `assembling.py` the results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.ir import Block, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects import assembly, cfir
from tamale.dialects.cfir.storage import AssembleOp, FinishOp, LoadOp, LocateOp, StoreOp
from tamale.dialects.cfir.workspaces import ClearOp, FindOp, InsertOp, MarkOp, SortOp
from tamale.dialects.cin.partition import Partition
from tamale.dialects.cin.sets import SetExpr, Stored, leaves
from tamale.dialects.locations import locate
from tamale.dialects.notation.ast import Assignment
from tamale.dialects.operators import operator_named
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.assembling import Assembler, Group
from tamale.passes.lowering.blocks import blocks_in
from tamale.passes.lowering.expression import emit_expression, emit_presence
from tamale.passes.lowering.filling import Filler
from tamale.passes.lowering.in_place import insertions, lists_in_place
from tamale.passes.lowering.iterators import Iterator, bound_visits, make_iterator
from tamale.passes.lowering.joining import join
from tamale.passes.lowering.lets import Counters, is_nonnegative_let
from tamale.passes.lowering.merging import Choose, LatticeLoops
from tamale.passes.lowering.narrowing import narrowed
from tamale.passes.lowering.partials import Partials
from tamale.passes.lowering.partitioned import share_loops, share_spans
from tamale.passes.lowering.parts import PartAssembler, open_parts
from tamale.passes.lowering.result_sizes import enclosing_block, own_sizes
from tamale.passes.lowering.rooms import emit_rooms
from tamale.passes.lowering.scope import KernelContext, Place, Scope, Workspace
from tamale.passes.lowering.spans import Span
from tamale.passes.lowering.statements import (
    adds_up,
    appends_entries,
    initial_value,
    skips_parents,
    workspace_start,
)
from tamale.passes.lowering.universes import is_nonnegative_loop, universe_size
from tamale.passes.lowering.visits import MOST, visits_kernel
from tamale.passes.lowering.workspace_vectors import with_workspaces


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
            scope=scope,
            body=lambda guard, inner: self._case(op, guard, inner),
            around=lambda coordinate, choose: self._coordinate(variable, coordinate, scope, choose),
            duplicates_apart=adds_up(op, self.kernel),
        ).run()

    def _reserve(self, op: cfir.LatticeOp, iterators: Mapping[Stored, Iterator]) -> None:
        """Makes room for what a loop appends, if it is not known to be there."""
        variable, inserted = op.index_var.data, insertions(op, self.in_place)
        filled = self.assembler.groups_filled_by(variable) if appends_entries(op) else []
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
        self._mark_filled(statement, workspace, scope)
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

    def _mark_filled(self, statement: Assignment, workspace: Workspace, scope: Scope) -> None:
        if workspace.filled is None:
            return
        emit = self.kernel.emit
        present = emit_presence(scope, statement.expression)
        if present is not None:
            present = emit.or_(emit.load(workspace.filled), present)
        emit.store(present or emit.true(), workspace.filled)

    def _assign_result(self, statement: Assignment, value: SSAValue, scope: Scope) -> None:
        if self.partials is not None and scope.partial:
            self.partials.update(statement.operator, value, scope)
            return
        emit, result = self.kernel.emit, self.assembler.result
        position = self.assembler.dense_position(scope, len(self.assembler.variables))
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


def lower_kernel(op: cfir.KernelOp) -> None:
    """Replaces one kernel by loops."""
    emit = Emitter(InsertPoint.before(op), enclosing_block(op), op)
    element = op.result_type.element_type
    tensors = {name: tensor for name, (_, tensor) in op.operands_by_name.items()}
    name = op.target.data.tensor
    kernel = KernelContext(emit, op, tensors, op.read_accesses, op.formats, element)
    if op.partition is not None and kernel.appends and op.into is None:
        finish(op, emit, lower_in_parts(kernel, op, op.partition.data))
        return
    result, grown = open_result(kernel, op)
    result.name_hint = name
    kernel = replace(kernel, tensors={**tensors, name: result})
    assembler = Assembler(kernel, result) if op.into is None else Filler(kernel, result)
    if op.partition is not None:
        share_loops(kernel, op.partition.data, assembler, part_of(op, assembler))
        finish(op, emit, result)
        return
    in_place = lists_in_place(op, assembler)
    kernel = with_workspaces(kernel, op, in_place)
    assembler = replace(assembler, kernel=kernel)
    counters = Counters.of(kernel, op.body.block)
    lowering = KernelLowering(kernel, assembler, grown, counters, in_place)
    scope = assembler.open_fiber(Scope(kernel), None)
    lowering.block(op.body.block, scope)
    assembler.close_fiber(scope, None)
    counters.release()
    finish(op, emit, result)


def part_of(op: cfir.KernelOp, shared: Assembler) -> Callable[[Scope, Partials | None], None]:
    """What emits a worker's part of the loops of a kernel, into a result that has all places."""
    block = op.body.block

    def work(scope: Scope, partials: Partials | None) -> None:
        nowhere = frozenset[str]()
        own = with_workspaces(shared.kernel, op, nowhere)
        counters, assembler = Counters.of(own, block), replace(shared, kernel=own)
        lowering = KernelLowering(own, assembler, (), counters, nowhere, partials=partials)
        lowering.divided(block, replace(scope, kernel=own))

    return work


def finish(op: cfir.KernelOp, emit: Emitter, result: SSAValue) -> None:
    """Puts the result of a kernel, under assembly until now, in its place."""
    closing = FinishOp(result) if op.into is None else assembly.FinishOp(result)
    finished = emit.insert(closing).result
    finished.name_hint = op.target.data.tensor
    Rewriter.replace_op(op, [], [finished])


def lower_in_parts(kernel: KernelContext, op: cfir.KernelOp, partition: Partition) -> SSAValue:
    """The sparse result of loops that workers share: each assembles a part; these are joined."""
    name = op.target.data.tensor
    parts = open_parts(kernel, op.result_type, own_sizes(kernel, op), partition)
    kernel = parts.planned.kernel
    rooms, grown = emit_rooms(op, kernel, parts.planned, lambda v: count_visits(op, kernel, v))
    counted = skips_parents(op, parts.planned)
    in_place = lists_in_place(op, parts.planned)

    def work(span: Span) -> None:
        part, first = parts.open(span, rooms, counted=counted)
        own = replace(kernel, tensors={**kernel.tensors, name: part})
        own = with_workspaces(own, op, in_place)
        assembler = PartAssembler(own, part, first)
        counters = Counters.of(own, op.body.block)
        lowering = KernelLowering(own, assembler, grown, counters, in_place)
        scope = assembler.open_fiber(Scope(own, span=span), None)
        lowering.block(op.body.block, scope)
        assembler.close_fiber(scope, None)
        parts.close(assembler, span.worker)

    share_spans(kernel, partition, work)
    return join(parts)


def open_result(kernel: KernelContext, op: cfir.KernelOp) -> tuple[SSAValue, list[Group]]:
    """
    The result under assembly, in the state that its loops expect, and the groups that may grow.
    """
    emit = kernel.emit
    type = op.result_type
    if op.into is not None:
        return op.into, []
    if not kernel.appends:
        initial = initial_value(op)
        fill = None if initial is None else emit.constant(initial, kernel.element)
        return emit.insert(AssembleOp(type, fill, dims=own_sizes(kernel, op))).result, []
    planned = Assembler(kernel, op.result)
    rooms, grown = emit_rooms(op, kernel, planned, lambda v: count_visits(op, kernel, v))
    counted = skips_parents(op, planned)
    sizes = own_sizes(kernel, op)
    return emit.insert(AssembleOp(type, None, rooms, dims=sizes, counted=counted)).result, grown


def count_visits(op: cfir.KernelOp, kernel: KernelContext, variable: str) -> SSAValue | None:
    """A bound on what lists of `variable` give to the result, from loops in front of the kernel."""
    counting, emit = visits_kernel(op, kernel, variable), kernel.emit
    if counting is None:
        return None
    emit.insert(counting)
    visits = emit.insert(LoadOp(counting.result, emit.constant(0))).value
    lower_kernel(counting)
    room = emit.min(emit.as_index(visits), emit.constant(MOST))
    return emit.named(room, f"{op.target.data.tensor}_room")


class LowerLatticesPass(ModulePass):
    """Makes the loops of lattices explicit."""

    name = "lower-lattices"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in [inner for inner in op.walk() if isinstance(inner, cfir.KernelOp)]:
            try:
                lower_kernel(kernel)
            except PassFailedException as error:
                raise locate(error, kernel) from None
