"""The loops of a kernel that lie around everything it does, outside in."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Block

from tamale.dialects import cin


def chain(block: Block) -> tuple[cin.ForallOp, ...]:
    """
    The loops that follow one another without anything beside them.

    The producer of a scalar counts as what its consumer does, and a bound variable as its body.
    Where the consumer has loops of its own, the scalar is the same in all of them: each worker
    computes it.
    """
    return tuple(_chain(block))


def working_chain(block: Block) -> tuple[cin.ForallOp, ...]:
    """The loops of `chain`, and those inside of them that fill a list of entries."""
    return tuple(_chain(block, into_lists=True))


def _chain(block: Block, *, into_lists: bool = False) -> Iterator[cin.ForallOp]:
    op = block.first_op
    if op is None or op is not block.last_op:
        return
    match op:
        case cin.ForallOp():
            yield op
            yield from _chain(op.body.block, into_lists=into_lists)
        case cin.LetOp():
            yield from _chain(op.body.block, into_lists=into_lists)
        case cin.WhereOp() if op.workspace.is_scalar:
            inside = op.consumer if _has_loops(op.consumer.block) else op.producer
            yield from _chain(inside.block, into_lists=into_lists)
        case cin.WhereOp() if into_lists:
            yield from _chain(op.producer.block, into_lists=into_lists)
        case _:
            pass


def _has_loops(block: Block) -> bool:
    """Whether loops lie around the statement that a consumer ends in."""
    match block.first_op:
        case cin.ForallOp():
            return True
        case cin.LetOp() as let:
            return _has_loops(let.body.block)
        case cin.WhereOp() as where:
            return _has_loops(where.consumer.block)
        case _:
            return False
