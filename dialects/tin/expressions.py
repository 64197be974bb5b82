"""Values inside a kernel: accesses, numbers, element-wise operators and broadcasts."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import ArrayAttr, FloatAttr, IntegerAttr, StringAttr, TensorType
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.errors import TamaleError
from tamale.dialects.format.attribute import tensor_format
from tamale.dialects.operators import operator_named
from tamale.dialects.tin.binding import INDEX, Binding


def verify_format(type: TensorType[Attribute], what: str) -> None:
    """A tensor's format must have as many modes as the tensor."""
    try:
        tensor_format(type)
    except TamaleError as error:
        raise VerifyException(f"tin: {what}: {error}") from error


@irdl_op_definition
class AccessOp(IRDLOperation):
    """
    `%A[%i, %j]`: the stored value at those coordinates, or the fill value where nothing is stored.

    The result may be a wider type than the tensor's elements; the value is then converted.
    """

    name = "tin.access"
    tensor = operand_def(TensorType)
    indices = var_operand_def(INDEX)
    result = result_def()
    traits = traits_def(Pure())
    assembly_format = "$tensor `[` $indices `]` attr-dict `:` type($tensor) `->` type($result)"

    def __init__(self, tensor: SSAValue, indices: Sequence[SSAValue], type: Attribute) -> None:
        super().__init__(operands=[tensor, indices], result_types=[type])

    @property
    def tensor_type(self) -> TensorType[Attribute]:
        return cast(TensorType[Attribute], self.tensor.type)

    def verify_(self) -> None:
        who = f"tin.access of {self.tensor.name_hint or 'a tensor'}"
        order = self.tensor_type.get_num_dims()
        if len(self.indices) != order:
            raise VerifyException(f"{who}: {len(self.indices)} index variables for order {order}")
        verify_format(self.tensor_type, who)
        for index in self.indices:
            if not (
                isinstance(index, BlockArgument) and isinstance(index.owner.parent_op(), Binding)
            ):
                raise VerifyException(
                    f"{who}: '{index.name_hint or index.index}' is not bound by an enclosing "  # pyright: ignore[reportAttributeAccessIssue,reportUnknownMemberType]
                    "tin.kernel or reduction"
                )


@irdl_op_definition
class LiteralOp(IRDLOperation):
    """A number. A complex literal gives its real and imaginary parts."""

    name = "tin.literal"
    value = prop_def(IntegerAttr | FloatAttr | ArrayAttr[FloatAttr])
    result = result_def()
    traits = traits_def(Pure())
    assembly_format = "$value attr-dict `:` type($result)"

    def __init__(self, value: Attribute, type: Attribute) -> None:
        super().__init__(properties={"value": value}, result_types=[type])


class _Elementwise(IRDLOperation, ABC):
    """Shared by the binary ops: operands and result of one type."""

    T: ClassVar = VarConstraint("T", AnyAttr())
    lhs = operand_def(T)
    rhs = operand_def(T)
    result = result_def(T)
    traits = traits_def(Pure())
    assembly_format = "$lhs `,` $rhs attr-dict `:` type($result)"

    def __init__(self, lhs: SSAValue, rhs: SSAValue) -> None:
        super().__init__(operands=[lhs, rhs], result_types=[lhs.type])


@irdl_op_definition
class AddOp(_Elementwise):
    """Addition: coordinates of either operand."""

    name = "tin.add"


@irdl_op_definition
class SubOp(_Elementwise):
    """Subtraction: coordinates of either operand."""

    name = "tin.sub"


@irdl_op_definition
class MulOp(_Elementwise):
    """Multiplication: coordinates of both operands."""

    name = "tin.mul"


@irdl_op_definition
class DivOp(_Elementwise):
    """Division: coordinates of the dividend; an absent divisor counts as zero."""

    name = "tin.div"


@irdl_op_definition
class NegOp(IRDLOperation):
    """Negation: coordinates of the operand."""

    name = "tin.neg"
    T: ClassVar = VarConstraint("T", AnyAttr())
    operand = operand_def(T)
    result = result_def(T)
    traits = traits_def(Pure())
    assembly_format = "$operand attr-dict `:` type($result)"

    def __init__(self, operand: SSAValue) -> None:
        super().__init__(operands=[operand], result_types=[operand.type])


@irdl_op_definition
class MapOp(IRDLOperation):
    """Any declared operator, element by element: `tin.map "max" %a, %b : f64`."""

    name = "tin.map"
    operator = prop_def(StringAttr)
    T: ClassVar = VarConstraint("T", AnyAttr())
    arguments = var_operand_def(T)
    result = result_def(T)
    traits = traits_def(Pure())
    assembly_format = "$operator $arguments attr-dict `:` type($result)"

    def __init__(self, operator: str, arguments: Sequence[SSAValue]) -> None:
        super().__init__(
            operands=[arguments],
            properties={"operator": StringAttr(operator)},
            result_types=[arguments[0].type],
        )

    def verify_(self) -> None:
        try:
            operator = operator_named(self.operator.data)
        except TamaleError as error:
            raise VerifyException(f"tin.map: {error}") from error
        if operator.arity != len(self.arguments):
            raise VerifyException(
                f"tin.map: '{operator.name}' takes {operator.arity} arguments, "
                f"got {len(self.arguments)}"
            )


@irdl_op_definition
class BroadcastOp(IRDLOperation):
    """`%b` repeated along the modes `%j`, ...: the same value at each of their coordinates."""

    name = "tin.broadcast"
    T: ClassVar = VarConstraint("T", AnyAttr())
    operand = operand_def(T)
    over = var_operand_def(INDEX)
    result = result_def(T)
    traits = traits_def(Pure())
    assembly_format = "$operand `over` $over attr-dict `:` type($result)"

    def __init__(self, operand: SSAValue, over: Sequence[SSAValue]) -> None:
        super().__init__(operands=[operand, over], result_types=[operand.type])

    def verify_(self) -> None:
        for variable in self.over:
            if variable in free_variables(self.operand):
                raise VerifyException(
                    f"tin.broadcast over '{variable.name_hint}': the operand already depends on it"
                )


def free_variables(value: SSAValue) -> set[SSAValue]:
    """The index variables that `value` depends on and that are not bound below it."""
    op = value.owner
    if not isinstance(op, Operation):
        return set()
    if isinstance(op, AccessOp):
        return set(op.indices)
    if isinstance(op, Binding):
        return free_variables(op.yielded) - set(op.variables)
    free: set[SSAValue] = set(op.over) if isinstance(op, BroadcastOp) else set()
    for operand in op.operands:
        free |= free_variables(operand)
    return free
