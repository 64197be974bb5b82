"""
The storage half of cfir: level functions on tensors, still without a storage of their own.

`lower-lattices` emits these between loops of scf; `lower-levels` replaces each by what the level's
kind means by it. Positions and coordinates are of type index. Levels count from 0.

Source: Chou et al., OOPSLA 2018 (level functions); Chou et al., PLDI 2020, sec. 6 (assembly).
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import I64, IndexType, IntegerAttr, TensorType, UnitAttr, i1, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.format.attribute import tensor_format

INDEX = IndexType()


class _LevelOp(IRDLOperation, ABC):
    """
    Shared by the level functions: a tensor and one of its levels.

    The tensor is the first operand; each op declares it, because xDSL puts those of a subclass
    first.
    """

    level = prop_def(IntegerAttr[I64])

    @property
    def level_index(self) -> int:
        return self.level.value.data

    @property
    def tensor_type(self) -> TensorType[Attribute]:
        return cast(TensorType[Attribute], self.operands[0].type)

    def verify_(self) -> None:
        levels = len(tensor_format(self.tensor_type).levels)
        if not 0 <= self.level_index < levels:
            raise VerifyException(
                f"{self.name}: level {self.level_index} of a tensor stored in {levels} levels"
            )


def _verify_element(op: Operation, value: SSAValue, tensor: SSAValue) -> None:
    element = cast(TensorType[Attribute], tensor.type).element_type
    if value.type != element:
        raise VerifyException(f"{op.name}: {value.type} is no element of a tensor of {element}")


def _level(level: int) -> dict[str, Attribute]:
    return {"level": IntegerAttr(level, i64)}


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
        super().__init__(
            operands=[tensor], properties={"mode": IntegerAttr(mode, i64)}, result_types=[INDEX]
        )

    def verify_(self) -> None:
        order = len(cast(TensorType[Attribute], self.tensor.type).get_shape())
        if not 0 <= self.mode.value.data < order:
            raise VerifyException(
                f"cfir.dim: mode {self.mode.value.data} of a tensor of order {order}"
            )


@irdl_op_definition
class CountOp(_LevelOp):
    """How many positions a level has in all."""

    name = "cfir.count"
    tensor = operand_def(TensorType)
    count = result_def(INDEX)
    assembly_format = "$tensor $level attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue, level: int) -> None:
        super().__init__(operands=[tensor], properties=_level(level), result_types=[INDEX])


@irdl_op_definition
class PosBoundsOp(_LevelOp):
    """`pos_bounds(p) -> begin, end`: the positions below a parent position."""

    name = "cfir.pos_bounds"
    tensor = operand_def(TensorType)
    parent_pos = operand_def(INDEX)
    begin = result_def(INDEX)
    end = result_def(INDEX)
    assembly_format = "$tensor $level `(` $parent_pos `)` attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue, level: int, parent: SSAValue) -> None:
        super().__init__(
            operands=[tensor, parent], properties=_level(level), result_types=[INDEX, INDEX]
        )


@irdl_op_definition
class PosAccessOp(_LevelOp):
    """`pos_access(p) -> i`: the coordinate at a position."""

    name = "cfir.pos_access"
    tensor = operand_def(TensorType)
    position = operand_def(INDEX)
    coordinate = result_def(INDEX)
    assembly_format = "$tensor $level `(` $position `)` attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue, level: int, position: SSAValue) -> None:
        super().__init__(
            operands=[tensor, position], properties=_level(level), result_types=[INDEX]
        )


@irdl_op_definition
class LocateOp(_LevelOp):
    """`locate(p, i) -> p', found`: the position of a coordinate below a parent position."""

    name = "cfir.locate"
    tensor = operand_def(TensorType)
    parent_pos = operand_def(INDEX)
    coordinate = operand_def(INDEX)
    position = result_def(INDEX)
    found = result_def(i1)
    assembly_format = (
        "$tensor $level `(` $parent_pos `,` $coordinate `)` attr-dict `:` type($tensor)"
    )

    def __init__(
        self, tensor: SSAValue, level: int, parent: SSAValue, coordinate: SSAValue
    ) -> None:
        super().__init__(
            operands=[tensor, parent, coordinate],
            properties=_level(level),
            result_types=[INDEX, i1],
        )


@irdl_op_definition
class LoadOp(IRDLOperation):
    """The value at a position of the last level."""

    name = "cfir.load"
    tensor = operand_def(TensorType)
    position = operand_def(INDEX)
    value = result_def()
    assembly_format = "$tensor `(` $position `)` attr-dict `:` type($tensor) `->` type($value)"

    def __init__(self, tensor: SSAValue, position: SSAValue) -> None:
        element = cast(TensorType[Attribute], tensor.type).element_type
        super().__init__(operands=[tensor, position], result_types=[element])

    def verify_(self) -> None:
        _verify_element(self, self.value, self.tensor)


@irdl_op_definition
class StoreOp(IRDLOperation):
    """Writes the value at a position of the last level."""

    name = "cfir.store"
    value = operand_def()
    tensor = operand_def(TensorType)
    position = operand_def(INDEX)
    assembly_format = (
        "$value `into` $tensor `(` $position `)` attr-dict `:` type($value) `,` type($tensor)"
    )

    def __init__(self, value: SSAValue, tensor: SSAValue, position: SSAValue) -> None:
        super().__init__(operands=[value, tensor, position])

    def verify_(self) -> None:
        _verify_element(self, self.value, self.tensor)


@irdl_op_definition
class AssembleOp(IRDLOperation):
    """
    Opens a result: dense levels exist in full, others are empty.

    `fill` is what the values of an all-dense result start from; without it they are all written
    later. `room` says how many entries each appended group of levels has room for at first. With
    `counted`, edges hold counts until `cfir.finish` sums them up: parents may be skipped.
    """

    name = "cfir.assemble"
    fill = opt_operand_def()
    room = var_operand_def(INDEX)
    counted = opt_prop_def(UnitAttr)
    result = result_def(TensorType)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "(`fill` $fill^ `:` type($fill))? (`room` `(` $room^ `)`)? (`counted` $counted^)? "
        "attr-dict `:` type($result)"
    )

    def __init__(
        self,
        type: Attribute,
        fill: SSAValue | None = None,
        room: Sequence[SSAValue] = (),
        *,
        counted: bool = False,
    ) -> None:
        super().__init__(
            operands=[fill, room],
            properties={"counted": UnitAttr()} if counted else {},
            result_types=[type],
        )


@irdl_op_definition
class PositionOp(_LevelOp):
    """The position that the next entry of an appended level will get."""

    name = "cfir.position"
    tensor = operand_def(TensorType)
    position = result_def(INDEX)
    assembly_format = "$tensor $level attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue, level: int) -> None:
        super().__init__(operands=[tensor], properties=_level(level), result_types=[INDEX])


@irdl_op_definition
class ReserveOp(_LevelOp):
    """
    Makes room for `count` more entries of an appended level and the levels that share its
    positions.
    """

    name = "cfir.reserve"
    tensor = operand_def(TensorType)
    count = operand_def(INDEX)
    assembly_format = "$tensor $level `(` $count `)` attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue, level: int, count: SSAValue) -> None:
        super().__init__(operands=[tensor, count], properties=_level(level))


@irdl_op_definition
class AppendCoordOp(_LevelOp):
    """`append_coord(p, i)`: the entry at position p has coordinate i."""

    name = "cfir.append_coord"
    tensor = operand_def(TensorType)
    position = operand_def(INDEX)
    coordinate = operand_def(INDEX)
    assembly_format = "$tensor $level `(` $position `,` $coordinate `)` attr-dict `:` type($tensor)"

    def __init__(
        self, tensor: SSAValue, level: int, position: SSAValue, coordinate: SSAValue
    ) -> None:
        super().__init__(operands=[tensor, position, coordinate], properties=_level(level))


@irdl_op_definition
class AppendEdgesOp(_LevelOp):
    """`append_edges(p, begin, end)`: the children of parent position p are [begin, end)."""

    name = "cfir.append_edges"
    tensor = operand_def(TensorType)
    parent_pos = operand_def(INDEX)
    begin = operand_def(INDEX)
    end = operand_def(INDEX)
    assembly_format = (
        "$tensor $level `(` $parent_pos `,` $begin `,` $end `)` attr-dict `:` type($tensor)"
    )

    def __init__(
        self, tensor: SSAValue, level: int, parent: SSAValue, begin: SSAValue, end: SSAValue
    ) -> None:
        super().__init__(operands=[tensor, parent, begin, end], properties=_level(level))


@irdl_op_definition
class AdvanceOp(_LevelOp):
    """The entry at the current position of an appended level is complete; the next one begins."""

    name = "cfir.advance"
    tensor = operand_def(TensorType)
    assembly_format = "$tensor $level attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue, level: int) -> None:
        super().__init__(operands=[tensor], properties=_level(level))


@irdl_op_definition
class FinishOp(IRDLOperation):
    """Closes a result: edges summed where they were counted, arrays cut to their lengths."""

    name = "cfir.finish"
    T: ClassVar = VarConstraint("T", base(TensorType))
    tensor = operand_def(T)
    result = result_def(T)
    assembly_format = "$tensor attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue) -> None:
        super().__init__(operands=[tensor], result_types=[tensor.type])


LEVEL_FUNCTIONS: tuple[type[Operation], ...] = (
    DimOp,
    CountOp,
    PosBoundsOp,
    PosAccessOp,
    LocateOp,
    LoadOp,
    StoreOp,
    AssembleOp,
    PositionOp,
    ReserveOp,
    AppendCoordOp,
    AppendEdgesOp,
    AdvanceOp,
    FinishOp,
)
