"""
Level expressions: the coordinate remapping notation as immutable trees.

A level stores one expression of a tensor's modes: `j`, `j - i`, `i / 4`, `#i`,
`r = i / 4 in r & 1`. Values are integers of unlimited size with C's operators, except
that `/` rounds towards minus infinity and `%` has the sign of its divisor (C rounds
towards zero). The two agree on coordinates, which are never negative, but `j - i` may
be, and only the rounding chosen here makes `x / c * c + x % c == x` with
`0 <= x % c < c`. `& | ^ >>` treat a negative value as two's complement.

Source: Chou et al., PLDI 2020, sec. 4.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from tamale.dialects.errors import FormatError

Operator: TypeAlias = Literal["|", "^", "&", "<<", ">>", "+", "-", "*", "/", "%"]

PRECEDENCE: Final[Mapping[Operator, int]] = MappingProxyType(
    {"|": 1, "^": 2, "&": 3, "<<": 4, ">>": 4, "+": 5, "-": 5, "*": 6, "/": 6, "%": 6}
)
"""C's precedence, a higher number binds tighter; all operators associate to the left."""

LARGEST_SHIFT: Final = 63
"""Coordinates are computed in 64 bits, so that no wider shift has a meaning."""


@dataclass(frozen=True, slots=True)
class Var:
    """A mode, or a variable bound by a `Let`."""

    name: str


@dataclass(frozen=True, slots=True)
class Const:
    """An integer."""

    value: int


@dataclass(frozen=True, slots=True)
class Counter:
    """
    `#i j`: how many nonzeros that share the named modes came before, in iteration order.

    `#` alone counts all nonzeros.
    """

    variables: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Binary:
    """`lhs op rhs`."""

    op: Operator
    lhs: "Expr"
    rhs: "Expr"


@dataclass(frozen=True, slots=True)
class Let:
    """`name = value in body`; `name` is visible in `body` only."""

    name: str
    value: "Expr"
    body: "Expr"


Expr: TypeAlias = Var | Const | Counter | Binary | Let


def to_text(expr: Expr) -> str:
    """
    The notation of `expr` with as few parentheses as reading it back allows.

    >>> to_text(Binary("-", Var("j"), Binary("-", Var("i"), Const(1))))
    'j - (i - 1)'
    """
    match expr:
        case Var(name):
            return name
        case Const(value):
            return str(value)
        case Counter(variables):
            return "#" + " ".join(variables)
        case Binary(op, lhs, rhs):
            level = PRECEDENCE[op]
            return f"{_operand(lhs, level)} {op} {_operand(rhs, level + 1)}"
        case Let(name, value, body):
            bound = f"({to_text(value)})" if isinstance(value, Let) else to_text(value)
            return f"{name} = {bound} in {to_text(body)}"


def _operand(expr: Expr, precedence: int) -> str:
    """`expr` as an operand that must bind at least as tightly as `precedence`."""
    loose = isinstance(expr, Let) or (isinstance(expr, Binary) and PRECEDENCE[expr.op] < precedence)
    return f"({to_text(expr)})" if loose else to_text(expr)


def evaluate(
    expr: Expr,
    values: Mapping[str, int],
    counters: Mapping[Counter, int] = MappingProxyType({}),
) -> int:
    """
    The value of `expr` where each mode has its value in `values`.

    `counters` holds the current count of each counter.

    Raises:
        FormatError: a division by zero, or a shift by less than 0 or more than 63 bits.
        KeyError: a variable or counter of `expr` has no value.

    >>> evaluate(Binary("/", Binary("-", Var("j"), Var("i")), Const(2)), {"i": 3, "j": 0})
    -2
    """
    match expr:
        case Var(name):
            return values[name]
        case Const(value):
            return value
        case Counter():
            return counters[expr]
        case Binary(op, lhs, rhs):
            return apply(op, evaluate(lhs, values, counters), evaluate(rhs, values, counters))
        case Let(name, value, body):
            bound = evaluate(value, values, counters)
            return evaluate(body, {**values, name: bound}, counters)


_APPLY: Final[Mapping[Operator, Callable[[int, int], int]]] = {
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "&": lambda a, b: a & b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a // b,
    "%": lambda a, b: a % b,
}


def apply(op: Operator, lhs: int, rhs: int) -> int:
    """`lhs op rhs` on integers; raises FormatError where the operator has no value."""
    if op in ("/", "%") and rhs == 0:
        raise FormatError(f"format: '{lhs} {op} {rhs}' divides by zero.")
    if op in ("<<", ">>") and not 0 <= rhs <= LARGEST_SHIFT:
        raise FormatError(
            f"format: '{lhs} {op} {rhs}' shifts by {rhs} bits; 0 to {LARGEST_SHIFT} are possible."
        )
    return _APPLY[op](lhs, rhs)


def subexpressions(expr: Expr) -> tuple[Expr, ...]:
    """The direct children of `expr`; a let's value comes before its body."""
    match expr:
        case Binary(_, lhs, rhs):
            return lhs, rhs
        case Let(_, value, body):
            return value, body
        case _:
            return ()


def depth(expr: Expr) -> int:
    """How many nodes the longest path from `expr` to a leaf has; not recursive."""
    layers = 0
    layer: tuple[Expr, ...] = (expr,)
    while layer:
        layers += 1
        layer = tuple(child for parent in layer for child in subexpressions(parent))
    return layers


def free_variables(expr: Expr) -> frozenset[str]:
    """The modes that `expr` names, those of counters included, without let variables."""
    match expr:
        case Var(name):
            return frozenset((name,))
        case Counter(variables):
            return frozenset(variables)
        case Let(name, value, body):
            return free_variables(value) | (free_variables(body) - {name})
        case _:
            return frozenset[str]().union(*map(free_variables, subexpressions(expr)))


def counters(expr: Expr) -> frozenset[Counter]:
    """The counters in `expr`."""
    if isinstance(expr, Counter):
        return frozenset((expr,))
    return frozenset[Counter]().union(*map(counters, subexpressions(expr)))
