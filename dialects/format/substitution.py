"""Level expressions with other expressions put in place of variables."""

from collections.abc import Mapping

from tamale.dialects.errors import FormatError
from tamale.dialects.format.expressions import (
    Binary,
    Const,
    Counter,
    Expr,
    Let,
    Var,
    free_variables,
    to_text,
)


def substitute(expr: Expr, replacements: Mapping[str, Expr]) -> Expr:
    """
    `expr` with every free variable in `replacements` replaced.

    Let variables are renamed where they would capture a variable of a replacement.

    Raises:
        FormatError: a counter's variable would become something else than a variable.

    >>> to_text(substitute(Binary("*", Var("i"), Const(2)), {"i": Binary("+", Var("a"), Const(1))}))
    '(a + 1) * 2'
    """
    match expr:
        case Var(name):
            return replacements.get(name, expr)
        case Const():
            return expr
        case Counter():
            return _substitute_in_counter(expr, replacements)
        case Binary(op, lhs, rhs):
            return Binary(op, substitute(lhs, replacements), substitute(rhs, replacements))
        case Let():
            return _substitute_in_let(expr, replacements)


def _substitute_in_counter(counter: Counter, replacements: Mapping[str, Expr]) -> Counter:
    names: list[str] = []
    for name in counter.variables:
        replacement = replacements.get(name, Var(name))
        if not isinstance(replacement, Var):
            raise FormatError(
                f"format: counter '{to_text(counter)}' counts per mode; "
                f"'{name}' cannot become '{to_text(replacement)}' in it."
            )
        names.append(replacement.name)
    return Counter(tuple(names))


def _substitute_in_let(let: Let, replacements: Mapping[str, Expr]) -> Let:
    in_body = {
        name: replacement
        for name, replacement in replacements.items()
        if name in free_variables(let.body) and name != let.name
    }
    arriving = frozenset[str]().union(*map(free_variables, in_body.values()))
    name = let.name
    if name in arriving:
        name = _fresh(name, arriving | free_variables(let.body))
        in_body[let.name] = Var(name)
    return Let(name, substitute(let.value, replacements), substitute(let.body, in_body))


def _fresh(name: str, taken: frozenset[str]) -> str:
    while name in taken:
        name += "_"
    return name


def inline_lets(expr: Expr) -> Expr:
    """
    `expr` with every let variable replaced by its value.

    >>> to_text(inline_lets(Let("r", Var("i"), Binary("&", Var("r"), Const(1)))))
    'i & 1'
    """
    match expr:
        case Binary(op, lhs, rhs):
            return Binary(op, inline_lets(lhs), inline_lets(rhs))
        case Let(name, value, body):
            return substitute(inline_lets(body), {name: inline_lets(value)})
        case _:
            return expr


def inlined_extent(expr: Expr) -> tuple[int, int]:
    """
    Size and depth of `inline_lets(expr)` in nodes, which lets can double again and again.

    Takes time linear in `expr` itself.
    """
    return _inlined_extent(expr, {})


def _inlined_extent(expr: Expr, scope: Mapping[str, tuple[int, int]]) -> tuple[int, int]:
    match expr:
        case Var(name):
            return scope.get(name, (1, 1))
        case Binary(_, lhs, rhs):
            (size, depth), (other_size, other_depth) = (
                _inlined_extent(lhs, scope),
                _inlined_extent(rhs, scope),
            )
            return 1 + size + other_size, 1 + max(depth, other_depth)
        case Let(name, value, body):
            return _inlined_extent(body, {**scope, name: _inlined_extent(value, scope)})
        case _:
            return 1, 1


def number_lets(expr: Expr, depth: int = 0) -> Expr:
    """
    `expr` with its let variables renamed to `let0`, `let1`, ... by how deep they are nested.

    Expressions that differ in the names of let variables only become equal.
    """
    match expr:
        case Binary(op, lhs, rhs):
            return Binary(op, number_lets(lhs, depth), number_lets(rhs, depth))
        case Let(name, value, body):
            number = f"let{depth}"
            renamed = substitute(body, {name: Var(number)})
            return Let(number, number_lets(value, depth), number_lets(renamed, depth + 1))
        case _:
            return expr
