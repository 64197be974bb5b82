"""How a conversion goes, as values: level by level, and by which route. `plan.py` makes them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.spec import Format
from tamale.dialects.query.select import Select
from tamale.passes.conversion.lists import coordinate_list, shape_of
from tamale.passes.levels import storage_kind

Position: TypeAlias = Literal["get", "yield", "append", "stamp"]
Edges: TypeAlias = Literal["sequenced", "unsequenced", "counted"]
Route: TypeAlias = Literal["direct", "listed", "sorted", "summed"]


@dataclass(frozen=True)
class LevelPlan:
    """How one level is assembled."""

    number: int
    position: Position
    """
    From coordinates, one after the other, one per different coordinate in order, or one per
    different coordinate of a parent.
    """
    first_over: int = 0
    """`append`: entries that agree in this many levels share a position; 0: none do."""
    edges: Edges | None = None
    queries: tuple[Select, ...] = ()
    """Over the coordinates `l0`, `l1`, ...; only those that are made use of."""
    sorts: bool = False
    """Whether the coordinates below each parent are sorted when all are there."""


@dataclass(frozen=True)
class ConversionPlan:
    """How a source becomes a target."""

    source: Format
    target: Format
    route: Route
    why: str
    """What decided the route, for remarks."""
    levels: tuple[LevelPlan, ...]
    adding: bool
    """Whether several entries may share a place: values are added up."""
    threads: int = 1
    """How many workers were asked for."""
    limit: str | None = None
    """Why they do not share the loops over entries, if so."""

    @property
    def workers(self) -> int:
        """How many share the loops over entries."""
        return self.threads if self.route == "direct" and self.limit is None else 1

    @cached_property
    def groups(self) -> tuple[range, ...]:
        """
        Levels that are assembled in one pass over the entries, top down.

        A level with edges needs the levels above: it begins a group if some of those in the group
        before it are made while the entries are walked.
        """
        starts = [0]
        for plan in self.levels:
            above = self.target.levels[starts[-1] : plan.number]
            if plan.edges is not None and any(storage_kind(x.kind).inserts for x in above):
                starts.append(plan.number)
        ends = [*starts[1:], len(self.levels)]
        return tuple(range(a, b) for a, b in zip(starts, ends, strict=True) if a < b)

    @property
    def list_format(self) -> Format:
        """The list of coordinates in between, for the routes that have one."""
        if self.route == "summed":
            return resolve_format("coo", self.target.order).with_widths(
                pos=self.target.pos, crd=self.target.crd
            )
        ordered = self.route == "sorted"
        return coordinate_list(self.target, ordered=ordered, repeats=self.source.may_repeat)

    @property
    def is_list(self) -> bool:
        """Whether the source is a list of the target's coordinates as it is."""
        wanted = coordinate_list(self.target, ordered=False, repeats=True)
        return shape_of(self.source) == shape_of(wanted)
