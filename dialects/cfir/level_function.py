"""What all level functions share: a tensor, one of its levels, and the attributes for them."""

from __future__ import annotations

from abc import ABC
from functools import cache
from typing import cast

from xdsl.dialects.builtin import I64, IndexType, IntegerAttr, TensorType, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, prop_def
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.format.attribute import tensor_format

INDEX = IndexType()


class LevelFunction(IRDLOperation, ABC):
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


def verify_element(op: Operation, value: SSAValue, tensor: SSAValue) -> None:
    element = cast(TensorType[Attribute], tensor.type).element_type
    if value.type != element:
        raise VerifyException(f"{op.name}: {value.type} is no element of a tensor of {element}")


def level_number(level: int) -> dict[str, Attribute]:
    return {"level": number(level)}


@cache
def number(value: int) -> IntegerAttr[I64]:
    return IntegerAttr(value, i64)
