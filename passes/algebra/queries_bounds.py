"""
How large the numbers of a query can get, whatever the tensor: they are counted, not measured.

A mark is 0 or 1. What adds up marks, one for each entry that the loops meet, is at most the number
of entries; so are a width and the largest of several counts. Of coordinates nothing is said.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal as Choice
from typing import TypeAlias

from tamale.dialects.notation.ast import Access, Call, Expr, Literal
from tamale.passes.algebra.queries import Chain
from tamale.passes.algebra.queries_once import walked_levels

Bits: TypeAlias = Choice[8, 32, 64]
"""The width of a signed integer; 8 bits stand for a mark."""
MARK: Bits = 8


@dataclass(frozen=True)
class Sizes:
    """Widths that surely suffice for a tensor."""

    value: Bits = 64
    """For each of its values."""
    count: Bits = 64
    """For the number of its entries; of a query's result, of the elements that are not 0."""


def result_sizes(chain: Chain, operand: Sizes) -> Sizes:
    """
    Of the result of a chain, given those of its only operand.

    Each iteration stands for an entry of its own at least, and writes one element.
    """
    if chain.only_operand is None or walked_levels(chain, chain.only_operand) is None:
        return Sizes()
    statement = chain.statement
    value = _bits(statement.expression, operand)
    match statement.operator:
        case None | "or" | "max":
            return Sizes(value, operand.count)
        case "add" if value == MARK or _is_width(statement.expression):
            return Sizes(operand.count, operand.count)
        case _:
            return Sizes(count=operand.count)


def _bits(expression: Expr, operand: Sizes) -> Bits:
    """For the value of an expression of a chain's statement, which is not negative."""
    match expression:
        case Literal(value=0 | 1):
            return MARK
        case Call("map", (_, value)):
            return _bits(value, operand)
        case Call("width"):
            return operand.count
        case Access(indices=(_, *_)):
            return operand.value
        case _:
            return 64


def _is_width(expression: Expr) -> bool:
    return isinstance(expression, Call) and expression.operator == "width"
