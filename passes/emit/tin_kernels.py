"""A statement of index notation as a `tin.kernel`; the inverse is `passes/algebra/reading.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.dialects.builtin import ArrayAttr, FloatAttr, TensorType
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from tamale.dialects import tin
from tamale.dialects.notation.ast import (
    Access,
    Assignment,
    Call,
    Expr,
    Literal,
    Reduce,
    free_variables,
)
from tamale.passes.emit.arithmetic import kind_of, number_attribute, part_type

_ELEMENTWISE: Mapping[str, Callable[[SSAValue, SSAValue], Operation]] = {
    "add": tin.AddOp,
    "sub": tin.SubOp,
    "mul": tin.MulOp,
    "div": tin.DivOp,
}


def build_kernel(
    statement: Assignment,
    tensors: Mapping[str, SSAValue],
    type: TensorType[Attribute],
    order: Sequence[str] | None = None,
) -> tin.KernelOp:
    """
    The kernel of a statement whose reductions are explicit.

    Args:
        statement: what to compute; it has no operator.
        tensors: name of an access -> tensor.
        type: of the result; kernels compute in its element type.
        order: the loops to run, outermost first, if not those that the rules choose.
    """
    return _KernelBuilder(tensors, type.element_type).kernel(statement, type, order)


@dataclass
class _KernelBuilder:
    """Builds one `tin.kernel`."""

    tensors: Mapping[str, SSAValue]
    element: Attribute
    variables: dict[str, SSAValue] = field(default_factory=dict[str, SSAValue])

    def kernel(
        self, statement: Assignment, type: TensorType[Attribute], order: Sequence[str] | None
    ) -> tin.KernelOp:
        result, expression = statement.result, statement.expression
        indices, names = result.indices, list(dict.fromkeys(result.indices))
        block = self._binding_block(names)
        value = self._emit(expression, block)
        value = self._broadcast(expression, value, names, block)
        block.add_op(tin.YieldOp(value))
        modes = [names.index(name) for name in indices] if len(names) < len(indices) else None
        kernel = tin.KernelOp(Region(block), type, modes=modes, order=order)
        kernel.result.name_hint = result.tensor
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
