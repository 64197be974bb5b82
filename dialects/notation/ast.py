"""
The tree of an index notation statement, and its canonical text.

    y(i) = b(i) - A(i,j) * x(j)

    Assignment(Access("y", ("i",)), None,
        Call("sub", (Access("b", ("i",)),
                     Call("mul", (Access("A", ("i", "j")), Access("x", ("j",)))))))

Nodes are immutable values. Their spans say where they were written; equality ignores spans.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

Span: TypeAlias = tuple[int, int]
"""Offsets `(start, end)` into the source text; `end` is one past the last character."""

NO_SPAN: Span = (-1, -1)
"""The span of a node that was built, not read."""

Number: TypeAlias = int | float | complex | bool

INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
PRECEDENCE = {"add": 1, "sub": 1, "mul": 2, "div": 2}
ASSIGNMENT_SYMBOLS = {None: "=", "add": "+=", "mul": "*=", "or": "|=", "and": "&="}
_UNARY, _ATOM = 3, 4


@dataclass(frozen=True)
class Access:
    """One use of a tensor, `A(i,j)`; a scalar `alpha` has no indices."""

    tensor: str
    indices: tuple[str, ...] = ()
    span: Span = field(default=NO_SPAN, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, eq=False)
class Literal:
    """A number. `1`, `1.0` and `true` differ, because a literal's type takes part in promotion."""

    value: Number
    span: Span = field(default=NO_SPAN, compare=False, repr=False, kw_only=True)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Literal) and repr(self.value) == repr(other.value)

    def __hash__(self) -> int:
        return hash(repr(self.value))


@dataclass(frozen=True)
class Call:
    """An operator and its arguments; `+ - * /` and unary minus are `add sub mul div neg`."""

    operator: str
    arguments: tuple[Expr, ...]
    span: Span = field(default=NO_SPAN, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True)
class Reduce:
    """`body` combined by `operator` over every value of `variables`; `sum` reduces by `add`."""

    operator: str
    variables: tuple[str, ...]
    body: Expr
    span: Span = field(default=NO_SPAN, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True)
class Assignment:
    """`result = expression`, or `result op= expression` when `operator` is not None."""

    result: Access
    operator: str | None
    expression: Expr
    span: Span = field(default=NO_SPAN, compare=False, repr=False, kw_only=True)


Expr: TypeAlias = Access | Literal | Call | Reduce
Node: TypeAlias = Expr | Assignment


def children(expr: Expr) -> tuple[Expr, ...]:
    """The direct subexpressions of `expr`, in the order written."""
    match expr:
        case Call():
            return expr.arguments
        case Reduce():
            return (expr.body,)
        case Access() | Literal():
            return ()


def walk(expr: Expr) -> Iterator[Expr]:
    """Yields `expr` and everything below it: parents first, then left to right."""
    pending = [expr]
    while pending:
        node = pending.pop()
        yield node
        pending.extend(reversed(children(node)))


def free_variables(expr: Expr) -> tuple[str, ...]:
    """
    The index variables that no reduction inside `expr` binds, in order of appearance.

    >>> free_variables(Reduce("add", ("j",), Access("A", ("i", "j"))))
    ('i',)
    """
    return tuple(dict.fromkeys(_free(expr)))


def _free(expr: Expr) -> Iterator[str]:
    match expr:
        case Access():
            yield from expr.indices
        case Call():
            for argument in expr.arguments:
                yield from _free(argument)
        case Reduce():
            yield from (name for name in free_variables(expr.body) if name not in expr.variables)
        case Literal():
            pass


def to_text(node: Node) -> str:
    """
    Prints canonical notation, with as few parentheses as the tree needs.

    Parsing the text gives an equal tree if every literal is one that can be written as a token:
    an integer of at most 64 bits, a float, `true`, `false`, or a finite imaginary number. (A
    complex number with a real part prints as a sum.)

    >>> to_text(Call("mul", (Call("add", (Access("a"), Access("b"))), Literal(2))))
    '(a + b) * 2'
    """
    match node:
        case Assignment():
            symbol = ASSIGNMENT_SYMBOLS.get(node.operator, f"{node.operator}=")
            return f"{to_text(node.result)} {symbol} {to_text(node.expression)}"
        case Access():
            return f"{node.tensor}({','.join(node.indices)})" if node.indices else node.tensor
        case Literal():
            return _literal_text(node.value)
        case Reduce():
            return _reduce_text(node)
        case Call():
            return _call_text(node)


def _literal_text(value: Number) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, complex):
        return repr(value)
    imaginary = f"{value.imag!r}j"
    return f"({value.real!r} + {imaginary})" if value.real else imaginary


def _reduce_text(node: Reduce) -> str:
    names = node.variables
    variables = names[0] if len(names) == 1 else f"({','.join(names)})"
    head = "sum(" if node.operator == "add" else f"reduce({node.operator}, "
    return f"{head}{variables}, {to_text(node.body)})"


def _call_text(node: Call) -> str:
    level = _binding(node)
    if level == _ATOM:
        return f"{node.operator}({', '.join(map(to_text, node.arguments))})"
    if level == _UNARY:
        return f"-{_negated_text(node.arguments[0])}"
    left, right = node.arguments
    return f"{_wrapped(left, level)} {INFIX[node.operator]} {_wrapped(right, level + 1)}"


def _negated_text(operand: Expr) -> str:
    """A bare number after a minus would become part of the literal, so it gets parentheses."""
    is_number = isinstance(operand, Literal) and not isinstance(operand.value, bool)
    if is_number and _binding(operand) == _ATOM:
        return f"({to_text(operand)})"
    return _wrapped(operand, _UNARY)


def _wrapped(expr: Expr, least: int) -> str:
    text = to_text(expr)
    return text if _binding(expr) >= least else f"({text})"


def _binding(expr: Expr) -> int:
    """How tightly the outermost operator of the printed `expr` binds."""
    match expr:
        case Call(operator="neg", arguments=(_,)):
            return _UNARY
        case Call(arguments=(_, _)):
            return PRECEDENCE.get(expr.operator, _ATOM)
        case Literal() if _literal_text(expr.value).startswith("-"):
            return _UNARY
        case _:
            return _ATOM
