"""
Walking ops, and telling what is inside of them.

Walks have no generator a level: in deep loop nests that was most of the time of a walk.
"""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation, Region, SSAValue


def walk_ops(root: Operation | Region) -> Iterator[Operation]:
    """
    The ops of `root`, itself included, in program order, an op before those inside it.

    The ops of a block are looked up when the walk gets to the op around it; ops that are inserted
    or erased later are not noticed.
    """
    stack: list[Operation] = [root] if isinstance(root, Operation) else _ops_backwards((root,))
    while stack:
        op = stack.pop()
        yield op
        if op.regions:
            stack += _ops_backwards(op.regions)


def is_inside(value: SSAValue, outer: Operation) -> bool:
    """Whether a value is not there before an op."""
    owner = value.owner
    op = owner if isinstance(owner, Operation) else owner.parent_op()
    return op is not None and outer.is_ancestor(op)


def _ops_backwards(regions: tuple[Region, ...]) -> list[Operation]:
    ops = [op for region in regions for block in region.blocks for op in block.ops]
    ops.reverse()
    return ops
