"""
Which loops of a kernel several workers can share, and how their work is measured.

The loops that lie around everything are cut, from the outermost one in. A loop can be cut if what
it walks before any coordinate can be counted: by the levels' own functions where their parents are
those of the loop around, by multiplication where nothing above selects. Loops over the result's
coordinates come first; below them, where several workers meet in one place of the result, each has
a partial result of its own, and an associative operator combines them. A sparse result is assembled
in parts that follow each other: its own outermost loops are cut alone. Where they are whole rows of
a product, the rows that their entries lead to are counted before.

Source: Merrill and Garland, SC 2016 (two operands: merge path); `docs/rationale/partitioning.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile
from typing import TypeAlias

from tamale.dialects import cin
from tamale.dialects.cin.partition import CutLoop, Partition
from tamale.dialects.cin.partition_check import counts_rows, lies_along
from tamale.dialects.cin.scope import level_of
from tamale.dialects.cin.sets import Stored, leaves, set_text
from tamale.dialects.format.expressions import counters
from tamale.dialects.format.spec import Format
from tamale.dialects.level_variables import level_variables
from tamale.dialects.notation.ast import to_text
from tamale.passes.algebra.chains import chain, working_chain
from tamale.passes.algebra.combining import (
    combining_operator,
    is_combined_in,
    own_variables,
)
from tamale.passes.algebra.lattice import driven_by_universe
from tamale.passes.algebra.meetings import access_to_meet_along, finds_what_is_located
from tamale.passes.algebra.ranks import walked

Ranked: TypeAlias = Callable[[str, int], bool]
"""Whether a level of an access tells how many positions lie before one of its parent's."""


@dataclass(frozen=True)
class Cut:
    """The loops to share, and why no more of them."""

    loops: tuple[CutLoop, ...]
    limit: str | None
    """Why the next loop is not shared, or why none is; None if all that matter are."""
    combined: str | None = None
    """By which operator results of workers that meet in one place are combined, if they do."""
    weighed: tuple[CutLoop, ...] = ()
    """The loops inside that stay whole, but whose visits are work."""
    counted: CutLoop | None = None
    """A loop inside of these whose visits are counted before."""
    along: str | None = None
    """The access along which it has to be found where operands meet, if so."""

    def into(self, parts: int) -> Partition:
        """The partition of the loops into so many parts."""
        return Partition(
            parts, self.loops, self.combined, self.weighed, self.counted, self.along
        )


def _cut_loops(loops: Sequence[cin.ForallOp]) -> tuple[CutLoop, ...]:
    return tuple(CutLoop(loop.index_var.data, loop.domain.data) for loop in loops)


@dataclass(frozen=True)
class Cutting:
    """Decides which loops of a kernel are cut."""

    kernel: cin.KernelOp
    ranked: Ranked

    @cached_property
    def _chain(self) -> tuple[cin.ForallOp, ...]:
        return chain(self.kernel.body.block)

    @cached_property
    def _working(self) -> tuple[cin.ForallOp, ...]:
        return working_chain(self.kernel.body.block)

    @property
    def _format(self) -> Format:
        """How the result is stored."""
        return self.kernel.formats[self.kernel.target.data.tensor]

    def decide(self) -> Cut:
        """The loops to cut, none if the kernel has to stay serial."""
        refusal = self._refusal()
        if refusal is not None:
            return Cut((), refusal)
        measured, unknown = self._countable()
        limit = unknown
        if not measured:
            return Cut((), limit)
        measured = measured[: self._useful(measured)]
        loops = measured[: len(self._chain)]
        own, combined = own_variables(self.kernel, [loop.index_var.data for loop in loops]), None
        if not self._format.all_dense:
            count, reason = self._joinable(own)
            if count < len(loops):
                loops, limit = loops[:count], reason
        elif len(own) < len(loops):
            combined = self._combined(own)
            if combined is None:
                place = f"one place of {to_text(self.kernel.target.data)}"
                limit = f"what several workers would give to {place} cannot be combined"
                loops = loops[: len(own)]
            elif (count := self._combinable(loops)) < len(loops):
                variable = loops[count].index_var.data
                limit = f"what the loop of {variable} computes is needed by each worker"
                loops, combined = loops[:count], combined if count > len(own) else None
        cut, count = _cut_loops(measured), len(loops)
        if not count:
            return Cut((), limit, combined)
        counted = self._counted(cut) if count == len(own) == 1 else None
        if counted is not None and limit == unknown:
            limit = None
        along = access_to_meet_along(cut, self._levels_of)
        return Cut(cut[:count], limit, combined, cut[count:], counted, along)

    def _levels_of(self, access: str) -> tuple[str, ...]:
        return level_variables(self.kernel.read_accesses[access], self.kernel.formats[access])

    def _refusal(self) -> str | None:
        """Why the kernel as a whole is serial."""
        for op in self.kernel.body.walk():
            if isinstance(op, cin.LetOp) and counters(op.value.data):
                return f"'{op.index_var.data}' counts what came before"
        if not self._chain:
            return "no loop lies around everything"
        return None

    # What can be counted

    def _countable(self) -> tuple[tuple[cin.ForallOp, ...], str | None]:
        """The loops whose work before a coordinate can be counted, and why the next's cannot."""
        variables: tuple[str, ...] = ()
        for k, loop in enumerate(self._working):
            variables = (*variables, loop.index_var.data)
            for leaf in self._walked(loop):
                reason = self._uncountable(leaf, variables)
                if reason is not None:
                    return self._working[:k], reason
        return self._working, None

    def _walked(self, loop: cin.ForallOp) -> Sequence[Stored]:
        return walked(loop.domain.data, loop.index_var.data).leaves

    def _uncountable(self, leaf: Stored, variables: Sequence[str]) -> str | None:
        access, format = self.kernel.read_accesses[leaf.access], self.kernel.formats[leaf.access]
        own = level_variables(access, format)
        level = own.index(leaf.variable)
        where = f"{set_text(leaf)} ('{format.levels[level]}')"
        if not format.properties(level).ordered:
            return f"{where} is in no order"
        if not all(self.ranked(leaf.access, k) for k in range(level + 1)):
            return f"{where} does not tell how many entries come before a coordinate"
        unknown = f"how many entries of {where} come before a coordinate is not known"
        if not lies_along(own[: level + 1], variables):
            return unknown
        everywhere = all(self._visits_all(leaf.access, v) for v in own[:level])
        if not everywhere and not self._finds_what_is_located(len(variables)):
            return unknown
        above = format.properties(level - 1) if level else None
        if above is not None and not above.unique and not format.properties(level).branchless:
            return f"{where} is below copies of a coordinate"
        return None

    def _visits_all(self, access: str, variable: str) -> bool:
        """Whether the loop of a level's variable visits all that an access has there."""
        loop = next(loop for loop in self._working if loop.index_var.data == variable)
        domain = loop.domain.data
        return driven_by_universe(domain) or Stored(access, variable) in leaves(domain)

    def _finds_what_is_located(self, count: int) -> bool:
        """Whether the first loops find out what they have inside, also of what they locate."""
        return finds_what_is_located(_cut_loops(self._working[:count]), self._levels_of)

    def _counted(self, measured: Sequence[CutLoop]) -> CutLoop | None:
        """The loop inside of those whose work levels tell, if its visits can be counted before."""
        following = _cut_loops(self._working[len(measured) :])
        accesses, formats = self.kernel.read_accesses, self.kernel.formats
        countable = following and counts_rows(accesses, formats, measured, following[0])
        return following[0] if countable else None

    # What can be joined

    def _joinable(self, own: Sequence[str]) -> tuple[int, str]:
        """How many of the loops `own` parts of a sparse result can be cut at, and why no more."""
        target, format = self.kernel.target.data, self._format
        levels = level_variables(target, format)[: format.tail]
        count = 0
        while count < min(len(own), len(levels)) and own[count] == levels[count]:
            count += 1
        full = [format.properties(k).full for k in range(len(levels))]
        dense = full.index(False)
        if not 0 < dense < count - 1 or dense == len(levels) - 1:
            return count, f"parts of {to_text(target)} are joined at coordinates of its levels"
        following = dense + 1
        while following < len(levels) and format.properties(following).branchless:
            following += 1
        place = f"{target.tensor}'s {format.levels[dense]}"
        return min(count, following), f"what is below one entry of {place} belongs to one worker"

    # What is worth it

    def _useful(self, loops: Sequence[cin.ForallOp]) -> int:
        """How many loops to cut: those inside of which all coordinates cost alike stay whole."""
        for k in range(len(loops) - 1, 0, -1):
            if any(not self._follows(leaf) for leaf in self._walked(loops[k])):
                return k + 1
        return 1

    def _follows(self, leaf: Stored) -> bool:
        """Whether there is one entry for each of the level above."""
        level = level_of(leaf, self.kernel.all_accesses, self.kernel.formats)
        properties = self.kernel.formats[leaf.access].properties
        return properties(level).branchless and level > 0 and properties(level - 1).unique

    def _combinable(self, loops: Sequence[cin.ForallOp]) -> int:
        """How many of the loops lie around all that is combined: not those of a factor alone."""
        return sum(1 for _ in takewhile(lambda loop: is_combined_in(self.kernel, loop), loops))

    def _combined(self, own: Sequence[str]) -> str | None:
        """By what partial results below the loops `own` can be combined."""
        plain = set(own) <= set(self.kernel.target.data.indices)
        return combining_operator(self.kernel) if plain else None
