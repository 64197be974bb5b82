"""
Level functions that walk a stored tensor: sizes, positions, coordinates.

`at` gives the coordinates of the levels above, outermost first, to the kinds of level that ask for
them (`StorageKind.asks_ancestors`).

Source: Chou et al., OOPSLA 2018, sec. 3.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import I64, IntegerAttr, StringAttr, TensorType, i1
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.cfir.level_function import INDEX, LevelFunction, level_number, number
from tamale.dialects.format.attribute import tensor_format


@irdl_op_definition
class DimOp(IRDLOperation):
    """The dimension size of a mode."""

    name = "cfir.dim"
    tensor = operand_def(TensorType)
    mode = prop_def(IntegerAttr[I64])
    result = result_def(INDEX)
    traits = traits_def(Pure())
    assembly_format = "$tensor $mode attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue, mode: int) -> None:
        super().__init__(operands=[tensor], properties={"mode": number(mode)}, result_types=[INDEX])

    def verify_(self) -> None:
        order = len(cast(TensorType[Attribute], self.tensor.type).get_shape())
        if not 0 <= self.mode.value.data < order:
            raise VerifyException(
                f"cfir.dim: mode {self.mode.value.data} of a tensor of order {order}"
            )


@irdl_op_definition
class CountOp(LevelFunction):
    """How many positions a level has in all."""

    name = "cfir.count"
    tensor = operand_def(TensorType)
    count = result_def(INDEX)
    assembly_format = "$tensor $level attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue, level: int) -> None:
        super().__init__(operands=[tensor], properties=level_number(level), result_types=[INDEX])


class _AtPosition(LevelFunction, ABC):
    """Asked at one position, with the coordinates of the levels above: how ops are made."""

    def __init__(
        self, tensor: SSAValue, level: int, position: SSAValue, ancestors: Sequence[SSAValue] = ()
    ) -> None:
        results = len(self.get_irdl_definition().results)
        super().__init__(
            operands=[tensor, position, ancestors],
            properties=level_number(level),
            result_types=[INDEX] * results,
        )


@irdl_op_definition
class PosBoundsOp(_AtPosition):
    """
    `pos_bounds(p) -> begin, end`: the positions below a parent position.

    `at` gives the coordinates of the levels above, here and below, to kinds that ask for them.
    """

    name = "cfir.pos_bounds"
    tensor = operand_def(TensorType)
    parent_pos = operand_def(INDEX)
    ancestors = var_operand_def(INDEX)
    begin = result_def(INDEX)
    end = result_def(INDEX)
    assembly_format = (
        "$tensor $level `(` $parent_pos `)` (`at` `(` $ancestors^ `)`)? attr-dict `:` type($tensor)"
    )


@irdl_op_definition
class PosAccessOp(_AtPosition):
    """`pos_access(p) -> i`: the coordinate at a position."""

    name = "cfir.pos_access"
    tensor = operand_def(TensorType)
    position = operand_def(INDEX)
    ancestors = var_operand_def(INDEX)
    coordinate = result_def(INDEX)
    assembly_format = (
        "$tensor $level `(` $position `)` (`at` `(` $ancestors^ `)`)? attr-dict `:` type($tensor)"
    )


@irdl_op_definition
class PosFoundOp(LevelFunction):
    """`pos_found(p)`: whether a position holds an entry, for levels with free places."""

    name = "cfir.pos_found"
    tensor = operand_def(TensorType)
    position = operand_def(INDEX)
    found = result_def(i1)
    assembly_format = "$tensor $level `(` $position `)` attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue, level: int, position: SSAValue) -> None:
        super().__init__(
            operands=[tensor, position], properties=level_number(level), result_types=[i1]
        )


@irdl_op_definition
class CoordBoundsOp(_AtPosition):
    """`coord_bounds(p) -> low, high`: the coordinates [low, high) below a parent position."""

    name = "cfir.coord_bounds"
    tensor = operand_def(TensorType)
    parent_pos = operand_def(INDEX)
    ancestors = var_operand_def(INDEX)
    low = result_def(INDEX)
    high = result_def(INDEX)
    assembly_format = (
        "$tensor $level `(` $parent_pos `)` (`at` `(` $ancestors^ `)`)? attr-dict `:` type($tensor)"
    )


@irdl_op_definition
class LocateOp(LevelFunction):
    """`locate(p, i) -> p', found`: the position of a coordinate below a parent position."""

    name = "cfir.locate"
    tensor = operand_def(TensorType)
    parent_pos = operand_def(INDEX)
    coordinate = operand_def(INDEX)
    ancestors = var_operand_def(INDEX)
    position = result_def(INDEX)
    found = result_def(i1)
    assembly_format = (
        "$tensor $level `(` $parent_pos `,` $coordinate `)` (`at` `(` $ancestors^ `)`)? "
        "attr-dict `:` type($tensor)"
    )

    def __init__(
        self,
        tensor: SSAValue,
        level: int,
        parent: SSAValue,
        coordinate: SSAValue,
        ancestors: Sequence[SSAValue] = (),
    ) -> None:
        super().__init__(
            operands=[tensor, parent, coordinate, ancestors],
            properties=level_number(level),
            result_types=[INDEX, i1],
        )


@irdl_op_definition
class PrefetchOp(LevelFunction):
    """
    Asks for what is stored at a position to be brought near before it is read; changes nothing.

    `edges` is where the children of a position of the level above begin and end, `entries` what
    belongs to a position of the level itself: its coordinate, its value, where its children are.
    `row` is the block of values below a position whose later levels are dense.
    """

    name = "cfir.prefetch"
    what = prop_def(StringAttr)
    tensor = operand_def(TensorType)
    position = operand_def(INDEX)
    assembly_format = "$what `of` $tensor $level `(` $position `)` attr-dict `:` type($tensor)"

    KNOWN: ClassVar = ("edges", "entries", "row")

    def __init__(self, what: str, tensor: SSAValue, level: int, position: SSAValue) -> None:
        super().__init__(
            operands=[tensor, position],
            properties={**level_number(level), "what": StringAttr(what)},
        )

    def verify_(self) -> None:
        super().verify_()
        if self.what.data not in self.KNOWN:
            raise VerifyException(
                f"{self.name}: {' or '.join(map(repr, self.KNOWN))} expected, "
                f"not '{self.what.data}'"
            )
        format = tensor_format(self.tensor_type)
        below = self.level_index + 1
        if self.what.data == "row" and not format.tail <= below < len(format.levels):
            raise VerifyException(
                f"{self.name}: a row is a block of values, below level {self.level_index} is none"
            )
