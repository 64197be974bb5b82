"""
tin, tensor index notation: *what* to compute, with no loops and no storage.

A kernel names index variables and yields one value per coordinate of its result:

    %y = tin.kernel %i {
      %s = tin.sum %j {
        %a = tin.access %A[%i, %j] : tensor<?x?xf64, #csr> -> f64
        %b = tin.access %x[%j] : tensor<?xf64> -> f64
        %m = tin.mul %a, %b : f64
        tin.yield %m : f64
      } : f64
      tin.yield %s : f64
    } : tensor<?xf64>

Source: Kjolstad et al., OOPSLA 2017 (index notation); Root et al., OOPSLA 2024 (broadcast as an operator).
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    FloatAttr,
    IndexType,
    IntegerAttr,
    StringAttr,
    TensorType,
)
from xdsl.ir import Attribute, Block, BlockArgument, Dialect, Operation, Region, SSAValue
from xdsl.irdl import (
    AnyAttr,
    IRDLOperation,
    VarConstraint,
    base,
    irdl_op_definition,
    lazy_traits_def,
    operand_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import HasParent, IsTerminator, Pure, RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.errors import TamaleError
from tamale.dialects.format.attribute import tensor_format
from tamale.dialects.operators import operator_named

INDEX = IndexType()


def _parse_variables(parser: Parser) -> list[Parser.Argument]:
    """`%i, %j`: the index variables that a region binds; there may be none."""
    first = parser.parse_optional_argument(expect_type=False)
    names = [] if first is None else [first]
    while names and parser.parse_optional_punctuation(","):
        names.append(parser.parse_argument(expect_type=False))
    return names


def _parse_binding_region(parser: Parser) -> Region:
    names = _parse_variables(parser)
    return parser.parse_region([name.resolve(INDEX) for name in names])


def _print_binding_region(printer: Printer, region: Region) -> None:
    if region.block.args:
        printer.print_string(" ")
        printer.print_list(region.block.args, printer.print_ssa_value)
    printer.print_string(" ")
    printer.print_region(region, print_entry_block_args=False)


def _yielded(region: Region) -> SSAValue:
    last = region.block.last_op
    assert isinstance(last, YieldOp)
    return last.value


class _Binding(IRDLOperation, ABC):
    """Shared by the ops whose region binds index variables and yields one value."""

    body = region_def("single_block")

    @property
    def variables(self) -> Sequence[BlockArgument]:
        return self.body.block.args

    @property
    def yielded(self) -> SSAValue:
        return _yielded(self.body)

    def _verify_region(self, who: str) -> None:
        if not isinstance(self.body.block.last_op, YieldOp):
            raise VerifyException(f"{who}: the body must end in tin.yield")
        if any(argument.type != INDEX for argument in self.variables):
            raise VerifyException(f"{who}: index variables are of type index")


@irdl_op_definition
class YieldOp(IRDLOperation):
    """The value of the enclosing kernel or reduction at the current coordinates."""

    name = "tin.yield"
    value = operand_def()
    traits = lazy_traits_def(lambda: (IsTerminator(), Pure(), HasParent(KernelOp, SumOp, ReduceOp)))
    assembly_format = "$value attr-dict `:` type($value)"

    def __init__(self, value: SSAValue | Operation) -> None:
        super().__init__(operands=[value])


@irdl_op_definition
class KernelOp(_Binding):
    """
    One tensor, given by its value at every coordinate.

    The bound index variables are the result's modes in order; how the result is stored is the
    encoding of its type. Tensors come from outside, index variables from here or from reductions.
    """

    name = "tin.kernel"
    result = result_def(TensorType)
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(self, body: Region, result_type: TensorType[Attribute]) -> None:
        super().__init__(regions=[body], result_types=[result_type])

    @classmethod
    def parse(cls, parser: Parser) -> KernelOp:
        region = _parse_binding_region(parser)
        parser.parse_punctuation(":")
        op = cls(region, cast(TensorType[Attribute], parser.parse_type()))
        return op

    def print(self, printer: Printer) -> None:
        _print_binding_region(printer, self.body)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        self._verify_region("tin.kernel")
        type = cast(TensorType[Attribute], self.result.type)
        if len(self.variables) != type.get_num_dims():
            raise VerifyException(
                f"tin.kernel: {len(self.variables)} index variables for a result of order "
                f"{type.get_num_dims()}"
            )
        verify_format(type, "the result")
        if self.yielded.type != type.element_type:
            raise VerifyException(
                f"tin.kernel yields {self.yielded.type}, but its result holds {type.element_type}"
            )
        _verify_sizes(self)


def verify_format(type: TensorType[Attribute], what: str) -> None:
    """A tensor's format must have as many modes as the tensor."""
    try:
        tensor_format(type)
    except TamaleError as error:
        raise VerifyException(f"tin: {what}: {error}") from error


def _verify_sizes(kernel: KernelOp) -> None:
    """Index variables that meet two static sizes are an error that names both."""
    type = cast(TensorType[Attribute], kernel.result.type)
    sizes: dict[SSAValue, tuple[int, str]] = {}
    uses = [(list(kernel.variables), type, "the result")]
    uses += [
        (list(op.indices), op.tensor_type, op.tensor.name_hint or "a tensor")
        for op in kernel.body.walk()
        if isinstance(op, AccessOp)
    ]
    for indices, tensor_type, who in uses:
        for variable, size in zip(indices, tensor_type.get_shape(), strict=True):
            if size == DYNAMIC_INDEX:
                continue
            known, first = sizes.setdefault(variable, (size, who))
            if known != size:
                raise VerifyException(
                    f"tin.kernel: index variable '{variable.name_hint}' has size {known} in {first} "
                    f"and {size} in {who}"
                )


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
    assembly_format = (
        "$tensor `[` $indices `]` attr-dict `:` type($tensor) `->` type($result)"
    )

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
            if not (isinstance(index, BlockArgument) and isinstance(index.owner.parent_op(), _Binding)):
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


class _Reduction(_Binding, ABC):
    """Shared by the reductions."""

    result = result_def()

    def _verify_reduction(self, who: str) -> None:
        self._verify_region(who)
        if self.yielded.type != self.result.type:
            raise VerifyException(f"{who} yields {self.yielded.type}, not {self.result.type}")
        free = free_variables(self.yielded)
        for variable in self.variables:
            if variable not in free:
                raise VerifyException(
                    f"{who}: the body does not depend on index variable '{variable.name_hint}'"
                )


@irdl_op_definition
class SumOp(_Reduction):
    """The sum of the body over the bound index variables."""

    name = "tin.sum"
    traits = traits_def(Pure())

    def __init__(self, body: Region, type: Attribute) -> None:
        super().__init__(regions=[body], result_types=[type])

    @classmethod
    def parse(cls, parser: Parser) -> SumOp:
        region = _parse_binding_region(parser)
        parser.parse_punctuation(":")
        return cls(region, parser.parse_type())

    def print(self, printer: Printer) -> None:
        _print_binding_region(printer, self.body)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        self._verify_reduction("tin.sum")


@irdl_op_definition
class ReduceOp(_Reduction):
    """A reduction by any commutative, associative operator: `tin.reduce "max" %j { ... } : f64`."""

    name = "tin.reduce"
    operator = prop_def(StringAttr)
    traits = traits_def(Pure())

    def __init__(self, operator: str, body: Region, type: Attribute) -> None:
        super().__init__(
            regions=[body], properties={"operator": StringAttr(operator)}, result_types=[type]
        )

    @classmethod
    def parse(cls, parser: Parser) -> ReduceOp:
        operator = parser.parse_str_literal()
        region = _parse_binding_region(parser)
        parser.parse_punctuation(":")
        return cls(operator, region, parser.parse_type())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.operator.data)
        _print_binding_region(printer, self.body)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        try:
            operator = operator_named(self.operator.data)
        except TamaleError as error:
            raise VerifyException(f"tin.reduce: {error}") from error
        if operator.reduction_identity is None:
            raise VerifyException(
                f"tin.reduce: '{operator.name}' cannot reduce; a reduction needs a commutative, "
                "associative operator with an identity"
            )
        self._verify_reduction("tin.reduce")


def free_variables(value: SSAValue) -> set[SSAValue]:
    """The index variables that `value` depends on and that are not bound below it."""
    op = value.owner
    if not isinstance(op, Operation):
        return set()
    if isinstance(op, AccessOp):
        return set(op.indices)
    if isinstance(op, _Reduction):
        return free_variables(op.yielded) - set(op.variables)
    free: set[SSAValue] = set(op.over) if isinstance(op, BroadcastOp) else set()
    for operand in op.operands:
        free |= free_variables(operand)
    return free


TIN = Dialect(
    "tin",
    [
        KernelOp,
        SumOp,
        ReduceOp,
        AccessOp,
        LiteralOp,
        AddOp,
        SubOp,
        MulOp,
        DivOp,
        NegOp,
        MapOp,
        BroadcastOp,
        YieldOp,
    ],
    [],
)
