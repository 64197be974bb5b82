"""
`build-lattices`: optimised cin -> cfir.

Replaces every loop by the iteration lattice of its domain: one ordered case per point, and inside
each case only what its operands leave of the body, inner loops included. Before / after:

    cin.forall i in A.i | B.i { cin.assign Z(i) = A(i) + B(i) }

    cfir.lattice i over A.i | B.i
    case A.i & B.i { cfir.append Z(i) = A(i) + B(i) }
    case A.i { cfir.append Z(i) = A(i) }
    case B.i { cfir.append Z(i) = B(i) }

Source: Kjolstad et al., OOPSLA 2017; the guide's DCSR addition. `passes/algebra/lattice.py` has
the algebra.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects import cfir, cin
from tamale.dialects.cin.scope import is_universe, level_of
from tamale.dialects.cin.sets import EMPTY, SetExpr, Stored, Universe, leaves, set_text
from tamale.dialects.cin.statements import statements
from tamale.dialects.debug import debug
from tamale.dialects.errors import TamaleError
from tamale.dialects.level_variables import level_variables
from tamale.dialects.locations import locate, succeed
from tamale.dialects.notation.ast import Access, Assignment, Expr, walk
from tamale.dialects.operators import Number, operator_named
from tamale.passes.algebra.absence import replace_access, settle, without
from tamale.passes.algebra.fills import fill, is_fill, number
from tamale.passes.algebra.lattice import (
    guard,
    open_complements,
    points,
    points_text,
    produces,
)
from tamale.passes.algebra.meaning import remaining_domain, starts_from_identity
from tamale.passes.algebra.simplification import substitute_all, union
from tamale.passes.algebra.stored_variables import StoredVariables
from tamale.passes.lowering.code_size import check_code_size
from tamale.passes.lowering.located import let_around, still_located


@dataclass(frozen=True)
class CaseBuilder:
    """Builds what is left of cin statements where some accesses have no entry."""

    kernel: cin.KernelOp

    @cached_property
    def _workspaces(self) -> frozenset[str]:
        wheres = (op for op in self.kernel.body.walk() if isinstance(op, cin.WhereOp))
        return frozenset(op.workspace.name for op in wheres)

    @cached_property
    def _stored(self) -> StoredVariables:
        return StoredVariables(self.kernel.all_accesses, self.kernel.formats)

    def block(
        self, block: Block, absent: frozenset[str], bound: tuple[str, ...]
    ) -> list[Operation]:
        built: list[Operation] = []
        for op in block.ops:
            built.extend(self._statement(op, absent, bound))
        return built

    def _statement(
        self, op: Operation, absent: frozenset[str], bound: tuple[str, ...]
    ) -> Sequence[Operation]:
        match op:
            case cin.ForallOp():
                return self._forall(op, absent, bound)
            case cin.LetOp():
                return self._let(op, absent, bound)
            case cin.WhereOp():
                return self._where(op, absent, bound)
            case cin.AssignOp():
                return self._assign(op.statement.data, absent)
            case _:
                raise AssertionError(op.name)

    def _forall(
        self, op: cin.ForallOp, absent: frozenset[str], bound: tuple[str, ...]
    ) -> Sequence[Operation]:
        variable, inside = op.index_var.data, (*bound, op.index_var.data)
        absent |= self._annihilated(op, absent)
        domain = self._present_domain(op, absent, bound)
        self._check_order(op, domain)
        every = frozenset(leaf.access for leaf in leaves(domain))
        cases: list[tuple[SetExpr, Region]] = []
        debug("lattices", lambda: f"{variable}: {points_text(domain, variable)}")
        for point in points(domain, variable):
            missing = absent | (every - {leaf.access for leaf in leaves(point)})
            body = self.block(op.body.block, missing, inside) if produces(point) else []
            cases.append((guard(point, variable), Region(Block(body))))
        if not any(region.block.ops for _, region in cases):
            return []
        located = still_located(op, [region for _, region in cases])
        sought = op.sought_leaves if domain == op.domain.data else ()
        return [cfir.LatticeOp(variable, domain, cases, located, sought)]

    def _let(
        self, op: cin.LetOp, absent: frozenset[str], bound: tuple[str, ...]
    ) -> Sequence[Operation]:
        inner = (*bound, op.index_var.data)
        return let_around(op, Block(self.block(op.body.block, absent, inner)))

    def _annihilated(self, op: cin.ForallOp, absent: frozenset[str]) -> frozenset[str]:
        """
        The operands that the loop need not walk where others are absent, as x in `A.i & x.i | D.i`
        where A is: whatever they are multiplied with is 0.
        """
        variable, every = op.index_var.data, leaves(op.domain.data)
        empty: dict[Stored, SetExpr] = {leaf: EMPTY for leaf in every if leaf.access in absent}
        left = leaves(substitute_all(op.domain.data, empty, variable)) if empty else every
        gone = (leaf for leaf in every if leaf not in left and leaf.variable == variable)
        return frozenset(leaf.access for leaf in gone)

    def _present_domain(
        self, op: cin.ForallOp, absent: frozenset[str], bound: tuple[str, ...]
    ) -> SetExpr:
        """The domain once absent operands are empty and full or resolved ones are all there."""
        variable, stored = op.index_var.data, self._stored
        inside, domain = {*bound, variable}, op.domain.data
        if absent:
            domain = remaining_domain(op, absent, bound, self._stored) or domain
        if starts_from_identity(op, self.kernel):
            domain = union([domain, Universe(variable)])
        empty: dict[Stored, SetExpr] = {
            leaf: EMPTY for leaf in leaves(domain) if leaf.access in absent
        }
        domain = open_complements(
            substitute_all(domain, empty, variable),
            variable,
            lambda leaf: set(stored.of(stored.accesses[leaf.access])) <= inside,
        )
        complete: dict[Stored, SetExpr] = {
            leaf: Universe(variable)
            for leaf in leaves(domain)
            if leaf.variable != variable or is_universe(leaf, stored.accesses, stored.formats)
        }
        return substitute_all(domain, complete, variable)

    def _check_order(self, op: cin.ForallOp, domain: SetExpr) -> None:
        """Merging, and appending to a level that promises it, need ascending coordinates."""
        formats, accesses = self.kernel.formats, self.kernel.all_accesses
        appends = self._appends_in_order(op.index_var.data)
        alone = domain == leaves(domain)[0] if leaves(domain) else True
        for leaf in leaves(domain):
            level = level_of(leaf, accesses, formats)
            if formats[leaf.access].properties(level).ordered or (alone and not appends):
                continue
            message = (
                f"build-lattices: {leaf.access} ({formats[leaf.access]}) is not ordered at level "
                f"{level + 1}, but the loop of '{op.index_var.data}' over {set_text(domain)} "
                "needs its "
                "coordinates in ascending order\n  help: sort it first"
            )
            raise locate(PassFailedException(message), op)

    def _appends_in_order(self, variable: str) -> bool:
        """Whether entries are appended to an ordered level of the result by a loop."""
        target = self.kernel.target.data
        format = self.kernel.formats[target.tensor]
        levels = level_variables(target, format)
        if variable not in levels[: format.tail]:
            return False
        return format.properties(levels.index(variable)).ordered

    def _where(
        self, op: cin.WhereOp, absent: frozenset[str], bound: tuple[str, ...]
    ) -> Sequence[Operation]:
        workspace = op.workspace.name
        producer = self.block(op.producer.block, absent, bound)
        consumer = self.block(op.consumer.block, absent, bound)
        if not producer:
            return self._of_nothing(op, absent, bound)
        if not any(_reads(inner, workspace) for inner in consumer):
            return consumer
        return [cfir.WhereOp(op.workspace, consumer, producer)]

    def _of_nothing(
        self, op: cin.WhereOp, absent: frozenset[str], bound: tuple[str, ...]
    ) -> Sequence[Operation]:
        """A consumer of a reduction that meets nothing: it is the operator's identity."""
        workspace = op.workspace.name
        start = reduction_start(op)
        if start == 0:
            return self.block(op.consumer.block, absent | {workspace}, bound)
        consumer = op.consumer.clone()
        for inner in statements(consumer.block):
            statement = inner.statement.data
            expression = replace_access(statement.expression, workspace, fill(start))
            inner.statement = cin.StatementAttr(replace(statement, expression=expression))
        return self.block(consumer.block, absent, bound)

    def _assign(self, statement: Assignment, absent: frozenset[str]) -> Sequence[Operation]:
        expression = settle(without(statement.expression, absent), self._workspaces)
        if _adds_nothing(statement.operator, expression):
            return []
        assignment = Assignment(statement.result, statement.operator, expression)
        target = self.kernel.target.data
        format = self.kernel.formats[target.tensor]
        if format.all_dense or statement.result != target:
            return [cfir.AssignOp(assignment)]
        if is_fill(expression) and number(expression) == 0:
            return []
        return [cfir.AssignOp(assignment) if format.has_tail else cfir.AppendOp(assignment)]


def reduction_start(op: cin.WhereOp) -> Number:
    """What the reduction into a workspace starts from."""
    operators = {
        inner.statement.data.operator
        for inner in statements(op.producer.block)
        if inner.statement.data.result.tensor == op.workspace.name
    }
    starts = {operator_named(name).reduction_identity for name in operators if name is not None}
    start = starts.pop() if len(starts) == 1 else 0
    return 0 if start is None else start


def _adds_nothing(operator: str | None, expression: Expr) -> bool:
    if operator is None or not is_fill(expression):
        return False  # A zero that the user wrote is an entry.
    return number(expression) == operator_named(operator).reduction_identity


def _reads(op: Operation, workspace: str) -> bool:
    return any(
        isinstance(node, Access) and node.tensor == workspace
        for inner in op.walk()
        if isinstance(inner, cfir.AssignOp | cfir.AppendOp)
        for node in walk(inner.statement.data.expression)
    )


class BuildKernelLattices(RewritePattern):
    """`cin.kernel` of foralls  ->  `cfir.kernel` of lattices."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: cin.KernelOp, rewriter: PatternRewriter, /) -> None:
        if op.optimised is None:
            message = (
                f"build-lattices: the kernel of {op.target.data.tensor} is not optimised; "
                "run iterate-locate first"
            )
            raise locate(PassFailedException(message), op)
        try:
            body = CaseBuilder(op).block(op.body.block, frozenset(), ())
            region = Region(Block(body))
            check_code_size(region.block)
        except TamaleError as error:
            raise locate(PassFailedException(str(error)), op) from error
        accesses = [attribute.data for attribute in op.accesses]
        target, zeroed = op.target.data, op.zeroed is not None
        kernel = cfir.KernelOp(target, accesses, op.tensors, op.result.type, region, zeroed=zeroed)
        kernel.partition = op.partition
        succeed([kernel], op)
        rewriter.replace(op, kernel)


class BuildLatticesPass(ModulePass):
    """One ordered case per iteration-lattice point."""

    name = "build-lattices"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        PatternRewriteWalker(BuildKernelLattices(), apply_recursively=False).rewrite_module(op)
