"""Floating-point arithmetic and mathematical functions."""

from xdsl.dialects import arith, math

from tamale.backends.cpp.expressions import Expression, binary, call, cast, prefix, widened
from tamale.backends.cpp.forms.constants import float_literal
from tamale.backends.cpp.types import FLOAT, ctype_of
from tamale.backends.cpp.values import Values

_ARITHMETIC = {arith.AddfOp: "+", arith.SubfOp: "-", arith.MulfOp: "*", arith.DivfOp: "/"}
_EXTREMUM = {
    arith.MinimumfOp: "minimum",
    arith.MaximumfOp: "maximum",
    arith.MinnumfOp: "minnum",
    arith.MaxnumfOp: "maxnum",
}
_FUNCTIONS = {
    math.AbsFOp: "fabs",
    math.AcosOp: "acos",
    math.AcoshOp: "acosh",
    math.AsinOp: "asin",
    math.AsinhOp: "asinh",
    math.AtanOp: "atan",
    math.Atan2Op: "atan2",
    math.AtanhOp: "atanh",
    math.CbrtOp: "cbrt",
    math.CeilOp: "ceil",
    math.CopySignOp: "copysign",
    math.CosOp: "cos",
    math.CoshOp: "cosh",
    math.ErfOp: "erf",
    math.ExpOp: "exp",
    math.Exp2Op: "exp2",
    math.ExpM1Op: "expm1",
    math.FloorOp: "floor",
    math.FmaOp: "fma",
    math.LogOp: "log",
    math.Log10Op: "log10",
    math.Log1pOp: "log1p",
    math.Log2Op: "log2",
    math.PowFOp: "pow",
    math.RoundOp: "round",
    math.RoundEvenOp: "roundeven",
    math.SinOp: "sin",
    math.SinhOp: "sinh",
    math.SqrtOp: "sqrt",
    math.TanOp: "tan",
    math.TanhOp: "tanh",
    math.TruncOp: "trunc",
}

BinaryFloatOp = arith.AddfOp | arith.SubfOp | arith.MulfOp | arith.DivfOp
ExtremumOp = arith.MinimumfOp | arith.MaximumfOp | arith.MinnumfOp | arith.MaxnumfOp


def print_arithmetic(op: BinaryFloatOp, values: Values) -> Expression:
    """`+`, `-`, `*` and `/`."""
    ctype = ctype_of(op.result.type)
    lhs, rhs = widened(values.operand(op.lhs), values.operand(op.rhs), ctype)
    return binary(_ARITHMETIC[type(op)], lhs, rhs, ctype)


def print_negation(op: arith.NegfOp, values: Values) -> Expression:
    """`-x`."""
    operand = values.operand(op.operand)
    return prefix("-", operand, operand.ctype)


def print_extremum(op: ExtremumOp, values: Values) -> Expression:
    """A helper, since NaN and signed zeros take more than one comparison."""
    ctype = ctype_of(op.result.type)
    helper = values.prelude.helper(_EXTREMUM[type(op)], ctype)
    return call(helper, values.operand(op.lhs), values.operand(op.rhs), ctype=ctype)


def print_function(op: math.SqrtOp, values: Values) -> Expression:
    """A function of `math.h`; with an `f` at the end of its name for 32 bits."""
    values.prelude.include("math.h")
    ctype = ctype_of(op.result.type)
    suffix = "f" if ctype == FLOAT else ""
    arguments = [values.exact(operand) for operand in op.operands]
    return call(_FUNCTIONS[type(op)] + suffix, *arguments, ctype=ctype)


def print_reciprocal_root(op: math.RsqrtOp, values: Values) -> Expression:
    """`1.0 / sqrt(x)`."""
    values.prelude.include("math.h")
    ctype = ctype_of(op.result.type)
    root = call(f"sqrt{'f' if ctype == FLOAT else ''}", values.exact(op.operand), ctype=ctype)
    return binary("/", float_literal(1.0, ctype), root, ctype)


def print_integer_power(op: math.FPowIOp, values: Values) -> Expression:
    """`pow(x, (double)n)`."""
    values.prelude.include("math.h")
    ctype = ctype_of(op.result.type)
    exponent = cast(values.operand(op.rhs), ctype)
    name = f"pow{'f' if ctype == FLOAT else ''}"
    return call(name, values.exact(op.lhs), exponent, ctype=ctype)


FLOAT_FORMS = {
    **dict.fromkeys(_ARITHMETIC, print_arithmetic),
    arith.NegfOp: print_negation,
    **dict.fromkeys(_EXTREMUM, print_extremum),
    **dict.fromkeys(_FUNCTIONS, print_function),
    math.RsqrtOp: print_reciprocal_root,
    math.FPowIOp: print_integer_power,
}
