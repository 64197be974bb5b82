"""Integer arithmetic, bits, and the smaller and larger of two."""

from xdsl.dialects import arith, math
from xdsl.ir import SSAValue

from tamale.backends.cpp.expressions import (
    Expression,
    binary,
    call,
    cast,
    comparison,
    negation,
    prefix,
    ternary,
    widened,
)
from tamale.backends.cpp.forms.constants import integer_literal, literal_value
from tamale.backends.cpp.forms.relations import difference, relation
from tamale.backends.cpp.types import BOOL, INT32, CType, common, ctype_of, unsigned
from tamale.backends.cpp.values import Values

_ARITHMETIC = {arith.AddiOp: "+", arith.SubiOp: "-", arith.MuliOp: "*"}
_BITWISE = {arith.AndIOp: "&", arith.OrIOp: "|", arith.XOrIOp: "^"}
_DIVISION = {arith.DivSIOp: "/", arith.RemSIOp: "%"}
_UNSIGNED_DIVISION = {arith.DivUIOp: "/", arith.RemUIOp: "%"}
_SHIFT = {arith.ShLIOp: "<<", arith.ShRSIOp: ">>"}
_EXTREMUM = {arith.MinSIOp: "<", arith.MaxSIOp: ">", arith.MinUIOp: "<", arith.MaxUIOp: ">"}
_ROUNDED_DIVISION = {
    arith.FloorDivSIOp: "floor_div",
    arith.CeilDivSIOp: "ceil_div",
    arith.CeilDivUIOp: "ceil_div_unsigned",
}
_ZERO_COUNT = {
    math.CountLeadingZerosOp: "leading_zeros",
    math.CountTrailingZerosOp: "trailing_zeros",
}


def computed_type(ctype: CType) -> CType:
    """The type C++ computes in for operands of type `ctype`: int at least."""
    return INT32 if ctype.bits < 32 else ctype


def print_arithmetic(op: arith.AddiOp | arith.SubiOp | arith.MuliOp, values: Values) -> Expression:
    """`+`, `-` and `*`; modulo two they are exclusive or, exclusive or, and `and`."""
    lhs, rhs = values.operand(op.lhs), values.operand(op.rhs)
    ctype, symbol = ctype_of(op.result.type), _ARITHMETIC[type(op)]
    if ctype == BOOL:
        is_product = isinstance(op, arith.MuliOp)
        return binary("&&", lhs, rhs, BOOL) if is_product else difference(lhs, rhs)
    if (folded := _folded(symbol, lhs, rhs, ctype)) is not None:
        return folded
    if symbol == "-" and lhs.text == "0":
        narrow, _ = widened(rhs, rhs, ctype)
        return prefix("-", narrow, computed_type(ctype))
    if symbol in "+-" and rhs.is_literal and rhs.text.startswith("-"):
        symbol = "-" if symbol == "+" else "+"
        rhs = integer_literal(-int(rhs.text), ctype)
    wide_lhs, wide_rhs = widened(lhs, rhs, ctype)
    result = binary(symbol, wide_lhs, wide_rhs, computed_type(ctype))
    return result.with_parts(symbol, lhs, rhs)


def _folded(symbol: str, lhs: Expression, rhs: Expression, ctype: CType) -> Expression | None:
    """The result for two literals: g++ warns if it overflows, though that is meant."""
    left, right = literal_value(lhs), literal_value(rhs)
    if left is None or right is None:
        return None
    match symbol:
        case "+":
            return integer_literal(left + right, ctype)
        case "-":
            return integer_literal(left - right, ctype)
        case "*":
            return integer_literal(left * right, ctype)
        case "<<" if 0 <= right < ctype.bits:
            return integer_literal(left << right, ctype)
        case _:
            return None


def print_bitwise(op: arith.AndIOp | arith.OrIOp | arith.XOrIOp, values: Values) -> Expression:
    """`&`, `|` and `^`; on conditions `&&`, `||`, `!=` and `!`."""
    lhs, rhs = values.operand(op.lhs), values.operand(op.rhs)
    symbol = _BITWISE[type(op)]
    if ctype_of(op.result.type) != BOOL:
        return binary(symbol, lhs, rhs, common(lhs.ctype, rhs.ctype))
    if symbol != "^":
        return binary(symbol * 2, lhs, rhs, BOOL)
    if rhs.text == "true":
        return negation(lhs)
    return difference(lhs, rhs)


def print_division(op: arith.DivSIOp | arith.RemSIOp, values: Values) -> Expression:
    """`/` and `%`, rounding towards zero in C++ as in MLIR."""
    ctype = ctype_of(op.result.type)
    lhs, rhs = widened(values.operand(op.lhs), values.operand(op.rhs), ctype)
    return binary(_DIVISION[type(op)], lhs, rhs, computed_type(ctype))


def print_unsigned_division(op: arith.DivUIOp | arith.RemUIOp, values: Values) -> Expression:
    """`/` and `%` of unsigned numbers."""
    lhs, rhs = as_unsigned(op.lhs, values), as_unsigned(op.rhs, values)
    return binary(_UNSIGNED_DIVISION[type(op)], lhs, rhs, lhs.ctype)


def print_rounded_division(
    op: arith.FloorDivSIOp | arith.CeilDivSIOp | arith.CeilDivUIOp, values: Values
) -> Expression:
    """Division that rounds down or up: a helper, since its operands are used several times."""
    ctype = ctype_of(op.result.type)
    helper = values.prelude.helper(_ROUNDED_DIVISION[type(op)], ctype)
    return call(helper, values.operand(op.lhs), values.operand(op.rhs), ctype=ctype)


def print_shift(op: arith.ShLIOp | arith.ShRSIOp, values: Values) -> Expression:
    """`<<`, and `>>` that copies the sign."""
    lhs, rhs = values.operand(op.lhs), values.operand(op.rhs)
    ctype = ctype_of(op.result.type)
    if (folded := _folded(_SHIFT[type(op)], lhs, rhs, ctype)) is not None:
        return folded
    if ctype.bits > 32 and lhs.ctype.bits < ctype.bits:
        lhs = cast(lhs, ctype)  # The left operand alone decides what C++ computes in.
    return binary(_SHIFT[type(op)], lhs, rhs, computed_type(ctype))


def print_unsigned_shift(op: arith.ShRUIOp, values: Values) -> Expression:
    """`>>` that brings in zeros."""
    lhs = as_unsigned(op.lhs, values)
    return binary(">>", lhs, values.operand(op.rhs), lhs.ctype)


def print_extremum(
    op: arith.MinSIOp | arith.MaxSIOp | arith.MinUIOp | arith.MaxUIOp, values: Values
) -> Expression:
    """`a < b ? a : b`."""
    lhs, rhs = values.atom(op.lhs), values.atom(op.rhs)
    if lhs.text == rhs.text:
        return lhs
    is_unsigned = isinstance(op, arith.MinUIOp | arith.MaxUIOp)
    symbol, ctype = _EXTREMUM[type(op)], ctype_of(op.result.type)
    return ternary(relation(symbol, lhs, rhs, ctype, is_unsigned=is_unsigned), lhs, rhs)


def print_absolute(op: math.AbsIOp, values: Values) -> Expression:
    """`a < 0 ? -a : a`."""
    operand = values.atom(op.operand)
    ctype = ctype_of(op.result.type)
    is_negative = comparison("<", None, operand, integer_literal(0, ctype))
    wide, _ = widened(operand, operand, ctype)
    return ternary(is_negative, prefix("-", wide, computed_type(ctype)), operand)


def print_bit_count(op: math.CtPopOp, values: Values) -> Expression:
    """The number of one bits."""
    return call("__builtin_popcountll", as_unsigned(op.operand, values), ctype=INT32)


def print_zero_count(
    op: math.CountLeadingZerosOp | math.CountTrailingZerosOp, values: Values
) -> Expression:
    """The number of zero bits at one end; of 0, all of them."""
    ctype = ctype_of(op.result.type)
    helper = values.prelude.helper(_ZERO_COUNT[type(op)], ctype)
    return call(helper, values.operand(op.operand), ctype=ctype)


def as_unsigned(value: SSAValue, values: Values) -> Expression:
    """The operand, read as an unsigned number; a condition is one already."""
    ctype = ctype_of(value.type)
    operand = values.operand(value)
    return operand if ctype == BOOL else cast(operand, unsigned(ctype))


INTEGER_FORMS = {
    **dict.fromkeys(_ARITHMETIC, print_arithmetic),
    **dict.fromkeys(_BITWISE, print_bitwise),
    **dict.fromkeys(_DIVISION, print_division),
    **dict.fromkeys(_UNSIGNED_DIVISION, print_unsigned_division),
    **dict.fromkeys(_ROUNDED_DIVISION, print_rounded_division),
    **dict.fromkeys(_SHIFT, print_shift),
    arith.ShRUIOp: print_unsigned_shift,
    **dict.fromkeys(_EXTREMUM, print_extremum),
    math.AbsIOp: print_absolute,
    math.CtPopOp: print_bit_count,
    **dict.fromkeys(_ZERO_COUNT, print_zero_count),
}
