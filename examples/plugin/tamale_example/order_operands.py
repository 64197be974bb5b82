"""
`order-operands`: the last form -> the last form.

Puts the operands of additions and multiplications into the order of their names, so that equal
expressions look equal. Before / after:

    %s = arith.addf %y, %a : f64
    %s = arith.addf %a, %y : f64

`order-operands{ops=addf,mulf}` says for which ops of `arith`; they have to be commutative, and the
pass does not know which are.
"""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import memref
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass


@dataclass(frozen=True)
class OrderOperandsPass(ModulePass):
    """Puts operands into the order of their names."""

    name = "order-operands"

    ops: tuple[str, ...] = ("addf", "addi", "mulf", "muli")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        names = {f"arith.{name}" for name in self.ops}
        for inner in op.walk():
            if inner.name in names:
                inner.operands = sorted(inner.operands, key=name_of)


def name_of(value: SSAValue) -> str:
    """What a value is called; an element that is loaded is called like its array."""
    if isinstance(value.owner, memref.LoadOp):
        value = value.owner.memref
    return value.name_hint or ""
