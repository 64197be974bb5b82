"""
`insert-probes`: the last form -> the last form and `probe`.

Marks the body of every counted loop with the name of its variable. Before / after:

    scf.for %i = %0 to %n step %1 { ... }
    scf.for %i = %0 to %n step %1 { probe.visit "loop of i" ... }
"""

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from tamale_example.probe import VisitOp


class InsertProbesPass(ModulePass):
    """Marks the body of every counted loop."""

    name = "insert-probes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for loop in [inner for inner in op.walk() if isinstance(inner, scf.ForOp)]:
            block = loop.body.block
            variable = block.args[0].name_hint or "a variable without a name"
            probe = VisitOp(f"loop of {variable}")
            if block.first_op is None:
                block.add_op(probe)
            else:
                block.insert_op_before(probe, block.first_op)
