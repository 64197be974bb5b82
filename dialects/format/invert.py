"""
Modes computed back from level coordinates, for formats that are read.

Facts `expression = value` are collected, the expression over modes, the value over level
coordinates `l0`, `l1`, ...; each level gives the first ones. Rules add facts about smaller
expressions until every mode has one:

    a + b = v, b known           ->  a = v - b         (also for `-`, `^`, `*` by a constant)
    x / c = q, x % c = r         ->  x = q * c + r
    x / 2^n = q, and facts show all the lower n bits of x (a Morton code)  ->  x

Counters carry nothing back.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import NoReturn, TypeAlias

from tamale.dialects.errors import FormatError
from tamale.dialects.format.bits import gathered, is_power, known_bits
from tamale.dialects.format.expressions import Binary, Const, Expr, Operator, Var, counters
from tamale.dialects.format.normal import normal_form, normalize
from tamale.dialects.format.spec import Format

Fact: TypeAlias = tuple[Expr, Expr]
Facts: TypeAlias = dict[Expr, Expr]


def level_variable(k: int) -> str:
    """The variable that stands for the coordinate of level `k`, counted from 0."""
    return f"l{k}"


@lru_cache(maxsize=1024)
def invert(format: Format) -> tuple[Expr, ...]:
    """
    Each mode of `format` as an expression of the coordinates `l0`, `l1`, ... of its levels.

    Evaluating the result on the values of the level expressions gives the modes back.

    Raises:
        FormatError: naming the modes that the levels do not determine.

    >>> from tamale.dialects.format.expressions import to_text
    >>> from tamale.dialects.format.named import resolve_format
    >>> [to_text(mode) for mode in invert(resolve_format("bcsr(2, 3)"))]
    ['l0 * 2 + l2', 'l1 * 3 + l3']
    """
    facts = _given([level.expression for level in format.levels])
    while not all(Var(mode) in facts for mode in format.modes):
        fact = next((fact for fact in _consequences(facts) if fact[0] not in facts), None)
        if fact is None:
            _refuse(format, [mode for mode in format.modes if Var(mode) not in facts])
        facts[fact[0]] = fact[1]
    return tuple(facts[Var(mode)] for mode in format.modes)


def facts_of(expressions: Sequence[Expr]) -> Mapping[Expr, Expr]:
    """
    All that follows from the values of expressions over modes, the k-th of which is called `l<k>`.

    Expressions with counters are passed over: they tell nothing.
    """
    return _closure(tuple(expressions))


@lru_cache(maxsize=1024)
def _closure(expressions: tuple[Expr, ...]) -> Mapping[Expr, Expr]:
    """What is given and all its consequences; asked for many times on the way of one module."""
    facts = _given(expressions)
    while fact := next((fact for fact in _consequences(facts) if fact[0] not in facts), None):
        facts[fact[0]] = fact[1]
    return MappingProxyType(facts)


def value_from(expression: Expr, facts: Mapping[Expr, Expr]) -> Expr | None:
    """`expression` over modes as one over `l0`, `l1`, ..., if the facts tell all that it needs."""
    if counters(expression):
        return None
    return _value(normal_form(expression), facts)


def _given(expressions: Sequence[Expr]) -> Facts:
    """What the values of the expressions say at once."""
    facts: Facts = {}
    for k, expression in enumerate(expressions):
        if not counters(expression):
            facts.setdefault(normal_form(expression), Var(level_variable(k)))
    return facts


def _refuse(format: Format, lost: list[str]) -> NoReturn:
    names = " and ".join(f"'{mode}'" for mode in lost)
    raise FormatError(
        f"format: {names} cannot be computed from the level coordinates of '{format}', "
        f"so no tensor can be read from it.\n"
        f"  help: store {names} in a further level."
    )


def _consequences(facts: Facts) -> Iterator[Fact]:
    """The cheapest first; facts may repeat."""
    return chain(_isolated(facts), _rejoined(facts), _deinterleaved(facts))


def _isolated(facts: Facts) -> Iterator[Fact]:
    for expr, total in facts.items():
        if isinstance(expr, Binary):
            lhs, rhs = _value(expr.lhs, facts), _value(expr.rhs, facts)
            if lhs is None and rhs is not None:
                yield from _left_operand(expr, total, rhs)
            elif rhs is None and lhs is not None:
                yield from _right_operand(expr, total, lhs)


def _value(expr: Expr, facts: Mapping[Expr, Expr]) -> Expr | None:
    """`expr` over level coordinates, if the facts tell all that it needs."""
    if expr in facts:
        return facts[expr]
    match expr:
        case Const():
            return expr
        case Binary(op, lhs, rhs):
            a, b = _value(lhs, facts), _value(rhs, facts)
            return None if a is None or b is None else Binary(op, a, b)
        case _:
            return None


_UNDO_RIGHT: dict[Operator, Operator] = {"+": "-", "-": "+", "^": "^"}
"""`a op b = v` -> `a = v undo b`."""


def _left_operand(expr: Binary, total: Expr, rhs: Expr) -> Iterator[Fact]:
    if expr.op in _UNDO_RIGHT:
        yield expr.lhs, Binary(_UNDO_RIGHT[expr.op], total, rhs)
    elif expr.op == "*" and isinstance(rhs, Const) and rhs.value != 0:
        yield expr.lhs, Binary("/", total, rhs)


def _right_operand(expr: Binary, total: Expr, lhs: Expr) -> Iterator[Fact]:
    match expr.op:
        case "+" | "^":
            yield expr.rhs, Binary(_UNDO_RIGHT[expr.op], total, lhs)
        case "-":
            yield expr.rhs, Binary("-", lhs, total)
        case "*" if isinstance(lhs, Const) and lhs.value != 0:
            yield expr.rhs, Binary("/", total, lhs)
        case _:
            return


def _rejoined(facts: Facts) -> Iterator[Fact]:
    for expr, remainder in facts.items():
        match expr:
            case Binary("%", x, Const(c)):
                quotient = facts.get(normalize(Binary("/", x, Const(c))))
                if quotient is not None:
                    yield x, Binary("+", Binary("*", quotient, Const(c)), remainder)
            case _:
                pass


def _deinterleaved(facts: Facts) -> Iterator[Fact]:
    known = known_bits(facts)
    for expr, quotient in facts.items():
        match expr:
            case Binary("/", x, Const(c)) if is_power(c):
                low = [known.get((x, n)) for n in range(c.bit_length() - 1)]
                found = [bit for bit in low if bit is not None]
                if len(found) == len(low):
                    yield x, Binary("+", Binary("*", quotient, Const(c)), gathered(found))
            case _:
                pass
