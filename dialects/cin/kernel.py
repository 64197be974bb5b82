"""`cin.kernel`, and what its verifier asks of the statements inside."""

from __future__ import annotations

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Block
from xdsl.irdl import irdl_op_definition, opt_prop_def

from tamale.dialects.cin.kernel_like import KernelLike
from tamale.dialects.cin.let import LetOp, verify_let
from tamale.dialects.cin.partition_check import verify_partition
from tamale.dialects.cin.scope import Scope, is_universe, verify_domain, verify_statement, wrong
from tamale.dialects.cin.sets import Stored, complemented_leaves, set_text, walk
from tamale.dialects.cin.statements import AssignOp, ForallOp
from tamale.dialects.cin.where import WhereOp


@irdl_op_definition
class KernelOp(KernelLike):
    """
    A loop nest that computes one tensor from others.

        %y = cin.kernel y(i) of (A(i,j) = %A, x(j) = %x) : tensor<?xf64> {
          cin.forall i in A.i & U.i {
            cin.forall j in A.j & x.j {
              cin.assign y(i) += A(i,j) * x(j)
            }
          }
        }

    With `optimised`, every intersection has been resolved into what is iterated and what is
    located. With `hashed`, the list that its reduction may need is to find entries again by a hash
    table. Source: Kjolstad et al., CGO 2019, sec. 3.
    """

    name = "cin.kernel"
    optimised = opt_prop_def(UnitAttr)
    hashed = opt_prop_def(UnitAttr)

    def verify_(self) -> None:
        self.verify_kernel()
        verify_partition(self)
        scope = Scope(self.declared_accesses, self.formats, self.target.data)
        verify_statements(self.body.block, scope)
        if self.optimised is not None:
            for op in self.body.walk():
                if isinstance(op, ForallOp):
                    verify_optimised(op, self)


def verify_statements(block: Block, scope: Scope) -> None:
    """Every access is declared, every index variable bound by an enclosing loop."""
    for op in block.ops:
        match op:
            case ForallOp():
                variable = op.index_var.data
                inside = scope.binding(op, variable)
                verify_domain(op, variable, op.domain.data, op.located_leaves, scope)
                verify_statements(op.body.block, inside)
            case LetOp():
                verify_statements(op.body.block, verify_let(op, scope))
            case WhereOp():
                inside = scope.declaring(op, op.workspace.access)
                verify_statements(op.producer.block, inside)
                verify_statements(op.consumer.block, inside)
            case AssignOp():
                verify_statement(op, op.statement.data, scope)
            case _:
                raise wrong(op, "is no statement of cin")


def verify_optimised(op: ForallOp, kernel: KernelOp) -> None:
    """No full level is left to iterate where the universe or another set can drive."""
    located = {attribute.data for attribute in op.located}
    domain = op.domain.data
    complemented = complemented_leaves(domain)
    for leaf in walk(domain):
        if not isinstance(leaf, Stored) or leaf.variable != op.index_var.data:
            continue
        if leaf in complemented:
            continue
        if is_universe(leaf, kernel.all_accesses, kernel.formats) and leaf not in located:
            raise wrong(
                op,
                f"{set_text(leaf)} is full and has to be located in an optimised kernel; "
                "run iterate-locate",
            )
