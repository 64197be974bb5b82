"""Assignments, one or several at once."""

from collections.abc import Callable

from tamale.backends.cpp.expressions import Expression
from tamale.backends.cpp.types import CType, Kind

_COMPOUND = frozenset("+-*&|^")
_COMMUTATIVE = frozenset("+*&|^")


def assignment(target: str, value: Expression, ctype: CType) -> list[str]:
    """
    The statement that makes `target`, of type `ctype`, hold `value`.

    `x = x + y` is printed `x += y`, `x = x + 1` is printed `x++`, and `x = x` not at all.
    """
    if value.text == target:
        return []
    if value.parts is None:
        return [f"{target} = {value.text};"]
    symbol, lhs, rhs = value.parts
    if symbol in _COMMUTATIVE and rhs.text == target:
        lhs, rhs = rhs, lhs
    # Integer division of a wider number is not that of the narrower target.
    is_compound = symbol in _COMPOUND or (symbol == "/" and ctype.kind is Kind.FLOAT)
    if not is_compound or lhs.text != target:
        return [f"{target} = {value.text};"]
    if symbol in "+-" and rhs.text == "1":
        operand = f"({target})" if target.startswith("*") else target
        return [f"{operand}{symbol * 2};"]
    return [f"{target} {symbol}= {rhs.text};"]


def parallel_assignment(
    pairs: list[tuple[Expression, Expression]], save: Callable[[Expression], Expression]
) -> list[str]:
    """
    The statements that give each target its value as if all at once.

    Args:
        pairs: variables and their new values, which may read any of the variables.
        save: prints a variable that keeps the value of an expression, for values that go round in
            a circle.
    """
    pairs = [(target, value) for target, value in pairs if target.text != value.text]
    lines: list[str] = []
    while pairs:
        chosen = next((i for i in range(len(pairs)) if _is_safe(pairs, i)), None)
        if chosen is None:
            target, value = pairs[0]
            pairs[0] = (target, save(value))
            continue
        target, value = pairs.pop(chosen)
        lines += assignment(target.text, value, target.ctype)
    return lines


def _is_safe(pairs: list[tuple[Expression, Expression]], chosen: int) -> bool:
    """Whether no other new value still needs the old one of the chosen variable."""
    changed = pairs[chosen][0].reads
    return not any(changed & value.reads for i, (_, value) in enumerate(pairs) if i != chosen)
