"""
Conversions between numbers.

C++ converts by itself where a value is stored or meets a wider one, so most of these leave the text
alone. `Values.operand` adds a cast where the text is too wide for where it ends up.
"""

from xdsl.dialects import arith

from tamale.backends.cpp.expressions import Expression, Precedence, binary, cast, comparison, prefix
from tamale.backends.cpp.forms.constants import integer_literal, literal_value
from tamale.backends.cpp.forms.integers import as_unsigned
from tamale.backends.cpp.types import BOOL, INT32, ctype_of, unsigned
from tamale.backends.cpp.values import Values


def print_signed_cast(
    op: arith.IndexCastOp | arith.ExtSIOp | arith.TruncIOp, values: Values
) -> Expression:
    """Nothing between integers; from a condition, true is -1; to one, the last bit counts."""
    source, target = ctype_of(op.input.type), ctype_of(op.result.type)
    if source != BOOL and (number := literal_value(values.consume(op.input))) is not None:
        return integer_literal(number, target)
    if target == BOOL != source:
        last_bit = binary("&", values.operand(op.input), integer_literal(1, INT32), INT32)
        return comparison("!=", "==", last_bit, integer_literal(0, INT32))
    if source == BOOL != target:
        return prefix("-", values.operand(op.input), INT32)
    if target.bits > source.bits:
        return values.operand(op.input)
    return values.consume(op.input)


def print_unsigned_extension(op: arith.ExtUIOp, values: Values) -> Expression:
    """Through the unsigned type; a condition is 0 or 1 already."""
    operand = as_unsigned(op.input, values)
    is_condition = ctype_of(op.input.type) == BOOL
    return operand if is_condition else cast(operand, ctype_of(op.result.type))


def print_signed_to_float(op: arith.SIToFPOp, values: Values) -> Expression:
    """`(double)i`."""
    operand = values.operand(op.input)
    if ctype_of(op.input.type) == BOOL:
        operand = prefix("-", operand, INT32)
    return cast(operand, ctype_of(op.result.type))


def print_unsigned_to_float(op: arith.UIToFPOp, values: Values) -> Expression:
    """`(double)(uint32_t)i`."""
    return cast(as_unsigned(op.input, values), ctype_of(op.result.type))


def print_float_to_signed(op: arith.FPToSIOp, values: Values) -> Expression:
    """`(int64_t)x`, towards zero."""
    return cast(values.operand(op.input), ctype_of(op.result.type))


def print_float_to_unsigned(op: arith.FPToUIOp, values: Values) -> Expression:
    """`(uint64_t)x`, towards zero."""
    ctype = ctype_of(op.result.type)
    return cast(values.operand(op.input), ctype if ctype == BOOL else unsigned(ctype))


def print_float_extension(op: arith.ExtFOp, values: Values) -> Expression:
    """Nothing: C++ widens by itself."""
    return values.operand(op.input)


def print_float_truncation(op: arith.TruncFOp, values: Values) -> Expression:
    """Nothing where the result is stored; else `Values.operand` casts."""
    return values.consume(op.input)


def print_bitcast(op: arith.BitcastOp, values: Values) -> Expression:
    """The same bits as another type."""
    ctype = ctype_of(op.result.type)
    operand = values.exact(op.input)
    text = f"__builtin_bit_cast({ctype.name}, {operand.text})"
    return Expression(text, ctype, Precedence.POSTFIX, operand.reads)


CONVERSION_FORMS = {
    **dict.fromkeys((arith.IndexCastOp, arith.ExtSIOp, arith.TruncIOp), print_signed_cast),
    arith.ExtUIOp: print_unsigned_extension,
    arith.SIToFPOp: print_signed_to_float,
    arith.UIToFPOp: print_unsigned_to_float,
    arith.FPToSIOp: print_float_to_signed,
    arith.FPToUIOp: print_float_to_unsigned,
    arith.ExtFOp: print_float_extension,
    arith.TruncFOp: print_float_truncation,
    arith.BitcastOp: print_bitcast,
}
