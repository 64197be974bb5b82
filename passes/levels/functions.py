"""
What a level kind must be able to do, and what it may do with: the interface of every file in this
folder.

A level function builds IR through the emitter it is given; it prints nothing and knows no other
level. There are three groups of them:

- *walking*: which coordinates a stored level has, and at which positions;
- *appending*: how a level grows at its end while a kernel computes in storage order;
- *assembly*: how a level is made in full from statistics that queries gave (`queries`), edges
  first, then coordinates.

The functions on stored arrays (`count`, `check`, `coordinates`, ...) run on NumPy arrays when a
tensor comes from outside.

Source: Chou et al., OOPSLA 2018, sec. 3 and 4 (walking, appending); Chou et al., PLDI 2020, sec. 6
(assembly).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias

from tamale.dialects.format.expressions import Expr
from tamale.dialects.format.kinds import LevelKind
from tamale.dialects.format.level import Level, LevelProperties
from tamale.dialects.format.relation import Relation
from tamale.dialects.query.select import Select
from tamale.passes.levels.at_once import AtOnce
from tamale.passes.levels.made import Made

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from xdsl.ir import SSAValue

    from tamale.passes.emit.emitter import Emitter


Extent: TypeAlias = Literal["positions", "edges", "parents", "size", "single"]
"""
How long a level's array is: an element per position of the level, per parent position and one more,
per parent position, per coordinate of the level (`size`), or one element.
"""


@dataclass(frozen=True)
class LevelStorage:
    """One level of one tensor while its code is being built."""

    emit: Emitter
    arrays: Mapping[str, SSAValue]
    """The level's arrays by the names of its kind."""
    size: SSAValue
    """How many coordinates the level can have: its largest less its smallest, plus 1."""
    low: SSAValue
    """The level's smallest coordinate: 0 unless its expression can be negative."""
    ancestors: Sequence[SSAValue] = ()
    """The coordinates of the levels above, outermost first, where the caller knows them."""
    relation: Relation = field(default_factory=Relation)
    evaluate: Callable[[Expr, Sequence[SSAValue]], SSAValue] | None = None
    """Emits an expression of the relation, given the coordinates `l0`, `l1`, ..."""

    def read(self, array: str, position: SSAValue) -> SSAValue:
        """An element as index."""
        return self.emit.as_index(self.emit.load(self.arrays[array], position))

    def write(self, array: str, position: SSAValue, value: SSAValue) -> None:
        """Stores an index in the array's own width; the caller has checked that it fits."""
        memory: Any = self.arrays[array].type
        self.emit.store(self.emit.cast(value, memory.element_type), self.arrays[array], position)

    def related(self, expression: Expr) -> SSAValue:
        """The value of an expression of the relation at the level's ancestors."""
        assert self.evaluate is not None
        return self.evaluate(expression, self.ancestors)


@dataclass(frozen=True)
class LevelAssembly(LevelStorage):
    """
    One level of one tensor while code that makes it is being built.

    `arrays` gains what `allocate` makes. Everything is emitted in straight-line code of the
    function, so that a value made in one assembly function can be used in the later ones.
    """

    arrays: Made
    queries: Made = field(default_factory=Made)
    """Label -> the results of the level's queries, an array over the group's coordinates."""
    temporaries: Made = field(default_factory=Made)
    """Arrays and values that only assembly needs, kept from one function to the next."""
    make: Callable[[str, SSAValue, bool], SSAValue] | None = None
    """Allocates one of the level's arrays: name, length, whether zeroed."""

    def allocate(self, array: str, length: SSAValue, *, zeroed: bool = False) -> SSAValue:
        """Makes one of the level's arrays, of `length` elements (0 is allowed)."""
        assert self.make is not None
        self.arrays[array] = self.make(array, length, zeroed)
        return self.arrays[array]

    def allocate_temporary(self, name: str, length: SSAValue, *, like: str) -> None:
        """Makes a temporary with elements as wide as those of one of the level's arrays."""
        memory: Any = self.arrays[like].type
        self.temporaries[name] = self.emit.allocate(memory.element_type, length, name)

    def remember(self, temporary: str, place: SSAValue, value: SSAValue) -> None:
        """Stores an index in an element of a temporary; the caller has checked that it fits."""
        memory: Any = self.temporaries[temporary].type
        narrowed = self.emit.cast(value, memory.element_type)
        self.emit.store(narrowed, self.temporaries[temporary], place)

    def recall(self, temporary: str, place: SSAValue) -> SSAValue:
        """An element of a temporary as index."""
        return self.emit.as_index(self.emit.load(self.temporaries[temporary], place))

    def query(self, label: str, *group: SSAValue) -> SSAValue:
        """
        A query's result for the group with these coordinates (each counted from its smallest), as
        index; at most one coordinate.
        """
        place = group[0] if group else self.emit.constant(0)
        return self.emit.as_index(self.emit.load(self.queries[label], place))

    def fits(self, count: SSAValue, array: str) -> None:
        """Ends the kernel with "position overflow" unless `count` fits the elements of `array`."""
        memory: Any = self.arrays[array].type
        if memory.element_type.width.data == 32:
            limit = self.emit.constant((1 << 31) - 1)
            self.emit.check(self.emit.compare("sle", count, limit), "position overflow")


@dataclass  # Not frozen: calls of kernels make one per level, and that would take longest.
class StoredLevel:
    """One level of one tensor in memory."""

    arrays: Mapping[str, NDArray[np.integer[Any]]]
    size: int
    """How many coordinates the level has."""
    properties: LevelProperties
    where: str
    """How messages name the level: `level 2 ('j : compressed') of A`."""
    low: int = 0
    """The level's smallest coordinate."""
    ancestors: Sequence[NDArray[np.int64]] = ()
    """Per level above: the coordinate of every parent position, outermost first."""
    relation: Relation = Relation()
    dims: Mapping[str, int] = field(default_factory=dict[str, int])
    """`dim_i` -> the size of mode i, for `relation`."""


class StorageKind(AtOnce[LevelAssembly], LevelKind):
    """A level kind with its level functions; subclasses override what their storage can do."""

    extents: ClassVar[Mapping[str, Extent]] = {}
    """How long each array is."""
    iterates: ClassVar[Literal["positions", "coordinates"]] = "positions"
    """What a walk of the level counts up: `pos_bounds` and `pos_access`, or `coord_bounds`."""
    pads: ClassVar[bool | None] = None
    """
    Whether the level has positions that no entry asked for: True, as dense has; False, it has
    none, even below a level that pads; None, its positions are its parent's.
    """
    skips: ClassVar[bool] = False
    """Whether a walk meets positions or coordinates without an entry: `pos_found`, or `found`."""
    follows: ClassVar[bool] = False
    """
    Whether the coordinates below a parent follow from the levels above: two such levels of equal
    expressions below equal ancestors have the same.
    """
    asks_ancestors: ClassVar[bool] = True
    """Whether walking functions look at the level's `ancestors` or its `relation`."""
    asks_bounds: ClassVar[bool] = True
    """
    Whether functions look at `low` or `size` of a level of counters. Its bound is a product of
    dimensions, too large for what few entries need.
    """
    appends: ClassVar[bool] = False
    """Whether entries can be added at the end."""
    holds: ClassVar[str] = ""
    """Which entries the kind can hold, in words, if not all; others stop a conversion."""

    # Walking

    def pos_bounds(self, level: LevelStorage, parent: SSAValue) -> tuple[SSAValue, SSAValue]:
        """The positions [begin, end) below a parent position."""
        raise NotImplementedError(f"{self.name}: positions cannot be walked")

    def pos_access(self, level: LevelStorage, position: SSAValue) -> SSAValue:
        """The coordinate at a position."""
        raise NotImplementedError(f"{self.name}: positions cannot be walked")

    def pos_found(self, level: LevelStorage, position: SSAValue) -> SSAValue:
        """Whether a position holds an entry (i1); asked where `skips`."""
        return level.emit.true()

    def coord_bounds(self, level: LevelStorage, parent: SSAValue) -> tuple[SSAValue, SSAValue]:
        """The coordinates [low, high) below a parent position; `locate` gives their positions."""
        raise NotImplementedError(f"{self.name}: coordinates cannot be walked")

    def locate(
        self, level: LevelStorage, parent: SSAValue, coordinate: SSAValue
    ) -> tuple[SSAValue, SSAValue]:
        """The position of a coordinate below a parent position, and whether it is stored (i1)."""
        raise NotImplementedError(f"{self.name}: coordinates cannot be located")

    def size_below(self, level: LevelStorage, parents: SSAValue) -> SSAValue:
        """How many positions the level has below its first `parents` parent positions."""
        raise NotImplementedError(f"{self.name}: does not say how many positions it has")

    # Appending

    def append_coord(self, level: LevelStorage, position: SSAValue, coordinate: SSAValue) -> None:
        """The entry at `position` has this coordinate."""
        raise NotImplementedError(f"{self.name}: entries cannot be appended")

    def append_edges(
        self,
        level: LevelStorage,
        parent: SSAValue,
        begin: SSAValue,
        end: SSAValue,
        *,
        counted: bool,
    ) -> None:
        """The children of `parent` are [begin, end); counted: store how many, to be summed up."""

    def init_edges(self, level: LevelStorage, parents: SSAValue, *, counted: bool) -> None:
        """Before anything is appended below the first `parents` parent positions."""

    def finish_edges(self, level: LevelStorage, parents: SSAValue, *, counted: bool) -> None:
        """After the last append."""

    # Assembly; the names and the order of calls are those of Chou et al., PLDI 2020, sec. 6

    edges: ClassVar[bool] = False
    """Whether edges to the parent's positions are inserted before coordinates."""
    yields: ClassVar[bool] = False
    """
    Whether positions are handed out one after the other (`yield_pos`), so that equal coordinates
    get different ones; else `get_pos` gives the same position for the same coordinates.
    """

    @property
    def inserts(self) -> bool:
        """Whether the level is made while entries are walked: coordinates, or positions alone."""
        return self.yields or type(self).insert_coord is not StorageKind.insert_coord

    def queries(self, level: Level, above: Sequence[str], own: str) -> tuple[Select, ...]:
        """
        What must be known before the level can be made.

        Args:
            level: the level.
            above: the names of the coordinates of the levels above, outermost first.
            own: the name of the level's own coordinate.
        """
        return ()

    def seq_init_edges(self, level: LevelAssembly, parents: SSAValue) -> None:
        """Before edges are inserted for the `parents` parent positions in order."""
        raise NotImplementedError(f"{self.name}: has no edges")

    def seq_insert_edges(
        self,
        level: LevelAssembly,
        parent: SSAValue,
        coordinates: Sequence[SSAValue],
        row: Mapping[str, SSAValue],
    ) -> None:
        """
        Makes room below the next parent position.

        Args:
            level: the level.
            parent: the parent position.
            coordinates: those of the levels above.
            row: label -> the result of the level's query for these coordinates, as index.
        """
        raise NotImplementedError(f"{self.name}: has no edges")

    def unseq_init_edges(self, level: LevelAssembly, parents: SSAValue) -> None:
        """Before edges are inserted for parent positions in any order; some may be left out."""
        raise NotImplementedError(f"{self.name}: has no unsequenced edges")

    def unseq_insert_edges(
        self,
        level: LevelAssembly,
        parent: SSAValue,
        coordinates: Sequence[SSAValue],
        row: Mapping[str, SSAValue],
    ) -> None:
        """Makes room below a parent position; called once for each."""
        raise NotImplementedError(f"{self.name}: has no unsequenced edges")

    def unseq_count_edge(self, level: LevelAssembly, parent: SSAValue) -> None:
        """Makes room for one more child of a parent position, instead of `unseq_insert_edges`."""
        raise NotImplementedError(f"{self.name}: children cannot be counted one by one")

    def unseq_finalize_edges(self, level: LevelAssembly, parents: SSAValue) -> None:
        """After the last edge."""
        raise NotImplementedError(f"{self.name}: has no unsequenced edges")

    def init_coords(self, level: LevelAssembly, parents: SSAValue) -> None:
        """Makes the arrays of coordinates below the `parents` parent positions."""

    def init_pos(self, level: LevelAssembly, parents: SSAValue) -> None:
        """`init_get_pos` or `init_yield_pos`: before the first position is asked for."""

    def get_pos(
        self, level: LevelAssembly, parent: SSAValue, coordinates: Sequence[SSAValue]
    ) -> SSAValue:
        """The position of the last of `coordinates`, which begin with those of the levels above."""
        raise NotImplementedError(f"{self.name}: does not give positions to coordinates")

    def yield_pos(self, level: LevelAssembly, parent: SSAValue) -> SSAValue:
        """The next free position below a parent position."""
        raise NotImplementedError(f"{self.name}: does not hand out positions")

    def insert_coord(
        self,
        level: LevelAssembly,
        parent: SSAValue,
        position: SSAValue,
        coordinates: Sequence[SSAValue],
    ) -> None:
        """The entry at `position` has the last of `coordinates`."""

    def finalize_pos(self, level: LevelAssembly, parents: SSAValue) -> None:
        """`finalize_get_pos` or `finalize_yield_pos`: after the last position."""

    # Stored arrays

    def length(self, level: StoredLevel, array: str, parents: int) -> int:
        """How many elements an array has, told by the arrays before it; by default its extent."""
        match self.extents[array]:
            case "edges":
                return parents + 1
            case "parents":
                return parents
            case "size":
                return level.size
            case "single":
                return 1
            case "positions":
                return self.count(level, parents)

    def count(self, level: StoredLevel, parents: int) -> int:
        """How many positions the stored level has below `parents` parent positions."""
        raise NotImplementedError(f"{self.name}: does not say how many positions it has")

    def check(self, level: StoredLevel, parents: int) -> None:
        """
        Checks every promise of the level in time linear in its arrays.

        Raises:
            FormatError: with the level, the place and the values that break a promise.
        """

    def coordinates(
        self, level: StoredLevel, parents: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """
        For every position in order: its parent position and its coordinate (any, if not `found`).
        """
        raise NotImplementedError(f"{self.name}: does not list its coordinates")

    def found(self, level: StoredLevel, parents: int) -> NDArray[np.bool_] | None:
        """For every position in order: whether it holds an entry; None if all do."""
        return None

    def children(
        self,
        level: StoredLevel,
        parents: int,
        places: NDArray[np.int64],
        coordinate: int | None,
    ) -> NDArray[np.int64]:
        """
        The positions below some of `parents` parent positions that hold entries.

        Args:
            level: the level.
            parents: how many parent positions there are.
            places: the parent positions that are asked for, ascending.
            coordinate: of the entries; None: any.
        """
        import numpy as np

        owners, crd = self.coordinates(level, parents)
        wanted = np.isin(owners, places)
        if coordinate is not None:
            wanted &= crd == coordinate
        found = self.found(level, parents)
        return (wanted if found is None else wanted & found).nonzero()[0]
