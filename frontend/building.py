"""A request as a module of tin: one function, one kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    ComplexType,
    FloatAttr,
    FunctionType,
    ModuleOp,
    TensorType,
    f32,
    f64,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from tamale.dialects import tin
from tamale.dialects.format.attribute import FormatAttr
from tamale.dialects.format.spec import Format
from tamale.dialects.notation.ast import Access, Call, Expr, Literal, Reduce
from tamale.frontend.notation.reductions import free_variables
from tamale.frontend.request import Request
from tamale.passes.emit.arithmetic import kind_of, number_attribute, part_type

ELEMENT_TYPES: Mapping[str, Attribute] = {
    "float64": f64,
    "float32": f32,
    "complex128": ComplexType(f64),
    "complex64": ComplexType(f32),
    "int64": i64,
    "int32": i32,
    "int16": i16,
    "int8": i8,
}
_ELEMENTWISE: Mapping[str, Callable[[SSAValue, SSAValue], Operation]] = {
    "add": tin.AddOp,
    "sub": tin.SubOp,
    "mul": tin.MulOp,
    "div": tin.DivOp,
}


def build_module(request: Request) -> ModuleOp:
    """
    A module with the function `request.name`: its operands in order of appearance, and the result.
    """
    types = [tensor_type(o.format, o.dtype) for o in request.operands]
    result_type = tensor_type(request.result_format, request.dtype)
    block = Block(arg_types=types)
    for operand, argument in zip(request.operands, block.args, strict=True):
        # A tensor that is also the result is read under another name, as it was.
        read = operand.name == request.result.tensor
        argument.name_hint = f"{operand.name}_in" if read else operand.name
    tensors = {o.name: a for o, a in zip(request.operands, block.args, strict=True)}
    builder = KernelBuilder(tensors, ELEMENT_TYPES[request.dtype])
    kernel = builder.kernel(request, result_type)
    block.add_ops([kernel, func.ReturnOp(kernel.result)])
    function = func.FuncOp(
        request.name, FunctionType.from_lists(types, [result_type]), Region(block)
    )
    return ModuleOp([function])


def tensor_type(format: Format, dtype: str) -> TensorType[Attribute]:
    """`tensor<?x?xf64, #format.spec<...>>`; a dense tensor in order needs no encoding."""
    shape = [DYNAMIC_INDEX] * format.order
    if format.all_dense and format.mode_order == tuple(range(format.order)):
        return TensorType(ELEMENT_TYPES[dtype], shape)
    return TensorType(ELEMENT_TYPES[dtype], shape, FormatAttr(format))


@dataclass
class KernelBuilder:
    """Builds one `tin.kernel`."""

    tensors: Mapping[str, SSAValue]
    element: Attribute
    variables: dict[str, SSAValue] = field(default_factory=dict[str, SSAValue])

    def kernel(self, request: Request, type: TensorType[Attribute]) -> tin.KernelOp:
        block = self._binding_block(request.result.indices)
        value = self._emit(request.statement.expression, block)
        value = self._broadcast(request.statement.expression, value, request.result.indices, block)
        block.add_op(tin.YieldOp(value))
        kernel = tin.KernelOp(Region(block), type)
        kernel.result.name_hint = request.result.tensor
        return kernel

    def _binding_block(self, names: Sequence[str]) -> Block:
        block = Block(arg_types=[tin.INDEX] * len(names))
        for name, argument in zip(names, block.args, strict=True):
            argument.name_hint = name
            self.variables[name] = argument
        return block

    def _emit(self, expression: Expr, block: Block) -> SSAValue:
        op = self._op(expression, block)
        block.add_op(op)
        return op.results[0]

    def _op(self, expression: Expr, block: Block) -> Operation:
        match expression:
            case Access(tensor=tensor, indices=indices):
                variables = [self.variables[name] for name in indices]
                return tin.AccessOp(self.tensors[tensor], variables, self.element)
            case Literal(value=value):
                return tin.LiteralOp(literal_attribute(value, self.element), self.element)
            case Reduce():
                return self._reduction(expression)
            case Call(operator=operator, arguments=arguments):
                values = self._arguments(arguments, block)
                if operator == "neg":
                    return tin.NegOp(values[0])
                if operator in _ELEMENTWISE:
                    return _ELEMENTWISE[operator](*values)
                return tin.MapOp(operator, values)

    def _arguments(self, arguments: Sequence[Expr], block: Block) -> list[SSAValue]:
        """The arguments of an operator, broadcast to the variables that the others have."""
        wanted = dict.fromkeys(v for argument in arguments for v in free_variables(argument))
        return [
            self._broadcast(argument, self._emit(argument, block), list(wanted), block)
            for argument in arguments
        ]

    def _broadcast(
        self, expression: Expr, value: SSAValue, wanted: Sequence[str], block: Block
    ) -> SSAValue:
        """Scalars go with everything; anything else is repeated along the modes that it lacks."""
        own = free_variables(expression)
        missing = [name for name in wanted if name not in own]
        if not own or not missing:
            return value
        op = tin.BroadcastOp(value, [self.variables[name] for name in missing])
        block.add_op(op)
        return op.result

    def _reduction(self, expression: Reduce) -> Operation:
        outer = dict(self.variables)
        block = self._binding_block(expression.variables)
        block.add_op(tin.YieldOp(self._emit(expression.body, block)))
        self.variables = outer
        if expression.operator == "add":
            return tin.SumOp(Region(block), self.element)
        return tin.ReduceOp(expression.operator, Region(block), self.element)


def literal_attribute(value: int | float | complex | bool, type: Attribute) -> Attribute:
    """A number as the constant of an element type."""
    if kind_of(type) == "complex":
        part, number = part_type(type), complex(value)
        return ArrayAttr([FloatAttr(number.real, part), FloatAttr(number.imag, part)])
    return number_attribute(value, type)
