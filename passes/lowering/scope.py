"""What is known at a point of a kernel that is being lowered to loops."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects.cin.kernel_like import KernelLike
from tamale.dialects.cin.scope import level_of
from tamale.dialects.cin.sets import Stored
from tamale.dialects.format.spec import Format
from tamale.dialects.level_variables import level_variables
from tamale.dialects.notation.ast import Access, to_text
from tamale.passes.emit.emitter import Emitter
from tamale.passes.levels import storage_kind
from tamale.passes.lowering.spans import Span


@dataclass(frozen=True)
class Place:
    """
    Where an access stands in one of its levels: a position, or a run of duplicates [begin, end).
    """

    begin: SSAValue
    end: SSAValue | None = None


@dataclass(frozen=True)
class Workspace:
    """
    A scalar in memory; `filled` tells whether anything has been put into it, where that matters.
    """

    value: SSAValue
    filled: SSAValue | None


@dataclass(frozen=True)
class Fiber:
    """
    Entries of one group of the result's levels below one parent: where they begin; if they are
    filled in, the parent's position and the next free one, in memory.
    """

    begin: SSAValue
    parent: SSAValue | None = None
    cursor: SSAValue | None = None


@dataclass(frozen=True)
class KernelContext:
    """The same everywhere in a kernel."""

    emit: Emitter
    kernel: KernelLike
    tensors: Mapping[str, SSAValue]
    """Access -> tensor; the result under its own name."""
    accesses: Mapping[str, Access]
    formats: Mapping[str, Format]
    element: Attribute
    """The type that the kernel computes in."""

    @cached_property
    def vectors(self) -> frozenset[str]:
        """The names of the workspaces that are vectors."""
        return frozenset(workspace.name for workspace in self.kernel.vectors)

    @property
    def result(self) -> Access:
        return self.kernel.target.data

    @property
    def result_format(self) -> Format:
        return self.formats[self.result.tensor]

    @property
    def appends(self) -> bool:
        return not self.result_format.all_dense

    @property
    def appended_variables(self) -> frozenset[str]:
        """Those of the levels that the result appends to."""
        format = self.result_format
        return frozenset(level_variables(self.result, format)[: format.tail])

    def level(self, leaf: Stored) -> int:
        return level_of(leaf, self.accesses, self.formats)


@dataclass(frozen=True)
class Scope:
    """Coordinates of the loops around, and the places that accesses have reached."""

    kernel: KernelContext
    coordinates: Mapping[str, SSAValue] = field(default_factory=dict[str, SSAValue])
    places: Mapping[tuple[str, int], Place] = field(default_factory=dict[tuple[str, int], Place])
    """(access, level) -> place."""
    workspaces: Mapping[str, Workspace] = field(default_factory=dict[str, Workspace])
    nonnegative: frozenset[str] = frozenset()
    """The variables whose coordinates are known not to be negative."""
    fibers: Mapping[int, Fiber] = field(default_factory=dict[int, Fiber])
    """First level of a group of the result -> where its entries of the loops around go."""
    written: SSAValue | None = None
    """In memory, whether any value of the result's next entry was written, if it has several."""
    span: Span | None = None
    """The part of the loops that a worker runs, in a partitioned kernel."""
    partial: bool | None = None
    """Whether results are partial ones, of places that another worker began; None: not told yet."""

    def at(self, variable: str, coordinate: SSAValue, *, nonnegative: bool) -> Scope:
        known = self.nonnegative | {variable} if nonnegative else self.nonnegative
        coordinates = {**self.coordinates, variable: coordinate}
        return replace(self, coordinates=coordinates, nonnegative=known)

    def reaching(self, access: str, level: int, place: Place) -> Scope:
        return replace(self, places={**self.places, (access, level): place})

    def using(self, name: str, workspace: Workspace) -> Scope:
        return replace(self, workspaces={**self.workspaces, name: workspace})

    def opening(self, level: int, fiber: Fiber) -> Scope:
        return replace(self, fibers={**self.fibers, level: fiber})

    def ancestors(self, access: str, level: int) -> tuple[SSAValue, ...]:
        """
        The coordinates of the levels above, outermost first; none if the kind does not ask for
        them.
        """
        format = self.kernel.formats[access]
        if not storage_kind(format.levels[level].kind).asks_ancestors:
            return ()
        variables = level_variables(self.kernel.accesses[access], format)
        return tuple(self.coordinates[variable] for variable in variables[:level])

    def parent(self, access: str, level: int) -> Place:
        """The place in the level above; the root's only position is 0."""
        if level == 0:
            return Place(self.kernel.emit.constant(0))
        return self.place(access, level - 1)

    def place(self, access: str, level: int) -> Place:
        """
        The place that the loops around have reached.

        Raises:
            PassFailedException: no loop leads there.
        """
        if (access, level) not in self.places:
            raise PassFailedException(
                f"lower-lattices: the loops around have not reached level {level + 1} of "
                f"{to_text(self.kernel.accesses[access])}, whose entries are needed here"
            )
        return self.places[access, level]
