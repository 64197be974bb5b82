"""Which located levels are needed where bodies change: those of accesses still read or walked."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Region

from tamale.dialects import cfir, cin
from tamale.dialects.cin.sets import Stored, leaves
from tamale.dialects.notation.ast import Access, walk


def still_located(
    op: cin.ForallOp | cin.LetOp | cfir.LatticeOp | cfir.LetOp, bodies: Sequence[Region]
) -> list[Stored]:
    """The located levels of a loop or let whose accesses matter in what is left of its body."""
    read = {name for body in bodies for name in accesses_in(body)}
    return [leaf for leaf in op.located_leaves if leaf.access in read]


def let_around(op: cin.LetOp | cfir.LetOp, block: Block) -> list[cfir.LetOp]:
    """The let with another body, as far as something is left of that."""
    if not block.ops:
        return []
    body = Region(block)
    within, below = (None if e is None else e.data for e in (op.within, op.below))
    located = still_located(op, [body])
    variable, value = op.index_var.data, op.value.data
    return [cfir.LetOp(variable, value, body, within=within, below=below, located=located)]


def accesses_in(body: Region | Block) -> set[str]:
    """The accesses that statements read or loops walk."""
    names: set[str] = set()
    for op in body.walk():
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
