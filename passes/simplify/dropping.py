"""
What no one needs goes: ops without effects, or that only read, whose results nobody uses.

Walks backwards, so that the users of a value are gone before the value is looked at.
"""

from __future__ import annotations

from xdsl.ir import Block, Operation, Region
from xdsl.transforms.dead_code_elimination import region_dce

from tamale.dialects.effects import Effect, facts_of


def drop(region: Region) -> Effect:
    """Drops what is dead in `region`; the effect of what remains."""
    if len(region.blocks) > 1:
        # Users may come first in the text; xDSL iterates.
        region_dce(region)
        return Effect.UNKNOWN
    return max(map(_drop_from, region.blocks), default=Effect.NONE)


def _drop_from(block: Block) -> Effect:
    total = Effect.NONE
    for op in reversed(block.ops):
        effect = _effect(op)
        if effect <= Effect.READS and _is_unused(op):
            block.erase_op(op)
        else:
            total = max(total, effect)
    return total


def _effect(op: Operation) -> Effect:
    """What `op` does once all that is dead inside it is dropped."""
    facts = facts_of(type(op))
    if not op.regions:
        return facts.effect
    inner = max(map(drop, op.regions))
    return max(facts.effect, inner) if facts.is_recursive else facts.effect


def _is_unused(op: Operation) -> bool:
    unused = all(result.first_use is None for result in op.results)
    return unused and not facts_of(type(op)).is_kept
