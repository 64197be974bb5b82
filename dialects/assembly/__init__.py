"""
The assembly dialect: how a tensor is made in a format, level by level.

`plan-conversion` writes it: the level functions of the PLDI 2020 paper in the order in which they
run, and loops over the nonzeros of the source and over the parents of edges.

    %B0 = assembly.open of %A using (1.nir = %nir : tensor<?xi64>) : ... -> tensor<?x?xf64, #csr>
    assembly.init_edges %B0 1 sequenced
    assembly.for_parents %B0 1 (%p, %i) { assembly.insert_edges %B0 1 (%p, %i) sequenced }
    assembly.init_coords %B0 1
    assembly.init_pos %B0 1
    assembly.init_values %B0
    assembly.for_nonzeros %A for %B0 (%i, %j, %v) {
      %p1 = assembly.get_pos %B0 0 (%root, %i)
      %p2 = assembly.yield_pos %B0 1 (%p1)
      assembly.insert_coord %B0 1 (%p1, %p2, %i, %j)
      assembly.store %v into %B0 (%p2)
    }
    assembly.finalize_pos %B0 1
    %B = assembly.finish %B0

Source: Chou et al., PLDI 2020, sec. 6.
"""

from xdsl.ir import Dialect

from tamale.dialects.assembly.counted import (
    COUNTED,
    EndEdgesOp,
    EnlargeOp,
    FirstPosOp,
    ScanOp,
)
from tamale.dialects.assembly.entries import AppendOp, FirstOp, ForNonzerosOp, ForParentsOp
from tamale.dialects.assembly.level_functions import (
    LEVEL_FUNCTIONS,
    CountEdgeOp,
    FinalizeEdgesOp,
    FinalizePosOp,
    FinishOp,
    GetPosOp,
    InitCoordsOp,
    InitEdgesOp,
    InitPosOp,
    InitValuesOp,
    InsertCoordOp,
    InsertEdgesOp,
    StoreOp,
    YieldPosOp,
)
from tamale.dialects.assembly.opening import OpenOp
from tamale.dialects.assembly.sorting import SortOp, SortSegmentsOp
from tamale.dialects.assembly.workspaces import RankOp, StampOp

__all__ = [
    "ASSEMBLY",
    "LEVEL_FUNCTIONS",
    "AppendOp",
    "CountEdgeOp",
    "EndEdgesOp",
    "EnlargeOp",
    "FinalizeEdgesOp",
    "FinalizePosOp",
    "FinishOp",
    "FirstOp",
    "FirstPosOp",
    "ForNonzerosOp",
    "ForParentsOp",
    "GetPosOp",
    "InitCoordsOp",
    "InitEdgesOp",
    "InitPosOp",
    "InitValuesOp",
    "InsertCoordOp",
    "InsertEdgesOp",
    "OpenOp",
    "RankOp",
    "ScanOp",
    "SortOp",
    "SortSegmentsOp",
    "StampOp",
    "StoreOp",
    "YieldPosOp",
]

ASSEMBLY = Dialect(
    "assembly",
    [
        ForNonzerosOp,
        ForParentsOp,
        FirstOp,
        AppendOp,
        StampOp,
        RankOp,
        SortOp,
        SortSegmentsOp,
        *LEVEL_FUNCTIONS,
        *COUNTED,
    ],
    [],
)
