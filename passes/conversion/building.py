"""The ops of a conversion plan: queries, edges, coordinates, group by group."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, count
from typing import TypeVar

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerAttr, StringAttr, TensorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from tamale.dialects import assembly
from tamale.dialects.cfir.level_function import INDEX
from tamale.dialects.format.attribute import FormatAttr
from tamale.dialects.format.expressions import Expr, Var
from tamale.dialects.format.spec import Format
from tamale.dialects.query.ops import SelectOp
from tamale.dialects.query.remapping import Remapping
from tamale.dialects.query.select import Aggregate, Select
from tamale.passes.conversion.lists import coordinate_list
from tamale.passes.conversion.plans import ConversionPlan, LevelPlan
from tamale.passes.levels import is_padded, storage_kind

OpT = TypeVar("OpT", bound=Operation)

SPARE_NAMES = ("k", "l", "m", "n", "p", "q", "r", "s", "t", "u", "v", "w")


def coordinate_names(format: Format) -> tuple[str, ...]:
    """A name for the coordinate of each level: its mode's, or a letter that is no mode."""
    numbered = (f"x{number}" for number in count(1))
    spare = (name for name in chain(SPARE_NAMES, numbered) if name not in format.modes)
    return tuple(
        level.expression.name if isinstance(level.expression, Var) else next(spare)
        for level in format.levels
    )


def with_encoding(type: TensorType[Attribute], format: Format) -> TensorType[Attribute]:
    """The tensor type in another format."""
    return TensorType(type.element_type, type.get_shape(), FormatAttr(format))


class ConversionBuilder:
    """Writes the ops of one direct conversion into a list."""

    def __init__(
        self,
        plan: ConversionPlan,
        source: SSAValue,
        type: TensorType[Attribute],
        where: StringAttr | None = None,
    ) -> None:
        self.plan, self.source, self.type, self.where = plan, source, type, where
        self.format = plan.target
        self.names = coordinate_names(self.format)
        self.ops: list[Operation] = []
        self.root = self._add(arith.ConstantOp(IntegerAttr(0, INDEX))).result
        self.root.name_hint = "root"

    def build(self) -> SSAValue:
        """All ops; gives the converted tensor."""
        queries, workers = self._queries(), self.plan.workers
        opened = self._add(assembly.OpenOp(self.source, queries, self.type, workers))
        self.tensor = opened.result
        for number, group in enumerate(self.plan.groups):
            for k in group:
                self._edges(k, counted_before=number > 0 and k == group.start)
                self._coordinates(k)
            last = number == len(self.plan.groups) - 1
            if last:
                zeroed = self.plan.adding or leaves_gaps(self.format)
                self._add(assembly.InitValuesOp(self.tensor, zeroed=zeroed))
            self._pass(group, last=last)
        for level in self.plan.levels:
            if level.position == "get":
                self._add(assembly.FinalizePosOp(self.tensor, level.number))
            elif level.position != "stamp" and level.sorts:
                self._add(assembly.SortSegmentsOp(self.tensor, level.number, with_values=True))
        return self._add(assembly.FinishOp(self.tensor)).result

    def _add(self, op: OpT) -> OpT:
        self.ops.append(op)
        return op

    # Queries

    def _queries(self) -> dict[str, SSAValue]:
        """`level.label` -> the results of every query that the plan makes use of."""
        results: dict[str, SSAValue] = {}
        remapping = self._remapping()
        for level in self.plan.levels:
            for query in level.queries:
                op = self._add(SelectOp(self._named(query), self.source, remapping))
                for aggregate, value in zip(query.aggregates, op.values, strict=True):
                    results[f"{level.number}.{aggregate.label}"] = value
        return results

    def _remapping(self) -> Remapping:
        levels = zip(self.names, self.format.levels, strict=True)
        targets: list[tuple[str, Expr]] = [(name, level.expression) for name, level in levels]
        return Remapping(self.format.modes, tuple(targets))

    def _named(self, query: Select) -> Select:
        """The query over the names of coordinates, instead of `l0`, `l1`, ..."""
        names = {f"l{k}": name for k, name in enumerate(self.names)}
        aggregates = tuple(
            Aggregate(a.function, tuple(names.get(x, x) for x in a.coordinates), a.label)
            for a in query.aggregates
        )
        return Select(tuple(names[x] for x in query.group), aggregates)

    # Edges

    def _edges(self, k: int, *, counted_before: bool) -> None:
        level = self.plan.levels[k]
        if level.edges is None:
            return
        if level.edges == "counted":
            if not counted_before:
                self._open_count(level)
                self._walk(range(0), counted=level)
            self._add(assembly.FinalizeEdgesOp(self.tensor, level.number))
            return
        sequenced = level.edges == "sequenced"
        self._add(assembly.InitEdgesOp(self.tensor, level.number, sequenced=sequenced))
        block = self._block(["p", *self.names[: level.number]], [INDEX] * (level.number + 1))
        block.add_op(
            assembly.InsertEdgesOp(
                self.tensor, level.number, block.args[0], block.args[1:], sequenced=sequenced
            )
        )
        self._add(assembly.ForParentsOp(self.tensor, level.number, Region(block)))
        if not sequenced:
            self._add(assembly.FinalizeEdgesOp(self.tensor, level.number))

    def _open_count(self, level: LevelPlan) -> None:
        self._add(assembly.InitEdgesOp(self.tensor, level.number))

    # Coordinates

    def _coordinates(self, k: int) -> None:
        level = self.plan.levels[k]
        self._add(assembly.InitCoordsOp(self.tensor, k))
        if level.position == "get":
            self._add(assembly.InitPosOp(self.tensor, k))
        elif level.position == "stamp":
            self._walk(range(0), stamped=level)
            if level.sorts:
                self._add(assembly.SortSegmentsOp(self.tensor, k, with_values=False))

    def _pass(self, group: range, *, last: bool) -> None:
        """A pass over the entries: the group's coordinates, and what the next group counts."""
        counted = None
        if not last and self.plan.levels[group.stop].edges == "counted":
            counted = self.plan.levels[group.stop]
            self._open_count(counted)
        yielding = [
            level.number for level in self.plan.levels[: group.stop] if level.position == "yield"
        ]
        for k in yielding:
            self._add(assembly.InitPosOp(self.tensor, k))
        self._walk(group, counted=counted, storing=last)
        for k in yielding:
            self._add(assembly.FinalizePosOp(self.tensor, k))

    def _block(self, names: Sequence[str], types: Sequence[Attribute]) -> Block:
        block = Block(arg_types=types)
        for argument, name in zip(block.args, names, strict=True):
            argument.name_hint = name
        return block

    def _walk(
        self,
        group: range,
        *,
        counted: LevelPlan | None = None,
        stamped: LevelPlan | None = None,
        storing: bool = False,
    ) -> None:
        """
        One loop over the entries.

        Args:
            group: the levels whose coordinates are inserted.
            counted: the level whose edges are counted.
            stamped: the level that gets its different coordinates.
            storing: whether values are stored.
        """
        types = [*([INDEX] * len(self.names)), self.type.element_type]
        value = "value" if "value" not in self.names else "a"
        block = self._block([*self.names, value], types)
        *coordinates, stored = block.args
        position: SSAValue = self.root
        last = counted or stamped
        for level in self.plan.levels[: group.stop if last is None else last.number]:
            position = self._place(block, level, position, coordinates, level.number in group)
        if counted is not None:
            self._count(block, counted, position, coordinates)
        if stamped is not None:
            self._append(block, stamped, position, coordinates, inserting=True)
        if storing:
            block.add_op(assembly.StoreOp(stored, self.tensor, position, adding=self.plan.adding))
        workers = self.plan.workers if self.plan.workers > 1 else None
        self._add(
            assembly.ForNonzerosOp(self.source, self.tensor, Region(block), self.where, workers)
        )

    def _place(
        self,
        block: Block,
        level: LevelPlan,
        parent: SSAValue,
        coordinates: Sequence[SSAValue],
        inserting: bool,
    ) -> SSAValue:
        """The entry's position in one level, with its coordinate inserted if asked for."""
        k, own = level.number, coordinates[: level.number + 1]
        match level.position:
            case "append":
                return self._append(block, level, parent, coordinates, inserting=inserting)
            case "stamp":
                rank = assembly.RankOp(self.tensor, k, parent, own)
                block.add_op(rank)
                return self._position(rank.position, k)
            case "get":
                place = assembly.GetPosOp(self.tensor, k, parent, own)
            case "yield":
                place = assembly.YieldPosOp(self.tensor, k, parent)
        block.add_op(place)
        if inserting:
            block.add_op(assembly.InsertCoordOp(self.tensor, k, parent, place.position, own))
        return self._position(place.position, k)

    def _position(self, value: SSAValue, k: int) -> SSAValue:
        value.name_hint = f"pB{k + 1}"
        return value

    def _append(
        self,
        block: Block,
        level: LevelPlan,
        parent: SSAValue,
        coordinates: Sequence[SSAValue],
        *,
        counting: bool = False,
        inserting: bool = False,
    ) -> SSAValue:
        """A further position in a level where the entry needs one; gives the last position."""
        k, new = level.number, self._new(block, level, parent, coordinates)
        own = coordinates[: k + 1]
        op = assembly.AppendOp(
            self.tensor, k, parent, own, new, counting=counting, inserting=inserting
        )
        block.add_op(op)
        return self._position(op.position, k)

    def _new(
        self, block: Block, level: LevelPlan, parent: SSAValue, coordinates: Sequence[SSAValue]
    ) -> SSAValue | None:
        """Whether the entry is the first that has its position; None: it always is."""
        k = level.number
        if level.position == "stamp":
            new = assembly.StampOp(self.tensor, k, parent, coordinates[k])
        elif level.first_over:
            new = assembly.FirstOp(coordinates[: level.first_over])
        else:
            return None
        new.result.name_hint = f"new{k + 1}"
        block.add_op(new)
        return new.result

    def _count(
        self, block: Block, level: LevelPlan, parent: SSAValue, coordinates: Sequence[SSAValue]
    ) -> None:
        if level.position == "yield":
            block.add_op(assembly.CountEdgeOp(self.tensor, level.number, parent))
            return
        self._append(block, level, parent, coordinates, counting=True)


def leaves_gaps(format: Format) -> bool:
    """Whether some position of the last level may get no value."""
    skipping = any(storage_kind(level.kind).skips for level in format.levels)
    return skipping or is_padded(format)


def unordered_list(plan: ConversionPlan) -> Format:
    """The list of the target's coordinates as they arrive, before it is sorted."""
    return coordinate_list(plan.list_format, ordered=False, repeats=plan.source.may_repeat)
