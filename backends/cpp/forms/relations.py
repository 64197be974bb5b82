"""Comparisons of integers, and what g++ would warn of in them."""

from tamale.backends.cpp.expressions import Expression, Precedence, cast, comparison
from tamale.backends.cpp.forms.constants import integer_literal, literal_value
from tamale.backends.cpp.types import BOOL, INT32, CType, unsigned

_MIRRORED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def relation(
    symbol: str, lhs: Expression, rhs: Expression, ctype: CType, *, is_unsigned: bool
) -> Expression:
    """`lhs symbol rhs` of two integers, read as signed or unsigned numbers."""
    if ctype == BOOL:
        # As a signed number, true is -1.
        return comparison(symbol, OPPOSITE[symbol], *((lhs, rhs) if is_unsigned else (rhs, lhs)))
    if (answer := _answer_at_limits(symbol, lhs, rhs, ctype, is_unsigned)) is not None:
        return settled(lhs, rhs, answer=answer)
    if is_unsigned:
        lhs, rhs = cast(lhs, unsigned(ctype)), cast(rhs, unsigned(ctype))
    else:
        lhs, rhs = _as_number(lhs, rhs), _as_number(rhs, lhs)
    return comparison(symbol, OPPOSITE[symbol], lhs, rhs)


def _answer_at_limits(
    symbol: str, lhs: Expression, rhs: Expression, ctype: CType, is_unsigned: bool
) -> bool | None:
    """The answer if one side is the least or greatest number there is: g++ warns of it."""
    limit = literal_value(rhs)
    if limit is None and (limit := literal_value(lhs)) is not None:
        symbol = _MIRRORED[symbol]
    if limit is None:
        return None
    least = 0 if is_unsigned else -(1 << (ctype.bits - 1))
    limit = (limit - least) % (1 << ctype.bits)
    if limit == 0 and symbol in ("<", ">="):
        return symbol == ">="
    if limit == (1 << ctype.bits) - 1 and symbol in (">", "<="):
        return symbol == "<="
    return None


def settled(*operands: Expression, answer: bool) -> Expression:
    """
    A comparison whose `answer` is known, and which g++ would warn of.

    The operands stay, because they may be variables that nobody else uses.
    """
    result = integer_literal(answer, BOOL)
    for operand in operands:
        if not operand.is_literal:
            text = f"((void){operand.within(Precedence.UNARY)}, {result.text})"
            result = Expression(text, BOOL, reads=result.reads | operand.reads)
    return result


def _as_number(side: Expression, other: Expression) -> Expression:
    """`side`, cast if it is a condition compared with something no condition equals."""
    is_odd = side.ctype == BOOL and literal_value(other) not in (None, 0, 1)
    return cast(side, INT32) if is_odd else side


def difference(lhs: Expression, rhs: Expression) -> Expression:
    """Whether two conditions differ; g++ warns of `a != a`."""
    if lhs.text == rhs.text:
        return settled(lhs, answer=False)
    return comparison("!=", "==", lhs, rhs)
