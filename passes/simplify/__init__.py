"""
`simplify`: the last form -> the last form.

Folds constants and identities, shares equal pure values, drops what no one needs, and does once
what loops do again and again.
Before / after:

    %5 = arith.muli %c0, %A_dim1 : index
    %pA1 = arith.addi %5, %i : index
    %n = memref.load %A2_pos[%pA1] : memref<?xi32>

    %n = memref.load %A2_pos[%i] : memref<?xi32>

The rules are xDSL's own folders and canonicalisation patterns; each step walks the IR once.
"""

from __future__ import annotations

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from tamale.passes.simplify.dropping import drop
from tamale.passes.simplify.folding import fold
from tamale.passes.simplify.sharing import share
from tamale.passes.simplify.sinking import sink


class SimplifyPass(ModulePass):
    """Folds, shares, drops and sinks."""

    name = "simplify"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        fold(op.body, ctx)
        share(op.body)
        drop(op.body)
        sink(op.body)
