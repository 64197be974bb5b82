"""Workspaces of one parent's size: which coordinates a parent has had, and where they are."""

from __future__ import annotations

from xdsl.dialects.builtin import TensorType, i1
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def, var_operand_def

from tamale.dialects.assembly.entries import verify_in_loop
from tamale.dialects.assembly.level_functions import Placing
from tamale.dialects.cfir.level_function import INDEX, LevelFunction, level_number


@irdl_op_definition
class StampOp(LevelFunction):
    """
    `stamp(p, i) -> new`: whether no entry before had the coordinate i below parent position p.

        %new = assembly.stamp %B 1(%p, %j) : tensor<B>

    Entries come parent by parent: an array holds the parent that each coordinate was last met
    below, so that nothing is cleared from one parent to the next. Inside of a loop over entries.
    """

    name = "assembly.stamp"
    tensor = operand_def(TensorType)
    parent_pos = operand_def(INDEX)
    coordinate = operand_def(INDEX)
    result = result_def(i1)
    assembly_format = (
        "$tensor $level `(` $parent_pos `,` $coordinate `)` attr-dict `:` type($tensor)"
    )

    def __init__(
        self, tensor: SSAValue, level: int, parent: SSAValue, coordinate: SSAValue
    ) -> None:
        super().__init__(
            operands=[tensor, parent, coordinate],
            properties=level_number(level),
            result_types=[i1],
        )

    def verify_(self) -> None:
        super().verify_()
        verify_in_loop(self)


@irdl_op_definition
class RankOp(Placing):
    """
    `rank(p, i1..ik) -> p'`: the position of a coordinate that the level has already.

        %p2 = assembly.rank %B 1(%p, %i, %j) : tensor<B>

    Entries come parent by parent: at a new one, the positions of all its coordinates are written
    into an array. Inside of a loop over entries.
    """

    name = "assembly.rank"
    tensor = operand_def(TensorType)
    parent_pos = operand_def(INDEX)
    coordinates = var_operand_def(INDEX)
    position = result_def(INDEX)
    assembly_format = (
        "$tensor $level `(` $parent_pos (`,` $coordinates^)? `)` attr-dict `:` type($tensor)"
    )

    def verify_(self) -> None:
        super().verify_()
        verify_in_loop(self)
