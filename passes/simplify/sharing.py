"""
Equal values are computed once: common subexpressions, by scoped value numbering.

    %1 = memref.load %pos[%p]
    %2 = memref.load %pos[%p]       ->    %1 for %2 too, if nothing is written in between

The same result as xDSL's `cse`, which copies the table of known values at every region and scans
for writes at every load; here a region takes back what it entered, and writes are counted.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import TypeAlias

from xdsl.dialects.cf import AssertOp
from xdsl.ir import Block, Operation, Region
from xdsl.rewriter import Rewriter

from tamale.dialects.effects import Effect, facts_of

_Key: TypeAlias = Hashable
_Known: TypeAlias = "dict[_Key, tuple[Operation, int]]"


def share(region: Region) -> None:
    """Replaces each op in `region` that computes what an op before it has computed."""
    _Sharing().region(region)


class _Sharing:
    """The values known at the op that is looked at."""

    def __init__(self) -> None:
        self._known: _Known = {}
        """What is computed -> by whom, and how many writes there were before."""
        self._entered: list[tuple[_Key, tuple[Operation, int] | None]] = []
        """What the present scope has entered, and what was known before."""
        self._writes = 0

    def region(self, region: Region) -> Effect:
        """Shares inside `region`; what becomes known there is known only there. Its effect."""
        if len(region.blocks) != 1:
            # What is known would depend on the block that came before.
            return Effect.UNKNOWN if region.blocks else Effect.NONE
        outer, self._entered = self._entered, []
        effect = self._block(region.block)
        for key, before in reversed(self._entered):
            if before is None:
                del self._known[key]
            else:
                self._known[key] = before
        self._entered = outer
        return effect

    def _block(self, block: Block) -> Effect:
        return max([self._op(op) for op in block.ops], default=Effect.NONE)

    def _op(self, op: Operation) -> Effect:
        facts, effect = facts_of(type(op)), facts_of(type(op)).effect
        if isinstance(op, AssertOp):
            self._share_check(op)
        if op.regions:
            inner = self._isolated(op) if facts.is_isolated else self._regions(op)
            effect = max(effect, inner) if facts.is_recursive else effect
        if effect >= Effect.WRITES:
            self._writes += 1
        elif effect <= Effect.READS and not facts.is_terminator:
            self._share(op, effect)
        return effect

    def _share_check(self, op: AssertOp) -> None:
        """What was checked before holds."""
        key = (op.name, op.arg)
        if key in self._known:
            Rewriter.erase_op(op)
            return
        self._entered.append((key, None))
        self._known[key] = op, self._writes

    def _regions(self, op: Operation) -> Effect:
        return max(map(self.region, op.regions))

    def _isolated(self, op: Operation) -> Effect:
        """The regions of an op that sees nothing of what is around it."""
        return _Sharing()._regions(op)

    def _share(self, op: Operation, effect: Effect) -> None:
        if all(result.first_use is None for result in op.results):
            return  # It will be dropped, so nobody may come to depend on it.
        key = _key(op)
        before = self._known.get(key)
        if before is not None and self._is_same(op, effect, *before):
            Rewriter.replace_op(op, [], before[0].results)
            return
        self._entered.append((key, before))
        self._known[key] = op, self._writes

    def _is_same(self, op: Operation, effect: Effect, known: Operation, writes: int) -> bool:
        """Whether `known`, an op with the key of `op`, has the values that `op` would have."""
        if effect is Effect.READS and (known.parent is not op.parent or writes != self._writes):
            return False
        pairs = zip(known.regions, op.regions, strict=True)
        return all(ours.is_structurally_equivalent(other) for ours, other in pairs)


def _key(op: Operation) -> _Key:
    """Equal for ops that compute equal values, but for their regions."""
    return (
        op.name,
        tuple(op.operands),
        tuple(result.type for result in op.results),
        frozenset(op.properties.items()),
        frozenset(op.attributes.items()),
        len(op.regions),
    )
