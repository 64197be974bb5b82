"""
Counting kernels: how many entries a kernel gives to each parent, by its own loops without values.

The entries of the result's last group of levels are counted below each position of the levels
above, which are those of the counts:

    forall i in U.i { forall j in A.j | B.j { Z(i,j) = A(i,j) + B(i,j) } }
    forall i in U.i { { n(i) = c } where { forall j in A.j | B.j { c += 1 } } }

Scalars are marks, 1 where something was put into them; lists of entries keep coordinates alone. A
loop whose only work is to count the entries of one operand is read off its positions:
`c += width(A(i,j))`. Source: the queries of Chou et al., PLDI 2020, sec. 5, of loops, not tensors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, i64
from xdsl.ir import Block, Operation, Region

from tamale.dialects import cfir
from tamale.dialects.cin.sets import SetExpr
from tamale.dialects.cin.where import Workspace
from tamale.dialects.format.attribute import FormatAttr
from tamale.dialects.format.expressions import Var, free_variables
from tamale.dialects.format.level import Level
from tamale.dialects.format.spec import Format
from tamale.dialects.level_variables import level_variables
from tamale.dialects.notation.ast import Access, Assignment, Literal
from tamale.passes.algebra.presence import presence
from tamale.passes.lowering.assembling import result_groups
from tamale.passes.lowering.located import accesses_in, let_around, still_located

ONE = Literal(1)


def counting_kernel(kernel: cfir.KernelOp, stem: str) -> cfir.KernelOp:
    """
    The kernel that counts the entries of the last group of `kernel`'s result, by parents.

    The counts are called after `stem` and the number of the level that they are about.
    """
    target = kernel.target.data
    format = kernel.formats[target.tensor]
    first = result_groups(format)[-1].first
    parents = parent_format(format, first)
    variables = level_variables(target, format)[:first]
    taken = kernel_names(kernel)
    counts = Access(fresh(f"{stem}{first + 1}_nir", taken), variables)
    counter = Access(fresh("count", taken))
    body = _Counting(kernel, counts, counter, sparse=not parents.all_dense).kernel_body()
    encoding = [] if parents.all_dense else [FormatAttr(parents)]
    type = TensorType(i64, [DYNAMIC_INDEX] * first, *encoding)
    accesses = [attribute.data for attribute in kernel.accesses]
    return cfir.KernelOp(counts, accesses, list(kernel.tensors), type, Region(Block(body)))


def kernel_names(kernel: cfir.KernelOp) -> frozenset[str]:
    """The accesses, workspaces and index variables of a kernel."""
    taken = set(kernel.all_accesses)
    for op in kernel.body.walk():
        if isinstance(op, cfir.WhereOp):
            taken.add(op.workspace.name)
        elif isinstance(op, cfir.LatticeOp | cfir.LetOp):
            taken.add(op.index_var.data)
    return frozenset(taken)


def fresh(stem: str, taken: frozenset[str]) -> str:
    """A name that nothing in the kernel has."""
    while stem in taken:
        stem += "_"
    return stem


def parent_format(format: Format, levels: int) -> Format:
    """The first levels of a format, each of which stores a mode, as a format of their own."""
    modes = [format.stored_modes[k] for k in range(levels)]
    names = tuple(format.modes[mode] for mode in modes if mode is not None)
    assert len(names) == levels
    own = tuple(
        Level(Var(name), level.kind, level.properties)
        for name, level in zip(names, format.levels, strict=False)
    )
    return Format(names, own, format.pos, format.crd)


@dataclass(frozen=True)
class _Counting:
    """Rewrites the statements of one kernel."""

    kernel: cfir.KernelOp
    counts: Access
    counter: Access
    sparse: bool
    """Whether counts are appended: parents without entries have none."""

    @cached_property
    def _scalars(self) -> frozenset[str]:
        wheres = (op for op in self.kernel.body.walk() if isinstance(op, cfir.WhereOp))
        return frozenset(op.workspace.name for op in wheres if op.workspace.is_scalar)

    def kernel_body(self) -> list[Operation]:
        return self._body(self.kernel.body.block, None)

    def _body(self, block: Block, variable: str | None) -> list[Operation]:
        """What the loop or let of `variable` runs; None: the kernel."""
        built = [new for op in block.ops for new in self._statement(op)]
        innermost = self.counts.indices[-1] if self.counts.indices else None
        if variable != innermost or not built:
            return built
        write = Assignment(self.counts, None, self.counter)
        consumer = cfir.AppendOp(write) if self.sparse else cfir.AssignOp(write)
        return [cfir.WhereOp(Workspace(self.counter), [consumer], built)]

    def _statement(self, op: Operation) -> Sequence[Operation]:
        match op:
            case cfir.LatticeOp():
                return self._lattice(op)
            case cfir.LetOp():
                return self._let(op)
            case cfir.WhereOp():
                return self._where(op)
            case cfir.AssignOp() | cfir.AppendOp():
                return self._assign(op.statement.data)
            case _:
                raise AssertionError(op.name)

    def _lattice(self, op: cfir.LatticeOp) -> Sequence[Operation]:
        variable = op.index_var.data
        bodies = [Region(Block(self._body(case.block, variable))) for case in op.cases]
        if not any(body.block.ops for body in bodies):
            return []
        guards: list[SetExpr] = [guard.data for guard in op.guards]
        cases = list(zip(guards, bodies, strict=True))
        located, sought = still_located(op, bodies), op.sought_leaves
        return [cfir.LatticeOp(variable, op.domain.data, cases, located, sought)]

    def _let(self, op: cfir.LetOp) -> Sequence[Operation]:
        variable, body = op.index_var.data, Block()
        body.add_ops(self._body(op.body.block, variable))
        if op.within is not None or variable in self._variables_in(body):
            return let_around(op, body)
        ops = list(body.ops)
        for inner in ops:
            inner.detach()
        return ops

    def _variables_in(self, body: Block) -> set[str]:
        """The index variables that decide what is walked, read, bound or written."""
        known = self.kernel.read_accesses
        read = accesses_in(body) & known.keys()
        variables = {v for name in read for v in known[name].indices}
        for op in body.walk():
            match op:
                case cfir.LetOp():
                    bound = op.bound or op.value.data
                    variables |= free_variables(op.value.data) | free_variables(bound)
                case cfir.AssignOp() | cfir.AppendOp():
                    variables |= {*op.statement.data.result.indices}
                case _:
                    pass
        return variables

    def _where(self, op: cfir.WhereOp) -> Sequence[Operation]:
        consumer = Region(Block(self._body(op.consumer.block, "")))
        if op.workspace.name not in accesses_in(consumer):
            ops = list(consumer.block.ops)
            for inner in ops:
                inner.detach()
            return ops
        producer = self._body(op.producer.block, "")
        return [cfir.WhereOp(replace(op.workspace, ordered=False), consumer, producer)]

    def _assign(self, statement: Assignment) -> Sequence[Operation]:
        condition = presence(statement.expression, self._scalars)
        if condition == Literal(0):
            return []
        result = statement.result
        if result == self.kernel.target.data:
            return [cfir.AssignOp(Assignment(self.counter, "add", condition or ONE))]
        if condition is None or result.tensor not in self._scalars:
            return [cfir.AssignOp(Assignment(result, None, condition or ONE))]
        return [cfir.AssignOp(Assignment(result, "or", condition))]
