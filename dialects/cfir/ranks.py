"""
Level functions that count positions: what balances the work of several workers, and where each
begins.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import TensorType
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def, var_operand_def
from xdsl.traits import Pure

from tamale.dialects.cfir.level_function import INDEX, LevelFunction, level_number


@irdl_op_definition
class BelowOp(LevelFunction):
    """`below(n)`: how many positions a level has below the first n positions of the level above."""

    name = "cfir.below"
    tensor = operand_def(TensorType)
    parents = operand_def(INDEX)
    count = result_def(INDEX)
    traits = traits_def(Pure())
    assembly_format = "$tensor $level `(` $parents `)` attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue, level: int, parents: SSAValue) -> None:
        super().__init__(
            operands=[tensor, parents], properties=level_number(level), result_types=[INDEX]
        )


@irdl_op_definition
class RankOp(LevelFunction):
    """
    `rank(p, begin, end, i)`: where in [begin, end), the positions below p in ascending order of
    their coordinates, a walk has come to before coordinate i.

    All copies of a coordinate lie on the same side. `at` gives the coordinates of the levels above.
    """

    name = "cfir.rank"
    tensor = operand_def(TensorType)
    parent_pos = operand_def(INDEX)
    begin = operand_def(INDEX)
    end = operand_def(INDEX)
    coordinate = operand_def(INDEX)
    ancestors = var_operand_def(INDEX)
    position = result_def(INDEX)
    assembly_format = (
        "$tensor $level `(` $parent_pos `,` $begin `,` $end `,` $coordinate `)` "
        "(`at` `(` $ancestors^ `)`)? attr-dict `:` type($tensor)"
    )

    def __init__(
        self,
        tensor: SSAValue,
        level: int,
        parent: SSAValue,
        positions: tuple[SSAValue, SSAValue],
        coordinate: SSAValue,
        ancestors: Sequence[SSAValue] = (),
    ) -> None:
        super().__init__(
            operands=[tensor, parent, *positions, coordinate, ancestors],
            properties=level_number(level),
            result_types=[INDEX],
        )
