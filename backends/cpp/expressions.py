"""
C++ expressions: text together with what is needed to put it inside other text.

Parentheses are printed where C++ needs them, where `-Wparentheses` asks for them, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from enum import IntEnum

from tamale.backends.cpp.types import BOOL, CType, Kind, common, fits

Place = Hashable
"""Something that can change: a local variable, or the elements of an array."""


@dataclass(frozen=True)
class Variable:
    """The place of a C++ variable that the IR has no memref for."""

    name: str


class Precedence(IntEnum):
    """How tightly an expression holds together; of C++, loosest first."""

    TERNARY = 1
    OR = 2
    AND = 3
    BIT_OR = 4
    BIT_XOR = 5
    BIT_AND = 6
    EQUALITY = 7
    RELATION = 8
    SHIFT = 9
    ADDITIVE = 10
    MULTIPLICATIVE = 11
    UNARY = 12
    POSTFIX = 13
    ATOM = 14


@dataclass(frozen=True)
class Expression:
    """The text of a value, not yet printed."""

    text: str
    ctype: CType
    """What C++ takes the text to be; it may be wider or narrower than the type in the IR."""
    precedence: Precedence = Precedence.ATOM
    reads: frozenset[Place] = frozenset()
    """The places whose change would change the value."""
    inverse: Expression | None = None
    """The negation of a condition, where it is shorter than `!(...)`."""
    parts: tuple[str, Expression, Expression] | None = None
    """Symbol and operands, where `x = x + y` may be printed `x += y`."""

    @property
    def is_atom(self) -> bool:
        """Whether repeating the text costs a reader and the machine nothing."""
        return self.precedence is Precedence.ATOM or self.is_literal

    @property
    def is_literal(self) -> bool:
        """Whether this is a number."""
        is_closed = self.precedence >= Precedence.UNARY
        return is_closed and self.text.lstrip("-")[:1].isdigit()

    def with_parts(self, symbol: str, lhs: Expression, rhs: Expression) -> Expression:
        """This expression, for assignments split into other operands than it prints."""
        return replace(self, parts=(symbol, lhs, rhs))

    def reading(self, place: Place) -> Expression:
        """This expression, depending on `place` as well."""
        return replace(self, reads=self.reads | {place})

    def within(self, loosest: Precedence) -> str:
        """The text where nothing looser than `loosest` may stand without parentheses."""
        return self.text if self.precedence >= loosest else f"({self.text})"


_SYMBOLS = {
    "||": Precedence.OR,
    "&&": Precedence.AND,
    "|": Precedence.BIT_OR,
    "^": Precedence.BIT_XOR,
    "&": Precedence.BIT_AND,
    "==": Precedence.EQUALITY,
    "!=": Precedence.EQUALITY,
    "<": Precedence.RELATION,
    "<=": Precedence.RELATION,
    ">": Precedence.RELATION,
    ">=": Precedence.RELATION,
    "<<": Precedence.SHIFT,
    ">>": Precedence.SHIFT,
    "+": Precedence.ADDITIVE,
    "-": Precedence.ADDITIVE,
    "*": Precedence.MULTIPLICATIVE,
    "/": Precedence.MULTIPLICATIVE,
    "%": Precedence.MULTIPLICATIVE,
}


def _loosest_operands(precedence: Precedence) -> tuple[Precedence, Precedence]:
    """What may stand left and right of a symbol without parentheses."""
    match precedence:
        case Precedence.AND:
            return Precedence.AND, Precedence.AND
        case Precedence.BIT_OR | Precedence.BIT_XOR | Precedence.BIT_AND | Precedence.SHIFT:
            return Precedence.UNARY, Precedence.UNARY
        case Precedence.EQUALITY | Precedence.RELATION:
            return Precedence.ADDITIVE, Precedence.ADDITIVE
        case _:
            return precedence, Precedence(precedence + 1)


def binary(symbol: str, lhs: Expression, rhs: Expression, ctype: CType) -> Expression:
    """`lhs symbol rhs`."""
    precedence = _SYMBOLS[symbol]
    if precedence is Precedence.OR:
        # `a && b || c` is right but warned about; `a || b || c` needs nothing.
        left, right = (_inside_or(side) for side in (lhs, rhs))
    else:
        left_loosest, right_loosest = _loosest_operands(precedence)
        left, right = lhs.within(left_loosest), rhs.within(right_loosest)
    return Expression(
        f"{left} {symbol} {right}",
        ctype,
        precedence,
        lhs.reads | rhs.reads,
        parts=(symbol, lhs, rhs),
    )


def _inside_or(side: Expression) -> str:
    needs_parentheses = side.precedence in (Precedence.AND, Precedence.TERNARY)
    return f"({side.text})" if needs_parentheses else side.text


def comparison(symbol: str, opposite: str | None, lhs: Expression, rhs: Expression) -> Expression:
    """`lhs symbol rhs`, whose negation is `lhs opposite rhs` if there is one."""
    result = binary(symbol, lhs, rhs, BOOL)
    if opposite is None:
        return result
    return replace(result, inverse=replace(binary(opposite, lhs, rhs, BOOL), inverse=result))


def prefix(symbol: str, operand: Expression, ctype: CType) -> Expression:
    """`symbol operand`, as in `-x` and `!x`."""
    text = operand.within(Precedence.UNARY)
    if text.startswith("-") and symbol == "-":
        text = f"({text})"
    return Expression(f"{symbol}{text}", ctype, Precedence.UNARY, operand.reads)


def negation(condition: Expression) -> Expression:
    """The logical negation of `condition`."""
    if condition.inverse is not None:
        return condition.inverse
    return replace(prefix("!", condition, BOOL), inverse=condition)


def call(function: str, *arguments: Expression, ctype: CType) -> Expression:
    """`function(argument, ...)`."""
    text = f"{function}({', '.join(argument.text for argument in arguments)})"
    reads = frozenset[Place]().union(*(argument.reads for argument in arguments))
    return Expression(text, ctype, Precedence.POSTFIX, reads)


def cast(operand: Expression, ctype: CType) -> Expression:
    """`(T)operand`."""
    text = f"({ctype.name}){operand.within(Precedence.UNARY)}"
    return Expression(text, ctype, Precedence.UNARY, operand.reads)


def ternary(condition: Expression, then: Expression, otherwise: Expression) -> Expression:
    """`condition ? then : otherwise`."""
    sides = (condition, then, otherwise)
    text = "{} ? {} : {}".format(*(side.within(Precedence.OR) for side in sides))
    reads = condition.reads | then.reads | otherwise.reads
    return Expression(text, common(then.ctype, otherwise.ctype), Precedence.TERNARY, reads)


def element(array: Expression, position: Expression, ctype: CType) -> Expression:
    """`array[position]`."""
    text = f"{array.within(Precedence.POSTFIX)}[{position.text}]"
    return Expression(text, ctype, Precedence.POSTFIX, array.reads | position.reads)


def fitted(operand: Expression, ctype: CType) -> Expression:
    """`operand`, cast unless its text already has the value that the IR means."""
    return operand if fits(operand.ctype, ctype) else cast(operand, ctype)


def widened(lhs: Expression, rhs: Expression, ctype: CType) -> tuple[Expression, Expression]:
    """
    The operands of an operator that C++ must evaluate in `ctype`.

    C++ computes in the wider type of the two operands, and never below 32 bits. If both are
    narrower than `ctype`, one of them is cast.
    """
    computed_bits = max(lhs.ctype.bits, rhs.ctype.bits, 32 if ctype.kind is Kind.INTEGER else 0)
    if computed_bits >= ctype.bits:
        return lhs, rhs
    if lhs.is_literal:
        return lhs, cast(rhs, ctype)
    return cast(lhs, ctype), rhs
