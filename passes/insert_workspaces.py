"""
`insert-workspaces`: cin -> cin.

Gives a reduction a place to accumulate in: a scalar where it lies inside of the result's loops, a
list of entries where it scatters into the last level of a sparse result. Before / after:

    cin.forall i in A.i { cin.forall j in A.j & x.j { cin.assign y(i) += A(i,j) * x(j) } }

    cin.forall i in A.i {
      cin.where { cin.assign y(i) = t } producing t {
        cin.forall j in A.j & x.j { cin.assign t += A(i,j) * x(j) }
      }
    }

    cin.forall i in A.i { cin.forall k in A.k & B.k { cin.forall j in B.j {
      cin.assign Z(i,j) += A(i,k) * B(k,j) } } }

    cin.forall i in A.i {
      cin.where { cin.forall j in w.j { cin.assign Z(i,j) = w(j) } } producing w(j) : dense sorted {
        cin.forall k in A.k & B.k { cin.forall j in B.j { cin.assign w(j) += A(i,k) * B(k,j) } }
      }
    }

Legal because reductions are by associative, commutative operators (the verifier of tin sees to
it). The list goes as deep as possible: around the outermost loop of a reduction, inside of which
only the result's last level is left. It is sorted if that level promises order. `search=hash`, or
`hashed` on the kernel, finds entries again through a hash table instead of an array over the mode.
A result whose last levels are dense needs none inside of the loops of the others: it accumulates in
the values of the entry that is being made. A result that may hold duplicates needs no list: they
are appended, and mean their sum. Under `max`, absent entries count; a list does not see them, and
the result is refused. Scalars are left alone where a loop outside may meet a coordinate twice:
there every duplicate adds its share; and where all that is inside runs once. Source: Kjolstad et
al., CGO 2019.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

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
from xdsl.rewriter import InsertPoint
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects import cin
from tamale.dialects.cin.scope import level_of
from tamale.dialects.cin.sets import Intersection, Stored, Universe, leaves
from tamale.dialects.cin.statements import statements
from tamale.dialects.format.expressions import free_variables
from tamale.dialects.format.search import Search
from tamale.dialects.format.spec import Format
from tamale.dialects.level_variables import level_variables
from tamale.dialects.locations import locate
from tamale.dialects.notation.ast import Access, Assignment, to_text
from tamale.dialects.operators import operator_named
from tamale.passes.algebra.meaning import starts_from_identity
from tamale.passes.algebra.scattering import outside_reductions
from tamale.passes.algebra.simplification import union
from tamale.passes.levels import first_unappendable


class AccumulateInScalar(RewritePattern):
    """
    `forall j.. { R op= e }`  ->  `{ R = t } where { forall j.. { t op= e } }`, the loops all
    reductions.
    """

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: cin.AssignOp, rewriter: PatternRewriter, /) -> None:
        statement, kernel = op.statement.data, enclosing_kernel(op)
        target = kernel.target.data
        if statement.operator is None or statement.result != target:
            return
        inner, outer = split_loops(op, target)
        if not any(isinstance(loop, cin.ForallOp) for loop in inner):
            return
        if visits_duplicates(kernel, outer, statement.operator):
            return
        scatters = bool(reductions(outer, target))
        if scatters and all(runs_once(kernel, loop) for loop in inner):
            return
        adds_to_others = not is_first(kernel, inner[-1]) or kernel.zeroed is not None
        workspace = Access(fresh_name(kernel, "t"))
        consumer = cin.AssignOp(
            Assignment(
                target, statement.operator if scatters or adds_to_others else None, workspace
            )
        )
        op.statement = cin.StatementAttr(replace(statement, result=workspace))
        nest = inner[-1]
        producer = Region()
        where = cin.WhereOp(cin.Workspace(workspace), [consumer], producer)
        rewriter.insert(where, InsertPoint.before(nest))
        nest.detach()
        producer.add_block(Block([nest]))
        rewriter.notify_op_modified(op)


@dataclass(frozen=True)
class AccumulateInList(RewritePattern):
    """
    `forall k.. { .. Z(i,j) op= e }`  ->  `{ forall j in w.j { Z(i,j) = w(j) } } where { .. }`.

    The loop over k is the outermost one that the result does not need, j its last level that is no
    repetition of another.
    """

    search: Search

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: cin.AssignOp, rewriter: PatternRewriter, /) -> None:
        statement, kernel = op.statement.data, enclosing_kernel(op)
        target = kernel.target.data
        format = kernel.formats[target.tensor]
        if statement.operator is None or statement.result != target:
            return
        if format.all_dense or format.has_tail:
            return
        if operator_named(statement.operator).counts_absent:
            return
        levels, lets = walked_levels(op, level_variables(target, format))
        scattering = scattering_loop(op, levels)
        if scattering is None or format.may_repeat:
            return
        last = levels[-1]
        ordered = format.properties(len(levels) - 1).ordered
        search = self.search if kernel.hashed is None else "hash"
        workspace = cin.Workspace(Access(fresh_name(kernel, "w"), (last,)), search, ordered)
        op.statement = cin.StatementAttr(replace(statement, result=workspace.access))
        rewriter.notify_op_modified(op)
        body: Operation = cin.AssignOp(Assignment(target, None, workspace.access))
        for let in lets:
            body = cin.LetOp(let.index_var.data, let.value.data, [body], below=let.bound)
        consumer = cin.ForallOp(last, Stored(workspace.name, last), [body])
        producer = Region()
        where = cin.WhereOp(workspace, [consumer], producer)
        rewriter.insert(where, InsertPoint.before(scattering))
        scattering.detach()
        producer.add_block(Block([scattering]))


def walked_levels(op: cin.AssignOp, levels: Sequence[str]) -> tuple[Sequence[str], list[cin.LetOp]]:
    """The levels of a result up to the last that has a loop; inside out, the lets of the others."""
    bound = {loop.index_var.data: loop for loop in loops_around(op)}
    lets: list[cin.LetOp] = []
    while levels and isinstance(let := bound[levels[-1]], cin.LetOp):
        lets.append(let)
        levels = levels[:-1]
    return levels, lets


def scattering_loop(op: cin.AssignOp, levels: Sequence[str]) -> cin.ForallOp | None:
    """
    The outermost loop of a reduction around `op`, if a list of the last level's entries serves.

    Then the loops around it are those of the result's other levels, in the order of its storage.
    """
    around = list(reversed(loops_around(op)))
    outside = [loop.index_var.data for loop in around[: len(levels)]]
    if outside[:-1] != list(levels[:-1]) or len(around) <= len(levels):
        return None
    scattering = around[len(levels) - 1]
    variable = scattering.index_var.data
    return scattering if isinstance(scattering, cin.ForallOp) and variable not in levels else None


def enclosing_kernel(op: Operation) -> cin.KernelOp:
    parent = op.parent_op()
    while not isinstance(parent, cin.KernelOp):
        assert parent is not None
        parent = parent.parent_op()
    return parent


def is_first(kernel: cin.KernelOp, op: Operation) -> bool:
    """Whether `op` is in the first of the kernel's statements, which finds the result untouched."""
    while op.parent_op() is not kernel:
        parent = op.parent_op()
        assert parent is not None
        op = parent
    return op is kernel.body.block.first_op


Binding: TypeAlias = cin.ForallOp | cin.LetOp


def loops_around(op: cin.AssignOp) -> list[Binding]:
    """The loops and lets around a statement, inside out."""
    loops: list[Binding] = []
    parent = op.parent_op()
    while not isinstance(parent, cin.KernelOp):
        assert parent is not None
        if isinstance(parent, cin.ForallOp | cin.LetOp):
            loops.append(parent)
        parent = parent.parent_op()
    return loops


def split_loops(op: cin.AssignOp, target: Access) -> tuple[list[Binding], list[Binding]]:
    """
    The reduction loops right around `op`, inside out, and the loops around those.

    The lets among them count as loops; a loop that a let of the target's variable reads is none of
    a reduction.
    """
    loops = loops_around(op)
    inner: list[Binding] = []
    while loops and loops[0].index_var.data not in target.indices:
        inner.append(loops.pop(0))
    return inner, loops


def reductions(outer: Iterable[Binding], target: Access) -> list[cin.ForallOp]:
    """Those of the loops around a place, inside out, that no variable of the target needs."""
    needed = set(target.indices)
    found: list[cin.ForallOp] = []
    for loop in outer:
        if loop.index_var.data not in needed:
            found += [loop] if isinstance(loop, cin.ForallOp) else []
        elif isinstance(loop, cin.LetOp):
            needed |= free_variables(loop.value.data)
    return found


def runs_once(kernel: cin.KernelOp, loop: Binding) -> bool:
    """Whether the body runs once at most: a let, or at the one child of a branchless level."""
    if isinstance(loop, cin.LetOp):
        return True
    domain, formats, accesses = loop.domain.data, kernel.formats, kernel.all_accesses
    bounds = domain.sets if isinstance(domain, Intersection) else (domain,)
    return any(
        formats[leaf.access].properties(level_of(leaf, accesses, formats)).branchless
        for leaf in bounds
        if isinstance(leaf, Stored)
    )


def visits_duplicates(kernel: cin.KernelOp, outer: list[Binding], operator: str) -> bool:
    """
    Whether a loop may run twice for one coordinate, which adds up right in a result that starts at
    0.
    """
    formats, accesses = kernel.formats, kernel.all_accesses
    result = formats[kernel.target.data.tensor]
    if operator_named(operator).counts_absent or not result.all_dense:
        return False
    return any(
        not formats[leaf.access].properties(level_of(leaf, accesses, formats)).unique
        for loop in outer
        if isinstance(loop, cin.ForallOp)
        for leaf in leaves(loop.domain.data)
    )


def fresh_name(kernel: cin.KernelOp, stem: str) -> str:
    """A workspace's name that no access, workspace or loop of the kernel has."""
    taken = set(kernel.all_accesses)
    for other in kernel.body.walk():
        if isinstance(other, cin.WhereOp):
            taken.add(other.workspace.name)
        elif isinstance(other, cin.ForallOp | cin.LetOp):
            taken.add(other.index_var.data)
    name = stem
    while name in taken:
        name += "_"
    return name


def check_result(kernel: cin.KernelOp) -> None:
    """
    Refuses a sparse result that cannot be appended to in loop order.

    Raises:
        PassFailedException: with the statement and the loop that stands in the way.
    """
    target = kernel.target.data
    format = kernel.formats[target.tensor]
    if format.all_dense:
        return
    level = first_unappendable(format)
    if level is not None:
        message = (
            f"insert-workspaces: level {level + 1} ('{format.levels[level]}') of the result "
            f"{target.tensor} cannot be appended to below a sparse level, in the format {format}\n"
            "  help: compute into csr, csf or coo, and convert"
        )
        raise locate(PassFailedException(message), kernel)
    for op in statements(kernel.body.block):
        statement = op.statement.data
        if format.may_repeat and not format.has_tail and statement.operator == "add":
            continue
        if accumulates_in_tail(op, target, format):
            continue
        if statement.result == target and statement.operator is not None:
            message = scattered_text(op, kernel)
            raise locate(PassFailedException(message), op)


def accumulates_in_tail(op: cin.AssignOp, target: Access, format: Format) -> bool:
    """
    Whether a reduction finds its place in the block of values below an entry that is being made:
    no loop of a reduction lies outside of the loops of the levels that are appended to.
    """
    operator = op.statement.data.operator
    levels = level_variables(target, format)
    outer = outside_reductions(levels, format, operator)
    loops = loops_around(op)
    while loops and loops[0].index_var.data not in outer:
        loops.pop(0)
    return format.has_tail and len(outer) < len(levels) and not reductions(loops, target)


def scattered_text(op: cin.AssignOp, kernel: cin.KernelOp) -> str:
    """Why a statement is refused that would reach the sparse result out of order."""
    statement, target = op.statement.data, kernel.target.data
    _, outer = split_loops(op, target)
    loops = ", ".join(loop.index_var.data for loop in reversed(outer))
    lines = [
        f"insert-workspaces: the sparse result of  {to_text(statement)}  would be scattered into "
        f"by the loops {loops}; {target.tensor} ({kernel.formats[target.tensor]}) can only append "
        "in order"
    ]
    if statement.operator is not None and operator_named(statement.operator).counts_absent:
        lines.append(
            f"  a list of entries does not serve: absent ones count under '{statement.operator}'"
        )
    lines.append(
        "  help: store the result dense, or the operands so that the reduction is innermost"
    )
    return "\n".join(lines)


class VisitEverything(RewritePattern):
    """`forall i in S { R max= e }`  ->  `forall i in S | U.i { R max= e }`: R starts at -inf."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: cin.ForallOp, rewriter: PatternRewriter, /) -> None:
        if not starts_from_identity(op, enclosing_kernel(op)):
            return
        variable = op.index_var.data
        domain = union([op.domain.data, Universe(variable)])
        if domain == op.domain.data or op.domain.data == Universe(variable):
            return
        op.domain = cin.SetAttr(domain)
        rewriter.notify_op_modified(op)


@dataclass(frozen=True)
class InsertWorkspacesPass(ModulePass):
    """Accumulates reductions in scalars, or in lists of the entries of a sparse result."""

    name = "insert-workspaces"

    search: Search = "dense"
    """How the entries of a list are found again: dense or hash."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        PatternRewriteWalker(AccumulateInScalar(), apply_recursively=False).rewrite_module(op)
        lists = AccumulateInList(self.search)
        PatternRewriteWalker(lists, apply_recursively=False).rewrite_module(op)
        PatternRewriteWalker(VisitEverything(), apply_recursively=False).rewrite_module(op)
        for kernel in op.walk():
            if isinstance(kernel, cin.KernelOp):
                kernel.properties.pop("hashed", None)
                check_result(kernel)
