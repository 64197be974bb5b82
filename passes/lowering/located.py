"""Which located levels are needed: those of accesses that are still read or walked."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Region

from tamale.dialects import cfir, cin
from tamale.dialects.cin.sets import Stored, leaves
from tamale.dialects.notation.ast import Access, walk


def still_located(
    op: cin.ForallOp | cin.LetOp | cfir.LatticeOp | cfir.LetOp, bodies: Sequence[Region]
) -> list[Stored]:
    """The located levels of a loop or let whose accesses matter in what is left of its body."""
    read = {name for body in bodies for name in accesses_in(body)}
    return [leaf for leaf in op.located_leaves if leaf.access in read]


def accesses_in(region: Region) -> set[str]:
    """The accesses that statements read or loops walk."""
    names: set[str] = set()
    for op in region.walk():
        match op:
            case cfir.LatticeOp():
                walked = (*leaves(op.domain.data), *op.located_leaves)
                names |= {leaf.access for leaf in walked}
            case cfir.LetOp():
                names |= {leaf.access for leaf in op.located_leaves}
            case cfir.AssignOp() | cfir.AppendOp():
                nodes = walk(op.statement.data.expression)
                names |= {node.tensor for node in nodes if isinstance(node, Access)}
            case _:
                pass
    return names
