"""
`unroll-and-jam`: the last form -> the last form.

The sums of some elements of a row are made side by side, where each would walk the same entries
again. Before / after:

    scf.for %r = %c0 to %n step %c1 {
      memref.store %zero, %sum[]
      scf.for %p = %begin to %end step %c1 { sum = sum + x[%p] * B[%crd[%p] * %n + %r] }
      Z[%row + %r] = Y[%row + %r] - sum
    }

    scf.for %r_tile = %c0 to %whole step %c32 {
      scf.for %t = %c0 to %c32 step %c1 { sums[%t] = %zero }
      scf.for %p = %begin to %end step %c1 {
        %k = memref.load %crd[%p]
        scf.for %t = %c0 to %c32 step %c1 { sums[%t] = sums[%t] + x[%p] * B[%k * %n + ..] }
      }
      scf.for %t = %c0 to %c32 step %c1 { Z[%row + ..] = Y[%row + ..] - sums[%t] }
    }
    ...                            the same for half a tile, and for the elements that are left

The entries are walked once for all of these, and what is read for the elements follows one another
in memory. Each sum adds the same values in the same order as before.
`nests.py` says which loops are meant, `jamming.py` writes them anew.
Source: Carr and Kennedy, TOPLAS 1994 (unroll-and-jam); `docs/rationale/tiles.md`.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from tamale.dialects.walking import walk_ops
from tamale.passes.unroll_and_jam.jamming import Jamming
from tamale.passes.unroll_and_jam.nests import nest_of


@dataclass(frozen=True)
class UnrollAndJamPass(ModulePass):
    """Makes the sums of neighbouring elements side by side."""

    name = "unroll-and-jam"

    elements: int = 32
    """Of a tile; of the widest type, they take half of the registers of AVX2."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, func.FuncOp) and function.body.blocks:
                loops = [inner for inner in walk_ops(function) if isinstance(inner, scf.ForOp)]
                nests = [nest for loop in loops if (nest := nest_of(loop)) is not None]
                jamming = Jamming(function, self.elements)
                for nest in nests:
                    jamming.apply(nest)
