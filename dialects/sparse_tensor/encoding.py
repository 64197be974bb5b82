"""
`Encoding`: how MLIR says that a tensor is stored, as an immutable value.

Dimensions are called `d0`, `d1`, ..., as MLIR prints them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tamale.dialects.errors import FormatError
from tamale.dialects.format.expressions import PRECEDENCE, Binary, Const, Expr, Operator, Var

_OPERATORS: Final[dict[Operator, str]] = {
    "+": "+",
    "-": "-",
    "*": "*",
    "/": "floordiv",
    "%": "mod",
}


def dimension(number: int) -> str:
    """The name of a dimension, counted from 0."""
    return f"d{number}"


@dataclass(frozen=True)
class EncodedLevel:
    """`d0 floordiv 2 : compressed(nonunique)`: what a level stores, and how."""

    expression: Expr
    type: str
    sizes: tuple[int, ...] = ()
    """The numbers of `structured[2, 4]`."""
    properties: tuple[str, ...] = ()

    def __str__(self) -> str:
        sizes = f"[{', '.join(map(str, self.sizes))}]" if self.sizes else ""
        properties = f"({', '.join(self.properties)})" if self.properties else ""
        return f"{affine_text(self.expression)} : {self.type}{sizes}{properties}"


@dataclass(frozen=True)
class Encoding:
    """`{ map = (d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 32 }`."""

    order: int
    """The number of dimensions."""
    levels: tuple[EncodedLevel, ...]
    pos_width: int = 0
    """Bits of a position; 0 stands for the width of `index`."""
    crd_width: int = 0

    def __str__(self) -> str:
        dimensions = ", ".join(map(dimension, range(self.order)))
        parts = [f"map = ({dimensions}) -> ({', '.join(map(str, self.levels))})"]
        widths = (("posWidth", self.pos_width), ("crdWidth", self.crd_width))
        parts += [f"{name} = {width}" for name, width in widths if width]
        return f"{{ {', '.join(parts)} }}"


def affine_text(expression: Expr) -> str:
    """
    An expression as MLIR writes it.

    Raises:
        FormatError: it has an operator that MLIR's affine expressions lack.

    >>> affine_text(Binary("/", Binary("+", Var("d0"), Var("d1")), Const(2)))
    '(d0 + d1) floordiv 2'
    """
    match expression:
        case Var(name):
            return name
        case Const(value):
            return str(value)
        case Binary(operator, lhs, rhs) if operator in _OPERATORS:
            level = PRECEDENCE[operator]
            operands = _operand(lhs, level), _operand(rhs, level + 1)
            return f" {_OPERATORS[operator]} ".join(operands)
        case _:
            raise FormatError("sparse_tensor: an affine expression has only + - * / and %")


def _operand(expression: Expr, precedence: int) -> str:
    """An operand that must bind at least as tightly as `precedence`."""
    text = affine_text(expression)
    loose = isinstance(expression, Binary) and PRECEDENCE[expression.op] < precedence
    return f"({text})" if loose else text
