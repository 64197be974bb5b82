"""
Sparse results in parts: what several workers append to, each for itself, and what is made of it.

A part is a result under assembly with the result's levels. Where dense levels lie above the first
appended one, it has the edges of some of their positions alone, which are counted from 0. Parts
that are closed can be walked; their entries are put one after the other into the result.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import I64, IntegerAttr, TensorType, UnitAttr
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
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

from tamale.dialects.cfir.level_function import INDEX, number
from tamale.dialects.format.attribute import tensor_format


@irdl_op_definition
class PartsOp(IRDLOperation):
    """
    A sparse result in so many parts, none of which is there yet.

    `dims` gives the sizes of a result that the function keeps to itself.
    """

    name = "cfir.parts"
    count = prop_def(IntegerAttr[I64])
    dims = var_operand_def(INDEX)
    result = result_def(TensorType)
    assembly_format = "$count (`dims` `(` $dims^ `)`)? attr-dict `:` type($result)"

    def __init__(self, count: int, type: Attribute, dims: Sequence[SSAValue] = ()) -> None:
        super().__init__(operands=[dims], properties={"count": number(count)}, result_types=[type])

    def verify_(self) -> None:
        if self.count.value.data < 1:
            raise VerifyException(f"{self.name}: a result in {self.count.value.data} parts")
        if tensor_format(self.result.type).all_dense:
            raise VerifyException(f"{self.name}: a dense result is written where it is")


@irdl_op_definition
class OpenPartOp(IRDLOperation):
    """
    Opens one worker's part, with `room` as in `cfir.assemble`; below dense levels, for that many
    `parents`.
    """

    name = "cfir.open_part"
    parts = operand_def(TensorType)
    parents = opt_operand_def(INDEX)
    room = var_operand_def(INDEX)
    counted = opt_prop_def(UnitAttr)
    result = result_def(TensorType)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "$parts (`parents` `(` $parents^ `)`)? `room` `(` $room `)` (`counted` $counted^)? "
        "attr-dict `:` type($parts) `->` type($result)"
    )

    def __init__(
        self,
        parts: SSAValue,
        parents: SSAValue | None,
        room: Sequence[SSAValue],
        *,
        counted: bool,
    ) -> None:
        super().__init__(
            operands=[parts, parents, room],
            properties={"counted": UnitAttr()} if counted else {},
            result_types=[parts.type],
        )


@irdl_op_definition
class ClosePartOp(IRDLOperation):
    """Closes a part, which is that of `worker` from then on."""

    name = "cfir.close_part"
    part = operand_def(TensorType)
    parts = operand_def(TensorType)
    worker = operand_def(INDEX)
    assembly_format = "$part `as` $parts `(` $worker `)` attr-dict `:` type($part) `,` type($parts)"

    def __init__(self, part: SSAValue, parts: SSAValue, worker: SSAValue) -> None:
        super().__init__(operands=[part, parts, worker])


@irdl_op_definition
class PartOp(IRDLOperation):
    """The part of a worker, to be walked."""

    name = "cfir.part"
    parts = operand_def(TensorType)
    worker = operand_def(INDEX)
    result = result_def(TensorType)
    traits = traits_def(Pure())
    assembly_format = "$parts `(` $worker `)` attr-dict `:` type($parts) `->` type($result)"

    def __init__(self, parts: SSAValue, worker: SSAValue) -> None:
        super().__init__(operands=[parts, worker], result_types=[parts.type])


@irdl_op_definition
class JoinOp(IRDLOperation):
    """
    The result that parts are joined to: it begins with what the first part holds, and has room for
    as many entries in each appended group of levels as `room` says. They may be written in any
    order, and the first part can still be walked.
    """

    name = "cfir.join"
    parts = operand_def(TensorType)
    room = var_operand_def(INDEX)
    result = result_def(TensorType)
    assembly_format = "$parts `room` `(` $room `)` attr-dict `:` type($parts) `->` type($result)"

    def __init__(self, parts: SSAValue, room: Sequence[SSAValue]) -> None:
        super().__init__(operands=[parts, room], result_types=[parts.type])


@irdl_op_definition
class FreePartsOp(IRDLOperation):
    """Gives back what parts are stored in; what the first one is belongs to the joined result."""

    name = "cfir.free_parts"
    parts = operand_def(TensorType)
    assembly_format = "$parts attr-dict `:` type($parts)"

    def __init__(self, parts: SSAValue) -> None:
        super().__init__(operands=[parts])


PART_FUNCTIONS = (PartsOp, OpenPartOp, ClosePartOp, PartOp, JoinOp, FreePartsOp)
