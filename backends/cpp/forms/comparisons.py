"""Comparisons and choices."""

from xdsl.dialects import arith

from tamale.backends.cpp.expressions import (
    Expression,
    binary,
    call,
    comparison,
    negation,
    ternary,
)
from tamale.backends.cpp.forms.constants import integer_literal
from tamale.backends.cpp.forms.relations import OPPOSITE, relation, settled
from tamale.backends.cpp.types import BOOL, ctype_of
from tamale.backends.cpp.values import Values

_INTEGER_SYMBOLS = ("==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">=")
"""By the number of an `arith.cmpi` predicate; the last four are unsigned."""
_FIRST_UNSIGNED = 6

_ORDERED_SYMBOLS = {1: "==", 2: ">", 3: ">=", 4: "<", 5: "<=", 13: "!="}
"""The `arith.cmpf` predicates that C++ has a symbol for: false on NaN, except `!=`."""
_UNORDERED_SYMBOLS = {9: "<=", 10: "<", 11: ">=", 12: ">"}
"""The `arith.cmpf` predicates that are the negation of a symbol: true on NaN."""


def print_integer_comparison(op: arith.CmpiOp, values: Values) -> Expression:
    """`a < b` and the like."""
    predicate = op.predicate.value.data
    symbol = _INTEGER_SYMBOLS[predicate]
    lhs, rhs = values.operand(op.lhs), values.operand(op.rhs)
    if lhs.text == rhs.text:
        return settled(lhs, answer="=" in symbol and symbol != "!=")
    is_unsigned = predicate >= _FIRST_UNSIGNED
    return relation(symbol, lhs, rhs, ctype_of(op.lhs.type), is_unsigned=is_unsigned)


def print_float_comparison(op: arith.CmpfOp, values: Values) -> Expression:
    """`a < b` and the like, with the IR's answer if one is NaN."""
    predicate = op.predicate.value.data
    if predicate in (0, 15):
        return integer_literal(predicate, BOOL)
    lhs, rhs = values.operand(op.lhs), values.operand(op.rhs)
    if (symbol := _ORDERED_SYMBOLS.get(predicate)) is not None:
        has_opposite = symbol in ("==", "!=")
        return comparison(symbol, OPPOSITE[symbol] if has_opposite else None, lhs, rhs)
    if (symbol := _UNORDERED_SYMBOLS.get(predicate)) is not None:
        return negation(binary(symbol, lhs, rhs, BOOL))
    is_strict = predicate in (6, 8)
    question = "__builtin_islessgreater" if is_strict else "__builtin_isunordered"
    answer = call(question, lhs, rhs, ctype=BOOL)
    return answer if predicate in (6, 14) else negation(answer)


def print_select(op: arith.SelectOp, values: Values) -> Expression:
    """`condition ? a : b`."""
    condition = values.operand(op.cond)
    return ternary(condition, values.operand(op.lhs), values.operand(op.rhs))


COMPARISON_FORMS = {
    arith.CmpiOp: print_integer_comparison,
    arith.CmpfOp: print_float_comparison,
    arith.SelectOp: print_select,
}
