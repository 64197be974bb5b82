"""
cin, concrete index notation: in which loops. A kernel is a nest of `forall`s over set expressions,
ending in assignments; `where` gives a consumer a workspace that a producer fills. Several
statements in a block run one after the other.

Optimised cin (the guide's oCIN) is cin whose intersections have been resolved into what is
iterated and what is located by `with` clauses; `cin.kernel ... optimised` promises it, and the
verifier checks.
"""

from xdsl.ir import Dialect

from tamale.dialects.cin.attributes import AccessAttr, SetAttr, StatementAttr
from tamale.dialects.cin.kernel import KernelOp
from tamale.dialects.cin.statements import AssignOp, ForallOp, WhereOp

__all__ = [
    "CIN",
    "AccessAttr",
    "AssignOp",
    "ForallOp",
    "KernelOp",
    "SetAttr",
    "StatementAttr",
    "WhereOp",
]

CIN = Dialect("cin", [KernelOp, ForallOp, AssignOp, WhereOp], [SetAttr, StatementAttr, AccessAttr])
