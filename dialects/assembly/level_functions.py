"""
The level functions of assembly as ops: each names a tensor under assembly and one of its levels.

Positions and coordinates are of type index; levels count from 0. `lower-levels` replaces each op
by what the level's kind means by it (`passes/levels/functions.py` says what each must do).
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import TensorType, UnitAttr
from xdsl.ir import Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    result_def,
    var_operand_def,
)
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.assembly.opening import OpenOp
from tamale.dialects.cfir.level_function import (
    INDEX,
    LevelFunction,
    level_number,
    verify_element,
)


class _WholeLevel(LevelFunction):
    """A level function that is called once per level."""

    def __init__(self, tensor: SSAValue, level: int, *, sequenced: bool = False) -> None:
        properties = level_number(level)
        if sequenced:
            properties["sequenced"] = UnitAttr()
        super().__init__(operands=[tensor], properties=properties)


@irdl_op_definition
class InitEdgesOp(_WholeLevel):
    """`seq_init_edges` or `unseq_init_edges`: before the level's first edge."""

    name = "assembly.init_edges"
    tensor = operand_def(TensorType)
    sequenced = opt_prop_def(UnitAttr)
    assembly_format = "$tensor $level (`sequenced` $sequenced^)? attr-dict `:` type($tensor)"


@irdl_op_definition
class FinalizeEdgesOp(_WholeLevel):
    """`unseq_finalize_edges`: after the level's last edge, where they came in any order."""

    name = "assembly.finalize_edges"
    tensor = operand_def(TensorType)
    assembly_format = "$tensor $level attr-dict `:` type($tensor)"


@irdl_op_definition
class InitCoordsOp(_WholeLevel):
    """`init_coords`: makes the level's arrays of coordinates."""

    name = "assembly.init_coords"
    tensor = operand_def(TensorType)
    assembly_format = "$tensor $level attr-dict `:` type($tensor)"


@irdl_op_definition
class InitPosOp(_WholeLevel):
    """`init_get_pos` or `init_yield_pos`: before the level's first position is asked for."""

    name = "assembly.init_pos"
    tensor = operand_def(TensorType)
    assembly_format = "$tensor $level attr-dict `:` type($tensor)"


@irdl_op_definition
class FinalizePosOp(_WholeLevel):
    """`finalize_get_pos` or `finalize_yield_pos`: after the level's last position."""

    name = "assembly.finalize_pos"
    tensor = operand_def(TensorType)
    assembly_format = "$tensor $level attr-dict `:` type($tensor)"


@irdl_op_definition
class InsertEdgesOp(LevelFunction):
    """`insert_edges(p, i1..)`: room below parent position p with these coordinates."""

    name = "assembly.insert_edges"
    tensor = operand_def(TensorType)
    parent_pos = operand_def(INDEX)
    coordinates = var_operand_def(INDEX)
    sequenced = opt_prop_def(UnitAttr)
    assembly_format = (
        "$tensor $level `(` $parent_pos (`,` $coordinates^)? `)` (`sequenced` $sequenced^)? "
        "attr-dict `:` type($tensor)"
    )

    def __init__(
        self,
        tensor: SSAValue,
        level: int,
        parent: SSAValue,
        coordinates: Sequence[SSAValue],
        *,
        sequenced: bool,
    ) -> None:
        properties = level_number(level)
        if sequenced:
            properties["sequenced"] = UnitAttr()
        super().__init__(operands=[tensor, parent, coordinates], properties=properties)

    def verify_(self) -> None:
        super().verify_()
        verify_coordinates(self, self.coordinates, self.level_index)


@irdl_op_definition
class CountEdgeOp(LevelFunction):
    """`count_edge(p)`: room for one more child below parent position p."""

    name = "assembly.count_edge"
    tensor = operand_def(TensorType)
    parent_pos = operand_def(INDEX)
    assembly_format = "$tensor $level `(` $parent_pos `)` attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue, level: int, parent: SSAValue) -> None:
        super().__init__(operands=[tensor, parent], properties=level_number(level))


class Placing(LevelFunction, ABC):
    """Finds the position of an entry's coordinate: how such ops are made, and what they need."""

    def __init__(
        self, tensor: SSAValue, level: int, parent: SSAValue, coordinates: Sequence[SSAValue]
    ) -> None:
        super().__init__(
            operands=[tensor, parent, coordinates],
            properties=level_number(level),
            result_types=[INDEX],
        )

    def verify_(self) -> None:
        super().verify_()
        verify_coordinates(self, self.operands[2:], self.level_index + 1)


@irdl_op_definition
class GetPosOp(Placing):
    """`get_pos(p, i1..ik) -> p'`: the same position for the same coordinates."""

    name = "assembly.get_pos"
    tensor = operand_def(TensorType)
    parent_pos = operand_def(INDEX)
    coordinates = var_operand_def(INDEX)
    position = result_def(INDEX)
    assembly_format = (
        "$tensor $level `(` $parent_pos (`,` $coordinates^)? `)` attr-dict `:` type($tensor)"
    )


@irdl_op_definition
class YieldPosOp(LevelFunction):
    """`yield_pos(p) -> p'`: the next free position below a parent position."""

    name = "assembly.yield_pos"
    tensor = operand_def(TensorType)
    parent_pos = operand_def(INDEX)
    position = result_def(INDEX)
    assembly_format = "$tensor $level `(` $parent_pos `)` attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue, level: int, parent: SSAValue) -> None:
        super().__init__(
            operands=[tensor, parent], properties=level_number(level), result_types=[INDEX]
        )


@irdl_op_definition
class InsertCoordOp(LevelFunction):
    """`insert_coord(p, p', i1..ik)`: the entry at position p' has coordinate ik."""

    name = "assembly.insert_coord"
    tensor = operand_def(TensorType)
    parent_pos = operand_def(INDEX)
    position = operand_def(INDEX)
    coordinates = var_operand_def(INDEX)
    assembly_format = (
        "$tensor $level `(` $parent_pos `,` $position (`,` $coordinates^)? `)` attr-dict `:` "
        "type($tensor)"
    )

    def __init__(
        self,
        tensor: SSAValue,
        level: int,
        parent: SSAValue,
        position: SSAValue,
        coordinates: Sequence[SSAValue],
    ) -> None:
        super().__init__(
            operands=[tensor, parent, position, coordinates], properties=level_number(level)
        )

    def verify_(self) -> None:
        super().verify_()
        verify_coordinates(self, self.coordinates, self.level_index + 1)


def verify_coordinates(op: LevelFunction, coordinates: Sequence[SSAValue], count: int) -> None:
    """As many coordinates as levels."""
    if len(coordinates) != count:
        raise VerifyException(
            f"{op.name}: {len(coordinates)} coordinates for level {op.level_index}, "
            f"which needs {count}"
        )


@irdl_op_definition
class InitValuesOp(IRDLOperation):
    """Makes the array of values; zeroed where a position may get no value, or several."""

    name = "assembly.init_values"
    tensor = operand_def(TensorType)
    zeroed = opt_prop_def(UnitAttr)
    assembly_format = "$tensor (`zeroed` $zeroed^)? attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue, *, zeroed: bool) -> None:
        super().__init__(operands=[tensor], properties={"zeroed": UnitAttr()} if zeroed else {})


@irdl_op_definition
class StoreOp(IRDLOperation):
    """Writes the value at a position of the last level, or adds to it."""

    name = "assembly.store"
    value = operand_def()
    tensor = operand_def(TensorType)
    position = operand_def(INDEX)
    adding = opt_prop_def(UnitAttr)
    assembly_format = (
        "$value `into` $tensor `(` $position `)` (`adding` $adding^)? attr-dict "
        "`:` type($value) `,` type($tensor)"
    )

    def __init__(
        self, value: SSAValue, tensor: SSAValue, position: SSAValue, *, adding: bool
    ) -> None:
        super().__init__(
            operands=[value, tensor, position],
            properties={"adding": UnitAttr()} if adding else {},
        )

    def verify_(self) -> None:
        verify_element(self, self.value, self.tensor)


@irdl_op_definition
class FinishOp(IRDLOperation):
    """The assembled tensor, complete."""

    name = "assembly.finish"
    T: ClassVar = VarConstraint("T", base(TensorType))
    tensor = operand_def(T)
    result = result_def(T)
    assembly_format = "$tensor attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue) -> None:
        super().__init__(operands=[tensor], result_types=[tensor.type])


LEVEL_FUNCTIONS: tuple[type[Operation], ...] = (
    OpenOp,
    InitEdgesOp,
    InsertEdgesOp,
    CountEdgeOp,
    FinalizeEdgesOp,
    InitCoordsOp,
    InitPosOp,
    GetPosOp,
    YieldPosOp,
    InsertCoordOp,
    FinalizePosOp,
    InitValuesOp,
    StoreOp,
    FinishOp,
)
