"""
cfir, control flow IR: with which control flow.

First lattices with ordered cases (`structure.py`, left by build-lattices), then explicit loops of
scf that ask tensors through level functions (`storage.py`, left by lower-lattices).
"""

from xdsl.ir import Dialect

from tamale.dialects.cfir.parts import PART_FUNCTIONS
from tamale.dialects.cfir.ranks import BelowOp, RankOp
from tamale.dialects.cfir.storage import LEVEL_FUNCTIONS
from tamale.dialects.cfir.structure import (
    AppendOp,
    AssignOp,
    KernelOp,
    LatticeOp,
    LetOp,
    WhereOp,
)
from tamale.dialects.cfir.workspaces import WORKSPACE_FUNCTIONS

__all__ = [
    "CFIR",
    "LEVEL_FUNCTIONS",
    "AppendOp",
    "AssignOp",
    "KernelOp",
    "LatticeOp",
    "LetOp",
    "WhereOp",
]

CFIR = Dialect(
    "cfir",
    [
        KernelOp,
        LatticeOp,
        LetOp,
        AssignOp,
        AppendOp,
        WhereOp,
        *LEVEL_FUNCTIONS,
        BelowOp,
        RankOp,
        *PART_FUNCTIONS,
        *WORKSPACE_FUNCTIONS,
    ],
    [],
)
