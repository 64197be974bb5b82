"""What level kinds say and do where several workers assemble a level at the same time."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

LevelT = TypeVar("LevelT")
"""One level of a tensor under assembly."""

COUNTS_PER_ENTRY = 4
"""
How many counts, those of all workers together, there may be for each entry of a source: beyond,
fewer workers share a loop, so that counts take no more memory than a few copies of the entries.
"""


class AtOnce(Generic[LevelT]):
    """The part of a level kind's interface that workers need."""

    alone: ClassVar[str | None] = "does not let several workers insert entries"
    """
    What the level does that keeps workers from calling `get_pos` and `insert_coord` at the same
    time for entries with positions of their own; None: both cannot fail, and write at most there.
    """

    def end_edges(self, level: LevelT, parent: SSAValue, end: SSAValue) -> None:
        """
        The children of all parent positions up to this one are `end`; workers say so at the same
        time of different parents, and `enlarge` tells afterwards how many there are in all.
        """
        raise NotImplementedError("children cannot be counted by several workers")

    def enlarge(self, level: LevelT, more: SSAValue) -> SSAValue:
        """Adds to the number of positions in all; returns it."""
        raise NotImplementedError("does not say how many positions there are in all")
