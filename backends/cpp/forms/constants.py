"""Literals."""

import math
import re
import struct

from xdsl.dialects import arith
from xdsl.dialects import complex as complex_dialect
from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.ir import Attribute
from xdsl.utils.exceptions import DiagnosticException

from tamale.backends.cpp.expressions import Expression, Precedence, call
from tamale.backends.cpp.types import BOOL, FLOAT, INT32, CType, ctype_of
from tamale.backends.cpp.values import Values

_LIMITS = {
    2**31 - 1: "INT32_MAX",
    -(2**31): "INT32_MIN",
    2**63 - 1: "INT64_MAX",
    -(2**63): "INT64_MIN",
}


def print_constant(op: arith.ConstantOp, values: Values) -> Expression:
    """`arith.constant`: a literal of the type."""
    return literal(op.value)


def print_complex_constant(op: complex_dialect.ConstantOp, values: Values) -> Expression:
    """`complex.constant`: made of its parts, since C++ has no complex literal."""
    real, imaginary = (literal(part) for part in op.value)
    helper = values.prelude.helper("complex", real.ctype)
    return call(helper, real, imaginary, ctype=ctype_of(op.complex.type))


def literal(value: Attribute) -> Expression:
    """The literal of an integer or float attribute."""
    match value:
        case IntegerAttr():
            return integer_literal(value.value.data, ctype_of(value.type))
        case FloatAttr():
            return float_literal(value.value.data, ctype_of(value.type))
        case _:
            raise DiagnosticException(f"cpp: no C++ literal for '{value}'; only scalars have one.")


def integer_literal(value: int, ctype: CType) -> Expression:
    """
    The literal of `value` taken modulo the width of `ctype`.

    >>> integer_literal(2**32 - 1, INT32).text, integer_literal(-(2**63), INT64).text
    ('-1', 'INT64_MIN')
    """
    if ctype == BOOL:
        return Expression("true" if value & 1 else "false", BOOL)
    half = 1 << (ctype.bits - 1)
    value = (value + half) % (2 * half) - half
    # C++ gives a literal the type int if it fits, whatever the IR says.
    is_int = -(2**31) <= value < 2**31
    literal_type = INT32 if is_int and ctype.bits > 32 else ctype
    precedence = Precedence.UNARY if value < 0 and value not in _LIMITS else Precedence.ATOM
    return Expression(_LIMITS.get(value, str(value)), literal_type, precedence)


def literal_value(expression: Expression) -> int | None:
    """The number that an integer literal stands for."""
    limit = next((value for value, name in _LIMITS.items() if name == expression.text), None)
    if limit is not None or not re.fullmatch(r"-?\d+", expression.text):
        return limit
    return int(expression.text)


def float_literal(value: float, ctype: CType) -> Expression:
    """
    The shortest literal that reads back as `value` rounded to `ctype`.

    >>> float_literal(0.1, FLOAT).text, float_literal(1e300, ctype_of(f64)).text
    ('0.1f', '1e+300')
    """
    suffix = "f" if ctype == FLOAT else ""
    if math.isnan(value):
        return Expression(f'__builtin_nan{suffix}("")', ctype)
    digits = _shortest_single(value) if suffix else repr(abs(value))
    sign = "-" if math.copysign(1.0, value) < 0 else ""
    if digits == "inf":
        text = f"{sign}__builtin_inf{suffix}()"
    else:
        text = f"{sign}{digits}{suffix}"
    return Expression(text, ctype, Precedence.UNARY if sign else Precedence.ATOM)


def _shortest_single(value: float) -> str:
    """The fewest digits that identify the magnitude of `value` among 32-bit floats."""
    try:
        single = struct.unpack("f", struct.pack("f", abs(value)))[0]
    except OverflowError:
        return "inf"
    if math.isinf(single):
        return "inf"
    for digits in range(1, 10):
        shortened = float(f"{single:.{digits}g}")
        if _is_single(shortened, single):
            return repr(shortened)
    raise AssertionError("nine digits identify every 32-bit float")


def _is_single(shortened: float, single: float) -> bool:
    try:
        return struct.unpack("f", struct.pack("f", shortened))[0] == single
    except OverflowError:
        return False


CONSTANT_FORMS = {
    arith.ConstantOp: print_constant,
    complex_dialect.ConstantOp: print_complex_constant,
}
