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

`passes/lowering/merging.py` has the loops, `passes/emit/assembling.py` the results.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, i1
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects import cfir
from tamale.dialects.cfir.storage import AssembleOp, FinishOp, LoadOp, LocateOp, StoreOp
from tamale.dialects.cin.sets import SetExpr, Stored, leaves
from tamale.dialects.locations import locate
from tamale.dialects.notation.ast import Access, Assignment
from tamale.dialects.operators import operator_named
from tamale.passes.algebra.lattice import driven_by_universe
from tamale.passes.algebra.linearity import is_linear
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.assembling import Assembler, Group
from tamale.passes.lowering.expression import emit_expression, emit_presence
from tamale.passes.lowering.iterators import bound_visits, make_iterator, universe_size
from tamale.passes.lowering.merging import Choose, LatticeLoops
from tamale.passes.lowering.rooms import emit_rooms
from tamale.passes.lowering.scope import KernelContext, Place, Scope, Workspace


@dataclass(frozen=True)
class KernelLowering:
    """Lowers the statements of one kernel."""

    kernel: KernelContext
    assembler: Assembler
    grown: Sequence[Group]
    """The groups of levels whose room is found out loop by loop."""

    def block(self, block: Block, scope: Scope) -> None:
        for op in block.ops:
            match op:
                case cfir.LatticeOp():
                    self._lattice(op, scope)
                case cfir.WhereOp():
                    self._where(op, scope)
                case cfir.AssignOp():
                    self._assign(op.statement.data, scope)
                case cfir.AppendOp():
                    self._append(op.statement.data, scope)
                case _:
                    raise AssertionError(op.name)

    def _lattice(self, op: cfir.LatticeOp, scope: Scope) -> None:
        variable, domain = op.index_var.data, op.domain.data
        iterators = {leaf: make_iterator(self.kernel, scope, leaf) for leaf in leaves(domain)}
        group = self.assembler.group_filled_by(variable) if self.kernel.appends else None
        if group in self.grown and group is not None:
            size = lambda: universe_size(self.kernel, variable)  # noqa: E731
            count = bound_visits(self.kernel.emit, domain, iterators, size)
            self.assembler.reserve(group, count)
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

    def _coordinate(
        self, variable: str, coordinate: SSAValue, scope: Scope, choose: Choose
    ) -> None:
        inner = scope.at(variable, coordinate)
        begin = self.assembler.open_fiber(variable)
        choose(inner)
        self.assembler.close_fiber(inner, variable, begin)

    def _case(self, op: cfir.LatticeOp, guard: SetExpr, scope: Scope) -> None:
        present = {leaf.access for leaf in leaves(guard)}
        absent = {leaf.access for leaf in leaves(op.domain.data)} - present
        region = next(r for g, r in zip(op.guards, op.cases, strict=True) if g.data == guard)
        for leaf in op.located_leaves:
            if leaf.access not in absent:
                scope = self._locate(leaf, scope)
        self.block(region.block, scope)

    def _locate(self, leaf: Stored, scope: Scope) -> Scope:
        level = self.kernel.level(leaf)
        parent = scope.parent(leaf.access, level)
        tensor = self.kernel.tensors[leaf.access]
        coordinate = scope.coordinates[leaf.variable]
        located = self.kernel.emit.insert(LocateOp(tensor, level, parent.begin, coordinate))
        located.position.name_hint = f"p{leaf.access}{level + 1}"
        return scope.reaching(leaf.access, level, Place(located.position))

    def _where(self, op: cfir.WhereOp, scope: Scope) -> None:
        emit, name = self.kernel.emit, op.workspace.data
        start = emit.constant(workspace_start(op), self.kernel.element)
        filled = None
        if self.kernel.appends:
            filled = emit.variable(i1, f"{name}_filled", emit.constant(0, i1))
        value = emit.variable(self.kernel.element, name, start)
        inner = scope.using(name, Workspace(value, filled))
        self.block(op.producer.block, inner)
        self.block(op.consumer.block, inner)

    def _assign(self, statement: Assignment, scope: Scope) -> None:
        emit, value = self.kernel.emit, emit_expression(scope, statement.expression)
        workspace = scope.workspaces.get(statement.result.tensor)
        if workspace is None:
            self._assign_result(statement, value, scope)
            return
        self._mark_filled(statement, workspace, scope)
        if statement.operator is not None:
            old = emit.load(workspace.value)
            value = operator_named(statement.operator).emit(emit, old, value)
        emit.store(value, workspace.value)

    def _mark_filled(self, statement: Assignment, workspace: Workspace, scope: Scope) -> None:
        if workspace.filled is None:
            return
        emit = self.kernel.emit
        present = emit_presence(scope, statement.expression)
        if present is not None:
            present = emit.or_(emit.load(workspace.filled), present)
        emit.store(present or emit.true(), workspace.filled)

    def _assign_result(self, statement: Assignment, value: SSAValue, scope: Scope) -> None:
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


def workspace_start(op: cfir.WhereOp) -> int | float | complex:
    """The identity of the operator that the producer reduces by."""
    for inner in assignments(op.producer):
        if inner.result.tensor == op.workspace.data and inner.operator is not None:
            identity = operator_named(inner.operator).reduction_identity
            return 0 if identity is None else identity
    return 0


def assignments(op: Operation | Region) -> Iterator[Assignment]:
    for inner in op.walk():
        if isinstance(inner, cfir.AssignOp | cfir.AppendOp):
            yield inner.statement.data


def adds_up(op: cfir.LatticeOp, kernel: KernelContext) -> bool:
    """Whether visiting a coordinate once per duplicate gives the same as once for all."""
    for inner in op.walk():
        if isinstance(inner, cfir.WhereOp | cfir.AppendOp):
            return False
    # An operand that is nonunique to the end repeats whole entries, whose values have to add up.
    repeated = [
        leaf.access
        for leaf in leaves(op.domain.data)
        if not kernel.formats[leaf.access].properties(-1).unique
    ]
    return all(
        assignment.operator is not None
        and all(
            assignment.operator == "add" and is_linear(assignment.expression, access)
            for access in repeated
        )
        for assignment in assignments(op)
    )


def initial_value(kernel: cfir.KernelOp) -> int | float | complex | None:
    """What a dense result has to start from; None if every place is written anyway."""
    target = kernel.target.data
    first = kernel.body.block.first_op
    if first is None or not overwrites_all(first, target, frozenset()):
        own = [a.operator for a in assignments(kernel.body) if a.result == target]
        identity = operator_named(own[0]).reduction_identity if own and own[0] else 0
        return 0 if identity is None else identity
    return None


def overwrites_all(op: Operation, target: Access, looped: frozenset[str]) -> bool:
    """Whether `op` plainly assigns every coordinate of a dense target."""
    match op:
        case cfir.LatticeOp():
            variable = op.index_var.data
            everywhere = any(not leaves(guard.data) for guard in op.guards)
            if not everywhere or variable not in target.indices:
                return False
            inside = looped | {variable}
            return all(block_overwrites_all(case.block, target, inside) for case in op.cases)
        case cfir.WhereOp():
            inner = op.consumer.block.last_op
            return inner is not None and overwrites_all(inner, target, looped)
        case cfir.AssignOp():
            statement = op.statement.data
            plain = statement.result == target and statement.operator is None
            return plain and set(target.indices) <= looped
        case _:
            return False


def block_overwrites_all(block: Block, target: Access, looped: frozenset[str]) -> bool:
    first = block.first_op
    alone = first is not None and first is block.last_op
    return first is not None and alone and overwrites_all(first, target, looped)


def skips_parents(kernel: cfir.KernelOp, assembler: Assembler) -> bool:
    """Whether some coordinate of a dense level above an appended one may never be visited."""
    outer = {assembler.variables[group.first] for group in assembler.groups if group.dense}
    seen: set[str] = set()
    for op in kernel.body.walk():
        if isinstance(op, cfir.LatticeOp) and op.index_var.data in outer:
            seen.add(op.index_var.data)
            if not driven_by_universe(op.domain.data):
                return True
    return seen != outer


def lower_kernel(op: cfir.KernelOp) -> None:
    """Replaces one kernel by loops."""
    head = enclosing_block(op)
    emit = Emitter(InsertPoint.before(op), head)
    element = op.result_type.element_type
    tensors = {name: tensor for name, (_, tensor) in op.operands_by_name.items()}
    operands = {attribute.data.tensor: attribute.data for attribute in op.accesses}
    name = op.target.data.tensor
    kernel = KernelContext(emit, op, tensors, operands, op.formats, element)
    result, grown = open_result(kernel, op)
    result.name_hint = name
    kernel = KernelContext(emit, op, {**tensors, name: result}, operands, op.formats, element)
    assembler = Assembler(kernel, result)
    lowering, scope = KernelLowering(kernel, assembler, grown), Scope(kernel)
    begin = assembler.open_fiber(None)
    lowering.block(op.body.block, scope)
    assembler.close_fiber(scope, None, begin)
    finished = emit.insert(FinishOp(result)).result
    finished.name_hint = name
    Rewriter.replace_op(op, [], [finished])


def open_result(kernel: KernelContext, op: cfir.KernelOp) -> tuple[SSAValue, list[Group]]:
    """
    The result under assembly, in the state that its loops expect, and the groups that may grow.
    """
    emit = kernel.emit
    type = op.result_type
    if not kernel.appends:
        initial = initial_value(op)
        fill = None if initial is None else emit.constant(initial, kernel.element)
        return emit.insert(AssembleOp(type, fill)).result, []
    planned = Assembler(kernel, op.result)
    rooms, grown = emit_rooms(op, kernel, planned)
    counted = skips_parents(op, planned)
    return emit.insert(AssembleOp(type, None, rooms, counted=counted)).result, grown


def enclosing_block(op: Operation) -> Block:
    """The entry block of the function around `op`, where constants go."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, func.FuncOp):
        parent = parent.parent_op()
    block = parent.body.block if parent is not None else op.parent_block()
    assert block is not None
    return block


class LowerLatticesPass(ModulePass):
    """Makes the loops of lattices explicit."""

    name = "lower-lattices"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for kernel in [inner for inner in op.walk() if isinstance(inner, cfir.KernelOp)]:
            try:
                lower_kernel(kernel)
            except PassFailedException as error:
                raise locate(error, kernel) from None
