"""
The storage half of cfir: level functions on tensors, still without a storage of their own.

`lower-lattices` emits these between loops of scf; `lower-levels` replaces each by what the level's
kind means by it. Positions and coordinates are of type index. Levels count from 0.

Source: Chou et al., OOPSLA 2018 (level functions); Chou et al., PLDI 2020, sec. 6 (assembly).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import I64, IntegerAttr, TensorType, UnitAttr
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
    result_def,
    var_operand_def,
)

from tamale.dialects.cfir.level_function import (
    INDEX,
    LevelFunction,
    level_number,
    verify_element,
)
from tamale.dialects.cfir.walking import (
    CoordBoundsOp,
    CountOp,
    DimOp,
    LocateOp,
    PosAccessOp,
    PosBoundsOp,
    PosFoundOp,
    PrefetchOp,
)

__all__ = [
    "LEVEL_FUNCTIONS",
    "AdvanceOp",
    "AppendCoordOp",
    "AppendEdgesOp",
    "AssembleOp",
    "CoordBoundsOp",
    "CountOp",
    "DimOp",
    "FinishOp",
    "LoadOp",
    "LocateOp",
    "PosAccessOp",
    "PosBoundsOp",
    "PosFoundOp",
    "PositionOp",
    "PrefetchOp",
    "ReserveOp",
    "StoreOp",
]


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
        verify_element(self, self.value, self.tensor)


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
        verify_element(self, self.value, self.tensor)


@irdl_op_definition
class AssembleOp(IRDLOperation):
    """
    Opens a result: dense levels exist in full, others are empty.

    `fill` is what the values of an all-dense result start from; without it they are all written
    later. Several `workers` share the writing. `dims` gives the sizes of a dense tensor that the
    function keeps to itself. `room` says how many entries each appended group of levels has room
    for at first. With `counted`, edges hold counts until `cfir.finish` sums them up: parents may
    be skipped.
    """

    name = "cfir.assemble"
    fill = opt_operand_def()
    dims = var_operand_def(INDEX)
    room = var_operand_def(INDEX)
    counted = opt_prop_def(UnitAttr)
    workers = opt_prop_def(IntegerAttr[I64])
    result = result_def(TensorType)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "(`fill` $fill^ `:` type($fill))? (`workers` $workers^)? (`dims` `(` $dims^ `)`)? "
        "(`room` `(` $room^ `)`)? (`counted` $counted^)? attr-dict `:` type($result)"
    )

    def __init__(
        self,
        type: Attribute,
        fill: SSAValue | None = None,
        room: Sequence[SSAValue] = (),
        *,
        dims: Sequence[SSAValue] = (),
        counted: bool = False,
    ) -> None:
        super().__init__(
            operands=[fill, dims, room],
            properties={"counted": UnitAttr()} if counted else {},
            result_types=[type],
        )


@irdl_op_definition
class PositionOp(LevelFunction):
    """The position that the next entry of an appended level will get."""

    name = "cfir.position"
    tensor = operand_def(TensorType)
    position = result_def(INDEX)
    assembly_format = "$tensor $level attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue, level: int) -> None:
        super().__init__(operands=[tensor], properties=level_number(level), result_types=[INDEX])


@irdl_op_definition
class ReserveOp(LevelFunction):
    """
    Makes room for `count` more entries of an appended level and the levels that share its
    positions.
    """

    name = "cfir.reserve"
    tensor = operand_def(TensorType)
    count = operand_def(INDEX)
    assembly_format = "$tensor $level `(` $count `)` attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue, level: int, count: SSAValue) -> None:
        super().__init__(operands=[tensor, count], properties=level_number(level))


@irdl_op_definition
class AppendCoordOp(LevelFunction):
    """`append_coord(p, i)`: the entry at position p has coordinate i."""

    name = "cfir.append_coord"
    tensor = operand_def(TensorType)
    position = operand_def(INDEX)
    coordinate = operand_def(INDEX)
    assembly_format = "$tensor $level `(` $position `,` $coordinate `)` attr-dict `:` type($tensor)"

    def __init__(
        self, tensor: SSAValue, level: int, position: SSAValue, coordinate: SSAValue
    ) -> None:
        super().__init__(operands=[tensor, position, coordinate], properties=level_number(level))


@irdl_op_definition
class AppendEdgesOp(LevelFunction):
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
        super().__init__(operands=[tensor, parent, begin, end], properties=level_number(level))


@irdl_op_definition
class AdvanceOp(LevelFunction):
    """The entry at the current position of an appended level is complete; the next one begins."""

    name = "cfir.advance"
    tensor = operand_def(TensorType)
    assembly_format = "$tensor $level attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue, level: int) -> None:
        super().__init__(operands=[tensor], properties=level_number(level))


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
    PosFoundOp,
    CoordBoundsOp,
    LocateOp,
    PrefetchOp,
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
