"""
What a lattice walks: a level below its parent, by position or by coordinate, or a whole universe.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects.cfir.storage import (
    CoordBoundsOp,
    LocateOp,
    PosAccessOp,
    PosBoundsOp,
    PosFoundOp,
)
from tamale.dialects.cin.sets import Intersection, SetExpr, Stored, Union
from tamale.dialects.format.relation import relation
from tamale.dialects.level_variables import level_variables
from tamale.dialects.notation.ast import to_text
from tamale.passes.algebra.lattice import driven_by_universe
from tamale.passes.emit.emitter import Emitter
from tamale.passes.levels import storage_kind
from tamale.passes.lowering.scope import KernelContext, Place, Scope


@dataclass(frozen=True)
class Arrival:
    """Where a walk has come to: a coordinate, its place, and whether there is an entry."""

    coordinate: SSAValue
    place: Place
    found: SSAValue | None
    """None: surely."""


@dataclass(frozen=True)
class Iterator:
    """A level that is walked below the current parent; its cursor runs over [begin, end)."""

    leaf: Stored
    tensor: SSAValue
    level: int
    parent: SSAValue
    ancestors: tuple[SSAValue, ...]
    """The coordinates of the levels above, if the level's kind asks for them."""
    begin: SSAValue
    end: SSAValue
    unique: bool
    single: bool
    """Whether there is exactly one entry."""
    by_coordinate: bool
    """Whether the cursor is a coordinate; else it is a position."""
    skips: bool
    """Whether the cursor meets places without an entry."""

    @property
    def name(self) -> str:
        """`A2`: access and level, the stem of generated names."""
        return f"{self.leaf.access}{self.level + 1}"

    @property
    def cursor(self) -> str:
        """What the cursor is called: `pA2`, or `jA` if it is a coordinate."""
        return f"{self.leaf.variable}{self.leaf.access}" if self.by_coordinate else f"p{self.name}"

    def coordinate(self, emit: Emitter, cursor: SSAValue, hint: str) -> SSAValue:
        """The coordinate at the cursor."""
        if self.by_coordinate:
            return cursor
        access = PosAccessOp(self.tensor, self.level, cursor, self.ancestors)
        coordinate = emit.insert(access).coordinate
        return emit.named(coordinate, hint) if hint else coordinate

    def arrive(self, emit: Emitter, cursor: SSAValue, coordinate: SSAValue) -> Arrival:
        """The place at the cursor, whose coordinate this is."""
        if self.by_coordinate:
            located = LocateOp(self.tensor, self.level, self.parent, cursor, self.ancestors)
            emit.insert(located)
            emit.named(located.position, f"p{self.name}")
            return Arrival(
                coordinate, Place(located.position), located.found if self.skips else None
            )
        found = None
        if self.skips:
            found = emit.insert(PosFoundOp(self.tensor, self.level, cursor)).found
        return Arrival(coordinate, Place(cursor), found)


def make_iterator(kernel: KernelContext, scope: Scope, leaf: Stored) -> Iterator:
    """The walk of `leaf`'s level below its parent's place."""
    level, format = kernel.level(leaf), kernel.formats[leaf.access]
    kind, properties = storage_kind(format.levels[level].kind), format.properties(level)
    parent, ancestors = scope.parent(leaf.access, level), scope.ancestors(leaf.access, level)
    by_coordinate = kind.iterates == "coordinates"
    if by_coordinate and parent.end is not None:
        raise PassFailedException(
            f"lower-lattices: the entries of {to_text(kernel.accesses[leaf.access])} at one "
            f"coordinate cannot be walked together: level {level + 1} ('{format.levels[level]}') "
            "has coordinates of its own below each of them\n"
            "  help: sum duplicates first"
        )
    begin, end = _bounds(kernel, leaf, parent, ancestors, by_coordinate=by_coordinate)
    single = properties.branchless and parent.end is None
    return Iterator(
        leaf=leaf,
        tensor=kernel.tensors[leaf.access],
        level=level,
        parent=parent.begin,
        ancestors=ancestors,
        begin=begin,
        end=end,
        unique=properties.unique or single,
        single=single,
        by_coordinate=by_coordinate,
        skips=kind.skips,
    )


def _bounds(
    kernel: KernelContext,
    leaf: Stored,
    parent: Place,
    ancestors: tuple[SSAValue, ...],
    *,
    by_coordinate: bool,
) -> tuple[SSAValue, SSAValue]:
    """Between what a walk's cursor runs."""
    emit, tensor, level = kernel.emit, kernel.tensors[leaf.access], kernel.level(leaf)
    if by_coordinate:
        coordinates = emit.insert(CoordBoundsOp(tensor, level, parent.begin, ancestors))
        stem, begin, end = f"{leaf.variable}{leaf.access}", coordinates.low, coordinates.high
    else:
        positions = emit.insert(PosBoundsOp(tensor, level, parent.begin, ancestors))
        stem, begin, end = f"p{leaf.access}{level + 1}", positions.begin, positions.end
    if parent.end is not None:
        last = emit.sub(parent.end, emit.constant(1))
        end = emit.insert(PosBoundsOp(tensor, level, last, ancestors)).end
    return emit.named(begin, f"{stem}_begin"), emit.named(end, f"{stem}_end")


def walk_alike(kernel: KernelContext, iterators: Collection[Iterator]) -> bool:
    """Whether the levels have the same coordinates, told by the levels above, which agree."""
    told = {_told(kernel, iterator) for iterator in iterators}
    return len(told) == 1 and None not in told


def _told(kernel: KernelContext, iterator: Iterator) -> Hashable:
    """What tells the coordinates of a level below its parent; None if only its storage does."""
    access, k = kernel.accesses[iterator.leaf.access], iterator.level
    format = kernel.formats[access.tensor]
    follows = storage_kind(format.levels[k].kind).follows and not iterator.skips
    if not (iterator.single or follows):
        return None
    format = format.renamed(access.indices)
    related, above = relation(format, k), level_variables(access, format)[:k]
    if iterator.single and related.value is not None:
        return above, related.value
    return (above, format.levels[k].expression, related) if follows else None


def bound_visits(
    emit: Emitter,
    domain: SetExpr,
    iterators: Mapping[Stored, Iterator],
    size: Callable[[], SSAValue],
) -> SSAValue:
    """At most how many coordinates of `domain` are visited."""
    match domain:
        case Stored():
            return emit.sub(iterators[domain].end, iterators[domain].begin)
        case Union(sets) if not driven_by_universe(domain):
            total = bound_visits(emit, sets[0], iterators, size)
            for s in sets[1:]:
                total = emit.add(total, bound_visits(emit, s, iterators, size))
            return total
        case Intersection(sets):
            driving = [s for s in sets if not driven_by_universe(s)]
            if not driving:
                return size()
            least = bound_visits(emit, driving[0], iterators, size)
            for s in driving[1:]:
                least = emit.min(least, bound_visits(emit, s, iterators, size))
            return least
        case _:
            return size()
