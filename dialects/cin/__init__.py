"""
cin, concrete index notation: in which loops. A kernel is a nest of `forall`s over set expressions,
ending in assignments; `where` gives a consumer a workspace that a producer fills; `let` binds an
index variable to an expression of others. Several statements in a block run one after the other.

Loops are over *level variables* (`dialects/level_variables.py`): index variables where the level
of an access stores a mode, names such as `j_sub_i` where it stores an expression.

Optimised cin (the guide's oCIN) is cin whose intersections have been resolved into what is
iterated and what is located by `with` clauses; `cin.kernel ... optimised` promises it, and the
verifier checks.
"""

from xdsl.ir import Dialect

from tamale.dialects.cin.attributes import AccessAttr, ExpressionAttr, SetAttr, StatementAttr
from tamale.dialects.cin.kernel import KernelOp
from tamale.dialects.cin.let import LetOp
from tamale.dialects.cin.partition import PartitionAttr
from tamale.dialects.cin.statements import AssignOp, ForallOp
from tamale.dialects.cin.where import WhereOp, Workspace

__all__ = [
    "CIN",
    "AccessAttr",
    "AssignOp",
    "ExpressionAttr",
    "ForallOp",
    "KernelOp",
    "LetOp",
    "PartitionAttr",
    "SetAttr",
    "StatementAttr",
    "WhereOp",
    "Workspace",
]

CIN = Dialect(
    "cin",
    [KernelOp, ForallOp, LetOp, AssignOp, WhereOp],
    [SetAttr, StatementAttr, ExpressionAttr, AccessAttr, PartitionAttr],
)
