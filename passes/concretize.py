"""
`concretize`: tin -> cin.

Picks the order of the loops and gives each the set of coordinates that the expression needs,
derived from the operators' properties. Before / after:

    tin.kernel %i { %s = tin.sum %j { A(i,j) * x(j) } }

    cin.kernel y(i) of (A(i,j) = %A, x(j) = %x) {
      cin.forall i in A.i & U.i {
        cin.forall j in A.j & x.j { cin.assign y(i) += A(i,j) * x(j) }
      }
    }

Loops are over level variables; index variables that no level stores are bound by `cin.let`, as far
out as the levels tell them. `let .. within` skips the padding outside of the dimension. Where an
access repeats a variable, its modes get variables of their own, see `passes/algebra/ties.py`:

    y(i) = A(i,i)    A in csr

    cin.forall i in A.i {
      cin.forall i_ in A.i_ { cin.let i_off = i_ - i within 1 { cin.assign y(i) = A(i,i_) } }
    }
"""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, StringAttr, UnitAttr
from xdsl.ir import Block, Operation, Region
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects import cin, tin
from tamale.dialects.debug import debug
from tamale.dialects.errors import ScheduleError, TamaleError
from tamale.dialects.format.attribute import format_of
from tamale.dialects.format.expressions import Const
from tamale.dialects.format.folding import dimension
from tamale.dialects.format.spec import Format
from tamale.dialects.locations import locate, succeed
from tamale.dialects.notation.ast import Access, Assignment
from tamale.passes.algebra.nest_building import Let, Loop, Nest, Where
from tamale.passes.algebra.nests import Planner
from tamale.passes.algebra.order_reasons import explain_order
from tamale.passes.algebra.padding import padded_accesses, padding_refusal
from tamale.passes.algebra.reading import TinReader
from tamale.passes.algebra.terms import accesses_in
from tamale.passes.levels import mixes_padding, overshoots


class ConcretizeKernel(RewritePattern):
    """`tin.kernel`  ->  `cin.kernel` with loops in a legal order."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: tin.KernelOp, rewriter: PatternRewriter, /) -> None:
        reader = TinReader(op)
        statement = reader.read()
        formats = {statement.result.tensor: format_of(op.result)}
        formats |= {name: format_of(tensor) for name, tensor in reader.tensors.items()}
        try:
            check_padding(statement, formats)
            planner = Planner(statement, formats, op.loops)
            nests = planner.plan()
        except TamaleError as error:
            message = reader.in_written_names(str(error))
            raise locate(PassFailedException(message), op) from error
        debug("loop-order", lambda: reasons_text(planner))
        accesses = accesses_in(planner.untied.expression)
        kernel = cin.KernelOp(
            planner.untied.result,
            accesses,
            [reader.tensors[access.tensor] for access in accesses],
            op.result.type,
            Region(Block([nest_op(nest, formats) for nest in nests])),
        )
        if op.search == StringAttr("hash"):
            kernel.hashed = UnitAttr()
        kernel.result.name_hint = statement.result.tensor
        succeed([kernel], op)
        rewriter.replace(op, kernel)


def check_padding(statement: Assignment, formats: Mapping[str, Format]) -> None:
    """
    Raises:
        ScheduleError: whether an operand has an entry matters, and its padding looks like entries.
    """
    padded = {name for name, format in formats.items() if mixes_padding(format)}
    asked = padded_accesses(statement, padded)
    if asked:
        raise ScheduleError(padding_refusal(statement, formats, asked))


def reasons_text(planner: Planner) -> str:
    """A line a loop: by which rule it comes next, and before which others it could have come."""
    lines: list[str] = []
    for part in planner.parts():
        for choice in explain_order(part.ordering, planner.is_sparse):
            over = f" before {', '.join(choice.over)}" if choice.over else ""
            lines.append(f"{choice.variable}{over}: {choice.rule.value}")
    return "\n".join(lines)


def nest_op(nest: Nest, formats: Mapping[str, Format]) -> Operation:
    """A planned nest as cin."""
    match nest:
        case Loop(variable, domain, body):
            return cin.ForallOp(variable, domain, [nest_op(body, formats)])
        case Let(variable, value, access, body, guards):
            size, inner = dimension(variable), [nest_op(body, formats)]
            if guards:
                return cin.LetOp(variable, value, inner, within=Const(1))
            if overshoots(formats[access]):
                return cin.LetOp(variable, value, inner, within=size)
            return cin.LetOp(variable, value, inner, below=size)
        case Where(workspace, consumer, producer):
            scalar = cin.Workspace(Access(workspace))
            return cin.WhereOp(scalar, [nest_op(consumer, formats)], [nest_op(producer, formats)])
        case Assignment():
            return cin.AssignOp(nest)


class ConcretizePass(ModulePass):
    """Picks the order of the loops and gives each its domain."""

    name = "concretize"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        PatternRewriteWalker(ConcretizeKernel(), apply_recursively=False).rewrite_module(op)
