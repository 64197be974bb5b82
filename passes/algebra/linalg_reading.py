"""
A `linalg.generic` read as one statement of index notation.

The loops are the index variables, the indexing maps say which of them each operand is accessed by,
and the body is the expression. What a reduction starts from, the `outs` operand, is a further
operand of its operator: `y + sum(j, A(i,j) * x(j))`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NoReturn, cast

from xdsl.dialects import arith, bufferization, math, tensor
from xdsl.dialects import complex as complex_dialect
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    NoneAttr,
    TensorType,
)
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.ir.affine import AffineDimExpr, AffineMap
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects.format.spec import mode_names
from tamale.dialects.linalg import FillOp, GenericOp
from tamale.dialects.locations import locate
from tamale.dialects.notation.ast import (
    Access,
    Assignment,
    Call,
    Expr,
    Literal,
    Reduce,
    free_variables,
)
from tamale.dialects.operators import Number, operator_named

OPERATORS: Mapping[type[Operation], str] = {
    arith.AddfOp: "add",
    arith.AddiOp: "add",
    arith.SubfOp: "sub",
    arith.SubiOp: "sub",
    arith.MulfOp: "mul",
    arith.MuliOp: "mul",
    arith.DivfOp: "div",
    arith.FloorDivSIOp: "div",
    arith.NegfOp: "neg",
    arith.MaximumfOp: "max",
    arith.MaxSIOp: "max",
    arith.MinimumfOp: "min",
    arith.MinSIOp: "min",
    arith.AndIOp: "and",
    arith.OrIOp: "or",
    arith.XOrIOp: "xor",
    math.AbsFOp: "abs",
    math.AbsIOp: "abs",
    math.SqrtOp: "sqrt",
    math.ExpOp: "exp",
    complex_dialect.AddOp: "add",
    complex_dialect.SubOp: "sub",
    complex_dialect.MulOp: "mul",
    complex_dialect.DivOp: "div",
    complex_dialect.NegOp: "neg",
    complex_dialect.SqrtOp: "sqrt",
    complex_dialect.ExpOp: "exp",
}
"""Ops of a body -> operators of index notation."""

WIDENING = (arith.ExtFOp, arith.ExtSIOp, arith.SIToFPOp)
"""Accesses convert to the type that a kernel computes in by themselves."""

START = Access("start", ())
"""Stands for the `outs` operand in the body."""


@dataclass
class LinalgReader:
    """Reads one op; afterwards `tensors` says which tensor each access is of."""

    op: GenericOp
    tensors: dict[str, SSAValue] = field(default_factory=dict[str, SSAValue])

    def read(self) -> Assignment:
        """
        The op as `result = expression`.

        Raises:
            PassFailedException: it says what index notation cannot say.
        """
        op = self.op
        if len(op.outputs) != 1 or len(op.res) != 1:
            self.refuse("an op with one tensor as its result is needed", "split it into several")
        kinds = [iterator.data for iterator in op.iterator_types]
        self._variables = mode_names(len(kinds))
        reduced = tuple(
            name
            for name, kind in zip(self._variables, kinds, strict=True)
            if kind == IteratorType.REDUCTION
        )
        *_, written = [self._indices(k) for k in range(len(op.operands))]
        if sorted(written) != sorted(set(self._variables) - set(reduced)):
            self.refuse(
                "the result has to be indexed once by each parallel loop, and by nothing else",
                "give the other loops the iterator type 'reduction'",
            )
        result = Access(op.res[0].name_hint or "Z", written)
        end = op.body.block.last_op
        assert end is not None
        body = self._read(end.operands[0])
        return Assignment(result, None, self._started(body, reduced))

    def refuse(self, why: str, help: str, at: Operation | None = None) -> NoReturn:
        raise locate(PassFailedException(f"import-linalg: {why}\n  help: {help}"), at or self.op)

    def _indices(self, number: int) -> tuple[str, ...]:
        """The index variables of an operand."""
        map: AffineMap = self.op.indexing_maps.data[number].data
        names: list[str] = []
        for expression in map.results:
            if not isinstance(expression, AffineDimExpr):
                self.refuse(
                    f"operand {number + 1} is indexed by '{expression}'",
                    "modes are indexed by loops; store the expression as a level of a format",
                )
            names.append(self._variables[expression.position])
        return tuple(names)

    # The body

    def _read(self, value: SSAValue) -> Expr:
        if isinstance(value, BlockArgument):
            return self._argument(value)
        op = value.owner
        assert isinstance(op, Operation)
        if isinstance(op, arith.ConstantOp | complex_dialect.ConstantOp):
            return Literal(constant_value(op.value))
        if isinstance(op, WIDENING) and isinstance(narrow := op.operands[0], BlockArgument):
            return self._argument(narrow)
        if type(op) not in OPERATORS:
            self.refuse(
                f"'{op.name}' has no meaning in index notation",
                f"bodies consist of {', '.join(sorted({each.name for each in OPERATORS}))}",
                op,
            )
        return Call(OPERATORS[type(op)], tuple(map(self._read, op.operands)))

    def _argument(self, argument: BlockArgument) -> Expr:
        """The operand that a block argument stands for."""
        if argument.owner is not self.op.body.block:
            self.refuse("the body uses a value from outside", "make it an operand")
        if argument.index == len(self.op.inputs):
            return START
        return self._access(argument.index)

    def _access(self, number: int) -> Access:
        name = f"operand{number}"
        self.tensors[name] = self.op.operands[number]
        return Access(name, self._indices(number))

    # What reductions start from

    def _started(self, body: Expr, reduced: tuple[str, ...]) -> Expr:
        """The whole expression: the body, reduced, with the value of `outs` in its place."""
        if not reduced:
            return replaced(body, self._start()) if uses_start(body) else body
        split = without_start(body)
        identity = None if split is None else operator_named(split[0]).reduction_identity
        if split is None or identity is None:
            self.refuse(
                "a body with a reduction has to combine its result so far with other values by one "
                "associative operator",
                "such as arith.addf %out, %product",
            )
        operator, rest = split
        if missing := sorted(set(reduced) - set(free_variables(rest))):
            self.refuse(
                f"the loop of '{missing[0]}' reduces what does not depend on it",
                "use each operand in the body",
            )
        reduction, start = Reduce(operator, reduced, rest), self._start()
        if isinstance(start, Literal) and start.value == identity:
            return reduction
        return Call(operator, (start, reduction))

    def _start(self) -> Expr:
        """The value of the `outs` operand before the op."""
        number = len(self.op.inputs)
        match self.op.operands[number].owner:
            case FillOp() as fill if (value := _constant(fill.inputs[0])) is not None:
                return Literal(value)
            case arith.ConstantOp(value=DenseIntOrFPElementsAttr() as dense) if dense.is_splat():
                return Literal(cast("Number", dense.get_values()[0]))
            case tensor.EmptyOp() | bufferization.AllocTensorOp(copy=None) as empty:
                return self._empty(empty)
            case _:
                return self._access(number)

    def _empty(self, empty: Operation) -> Expr:
        """A new tensor has no entries if it is sparse; if it is dense, it has no values yet."""
        type = cast("TensorType[Attribute]", empty.results[0].type)
        if isinstance(type.encoding, NoneAttr):
            self.refuse(
                f"the body reads its result so far, which '{empty.name}' leaves undefined",
                "begin with linalg.fill",
            )
        return Literal(0)


def _constant(value: SSAValue) -> Number | None:
    owner = value.owner
    known = isinstance(owner, arith.ConstantOp | complex_dialect.ConstantOp)
    return constant_value(owner.value) if known else None


def constant_value(attribute: Attribute) -> Number:
    """The number of a constant."""
    match attribute:
        case IntegerAttr() | FloatAttr():
            return attribute.value.data
        case _:
            real, imaginary = cast("ArrayAttr[FloatAttr]", attribute)
            return complex(real.value.data, imaginary.value.data)


def uses_start(expression: Expr) -> bool:
    """Whether an expression reads the result so far."""
    return expression == START or (
        isinstance(expression, Call) and any(map(uses_start, expression.arguments))
    )


def replaced(expression: Expr, start: Expr) -> Expr:
    """An expression with the result so far written out."""
    if expression == START:
        return start
    if not isinstance(expression, Call):
        return expression
    arguments = tuple(replaced(argument, start) for argument in expression.arguments)
    return Call(expression.operator, arguments)


def without_start(expression: Expr) -> tuple[str, Expr] | None:
    """
    `op` and `e` if the expression is `op` of the result so far and `e`, also where it is nested, as
    in `(out + a) + b`; None if it is not.
    """
    if not isinstance(expression, Call) or len(expression.arguments) != 2:
        return None
    first, second = expression.arguments
    if uses_start(second):
        if not operator_named(expression.operator).commutative:
            return None
        first, second = second, first
    if uses_start(second) or not uses_start(first):
        return None
    if first == START:
        return expression.operator, second
    inner = without_start(first)
    if inner is None or inner[0] != expression.operator:
        return None
    return inner[0], Call(expression.operator, (inner[1], second))
