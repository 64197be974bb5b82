"""Complex numbers, on the `_Complex` types of GNU C++, which need no header."""

from xdsl.dialects import complex as complex_dialect

from tamale.backends.cpp.expressions import Expression, binary, call, comparison, prefix
from tamale.backends.cpp.types import SCALARS, ctype_of
from tamale.backends.cpp.values import Values

_ARITHMETIC = {
    complex_dialect.AddOp: "+",
    complex_dialect.SubOp: "-",
    complex_dialect.MulOp: "*",
    complex_dialect.DivOp: "/",
}
_PREFIX = {complex_dialect.NegOp: "-", complex_dialect.ConjOp: "~"}
_PART = {complex_dialect.ReOp: "__real__ ", complex_dialect.ImOp: "__imag__ "}
_COMPARISON = {complex_dialect.EqualOp: ("==", "!="), complex_dialect.NotEqualOp: ("!=", "==")}
_FUNCTIONS = {
    complex_dialect.AbsOp: "cabs",
    complex_dialect.AngleOp: "carg",
    complex_dialect.CosOp: "ccos",
    complex_dialect.ExpOp: "cexp",
    complex_dialect.LogOp: "clog",
    complex_dialect.PowOp: "cpow",
    complex_dialect.SinOp: "csin",
    complex_dialect.SqrtOp: "csqrt",
    complex_dialect.TanOp: "ctan",
    complex_dialect.TanhOp: "ctanh",
}

BinaryComplexOp = (
    complex_dialect.AddOp | complex_dialect.SubOp | complex_dialect.MulOp | complex_dialect.DivOp
)


def print_create(op: complex_dialect.CreateOp, values: Values) -> Expression:
    """A helper: g++ has no expression that makes a complex number of two reals."""
    real, imaginary = values.operand(op.real), values.operand(op.imaginary)
    helper = values.prelude.helper("complex", ctype_of(op.real.type))
    return call(helper, real, imaginary, ctype=ctype_of(op.complex.type))


def print_arithmetic(op: BinaryComplexOp, values: Values) -> Expression:
    """`+`, `-`, `*` and `/`."""
    lhs, rhs = values.operand(op.lhs), values.operand(op.rhs)
    return binary(_ARITHMETIC[type(op)], lhs, rhs, ctype_of(op.result.type))


def print_prefix(op: complex_dialect.NegOp | complex_dialect.ConjOp, values: Values) -> Expression:
    """`-z`, and `~z` for the conjugate."""
    return prefix(_PREFIX[type(op)], values.operand(op.complex), ctype_of(op.result.type))


def print_part(op: complex_dialect.ReOp | complex_dialect.ImOp, values: Values) -> Expression:
    """`__real__ z` and `__imag__ z`."""
    return prefix(_PART[type(op)], values.operand(op.complex), ctype_of(op.result.type))


def print_comparison(
    op: complex_dialect.EqualOp | complex_dialect.NotEqualOp, values: Values
) -> Expression:
    """`==` and `!=`."""
    symbol, opposite = _COMPARISON[type(op)]
    return comparison(symbol, opposite, values.operand(op.lhs), values.operand(op.rhs))


def print_function(op: complex_dialect.AbsOp, values: Values) -> Expression:
    """A function of C's `complex.h`, which C++ has only as a builtin."""
    is_single = ctype_of(op.operands[0].type) == SCALARS["complex<f32>"]
    suffix = "f" if is_single else ""
    arguments = [values.operand(operand) for operand in op.operands]
    name = f"__builtin_{_FUNCTIONS[type(op)]}{suffix}"
    return call(name, *arguments, ctype=ctype_of(op.results[0].type))


COMPLEX_FORMS = {
    complex_dialect.CreateOp: print_create,
    **dict.fromkeys(_ARITHMETIC, print_arithmetic),
    **dict.fromkeys(_PREFIX, print_prefix),
    **dict.fromkeys(_PART, print_part),
    **dict.fromkeys(_COMPARISON, print_comparison),
    **dict.fromkeys(_FUNCTIONS, print_function),
}
