"""Walking ops without a generator a level: in deep loop nests, most of the time of a walk."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation, Region


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


def _ops_backwards(regions: tuple[Region, ...]) -> list[Operation]:
    ops = [op for region in regions for block in region.blocks for op in block.ops]
    ops.reverse()
    return ops
