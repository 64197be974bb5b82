"""`cin.kernel`, and what its verifier asks of the statements inside."""

from __future__ import annotations

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import Block
from xdsl.irdl import irdl_op_definition, opt_prop_def
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.cin.kernel_like import KernelLike
from tamale.dialects.cin.scope import Scope, level_of, verify_leaf, verify_statement
from tamale.dialects.cin.sets import Complement, SetExpr, Stored, Universe, set_text, walk
from tamale.dialects.cin.statements import AssignOp, ForallOp, WhereOp


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
    located. Source: Kjolstad et al., CGO 2019, sec. 3.
    """

    name = "cin.kernel"
    optimised = opt_prop_def(UnitAttr)

    def verify_(self) -> None:
        self.verify_kernel()
        scope = Scope(self.all_accesses, frozenset(), self.formats)
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
                if op.index_var.data in scope.bound:
                    raise VerifyException(f"cin.forall: '{op.index_var.data}' is already a loop")
                verify_domain(op, op.domain.data, scope)
                verify_statements(op.body.block, scope.binding(op.index_var.data))
            case WhereOp():
                verify_statements(op.producer.block, scope.declaring(op.workspace.data))
                verify_statements(op.consumer.block, scope.declaring(op.workspace.data))
            case AssignOp():
                verify_statement(op, op.statement.data, scope)
            case _:
                raise VerifyException(f"cin.kernel: '{op.name}' is no statement of cin")


def verify_domain(op: ForallOp, domain: SetExpr, scope: Scope) -> None:
    """Leaves are levels of declared accesses and constrain the loop's own variable."""
    variable = op.index_var.data
    complemented = {leaf for e in walk(domain) if isinstance(e, Complement) for leaf in walk(e)}
    for leaf in walk(domain):
        if not isinstance(leaf, Stored | Universe):
            continue
        resolved = leaf in complemented and leaf.variable in scope.bound
        if leaf.variable != variable and not resolved:
            raise VerifyException(
                f"{op.name} over '{variable}': the domain also names '{set_text(leaf)}'. A "
                "domain may "
                "only constrain its own index variable; put the other constraint on the loop of "
                "that "
                "variable."
            )
        if isinstance(leaf, Stored):
            verify_leaf(op, leaf, scope)


def verify_optimised(op: ForallOp, kernel: KernelOp) -> None:
    """No full level is left to iterate where the universe or another set can drive."""
    located = {attribute.data for attribute in op.located}
    for leaf in walk(op.domain.data):
        if not isinstance(leaf, Stored) or leaf.variable != op.index_var.data:
            continue
        level = level_of(leaf, kernel.all_accesses, kernel.formats)
        format = kernel.formats[leaf.access]
        if format.properties(level).full and leaf not in located:
            raise VerifyException(
                f"cin.forall over '{op.index_var.data}': {set_text(leaf)} is full and has to be "
                "located in an optimised kernel; run iterate-locate"
            )
