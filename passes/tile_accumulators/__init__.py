"""
`tile-accumulators`: the last form -> the last form.

Some elements of a row are added to in registers, while the loops around run, and not in memory:
no step waits for what the one before has just stored. Before / after:

    scf.for %p = %begin to %end step %c1 {
      %k = memref.load %crd[%p]
      scf.for %r = %c0 to %n step %c1 { Z[%row + %r] = Z[%row + %r] + x[%p] * B[%k * %n + %r] }
    }

    scf.for %r_tile = %c0 to %whole step %c32 {
      scf.for %t = %c0 to %c32 step %c1 { tile[%t] = Z[%row + %r_tile + %t] }
      scf.for %p = %begin to %end step %c1 {
        %k = memref.load %crd[%p]
        scf.for %t = %c0 to %c32 step %c1 { tile[%t] = tile[%t] + x[%p] * B[%k * %n + ..] }
      }
      scf.for %t = %c0 to %c32 step %c1 { Z[%row + %r_tile + %t] = tile[%t] }
    }
    ...                                    the same for half a tile
    scf.if %in_tiles < %n {                and the elements that are left, as before
      scf.for %p = %begin to %end step %c1 { .. scf.for %r = %in_tiles to %n step %c1 { ... } }
    }

Each element is computed as before, from the same values in the same order. What asks for rows ahead
of time asks for a tile's part of each. Rows of more than `longest` elements stay in memory: a tile
of each row, which are far apart then, would come from another page.
`nests.py` says which loops are meant, `tiling.py` writes them anew.
Source: Callahan, Carr and Kennedy, PLDI 1990 (scalar replacement); `docs/rationale/tiles.md`.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects import func, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from tamale.dialects.walking import walk_ops
from tamale.passes.tile_accumulators.nests import nest_of
from tamale.passes.tile_accumulators.tiling import Tiling


@dataclass(frozen=True)
class TileAccumulatorsPass(ModulePass):
    """Keeps tiles of rows that loops accumulate in in registers."""

    name = "tile-accumulators"

    elements: int = 32
    """Of a tile; of the widest type, they take half of the registers of AVX2."""
    longest: int = 256
    """Of how many elements rows are tiled, at most."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, func.FuncOp) and function.body.blocks:
                loops = [inner for inner in walk_ops(function) if isinstance(inner, scf.ForOp)]
                nests = [nest for loop in loops if (nest := nest_of(loop)) is not None]
                tiling = Tiling(function, self.elements, self.longest)
                for nest in nests:
                    tiling.apply(nest)
