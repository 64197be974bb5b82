"""
Operators as statements: shapes become index variables, the result's format follows from a rule.

    A + B    (4, 5) and (5,)      Z(i0,i1) = A(i0,i1) + B(i1)
    A * B    (4, 5) and (4, 1)    Z(i0,i1) = A(i0,i1) * sum(u0, B(i0,u0))
    A @ B    (4, 5) and (5, 3)    Z(i0,i1) = A(i0,k) * B(k,i1)

All of it depends on names, shapes and formats alone, and is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from tamale.dialects.errors import KernelError
from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.spec import Format

KEPT = 4096
"""How many statements, and kernels of operators, are kept."""


class Term(NamedTuple):
    """An operand in a statement."""

    name: str
    shape: tuple[int, ...]
    format: Format | None
    """How a sparse one is stored, or would be in one piece; None if no entry can be missing."""

    def access(self, variables: Sequence[str], sizes: Sequence[int]) -> str:
        """
        The operand at the index variables of its modes, the last ones of `variables`; where it is
        to be repeated, over the one coordinate that it has.
        """
        if not self.shape:
            return self.name
        own, ones = list[str](), list[str]()
        order = len(self.shape)
        triples = zip(variables[-order:], self.shape, sizes[-order:], strict=True)
        for variable, size, whole in triples:
            repeated = size == 1 and whole != 1
            own.append(f"u{len(ones)}" if repeated else variable)
            ones += own[-1:] if repeated else []
        text = f"{self.name}({','.join(own)})"
        for variable in ones:
            text = f"sum({variable}, {text})"
        return text


class Operation(NamedTuple):
    """A statement, and the format of its result."""

    statement: str
    out: Format | str


def operation_of(what: str, *terms: Term) -> Operation:
    """
    An operator with two operands, or an expression in A with one.

    Raises:
        KernelError: the shapes do not fit.
    """
    if len(terms) == 1:
        return unary_operation(what, *terms)
    return product_operation(*terms) if what == "@" else binary_operation(what, *terms)


def binary_operation(symbol: str, a: Term, b: Term) -> Operation:
    """
    `a + b` and the like, coordinate by coordinate, with NumPy's broadcasting.

    Raises:
        KernelError: the shapes do not fit.
    """
    sizes = broadcast(symbol, a.shape, b.shape)
    variables = [f"i{k}" for k in range(len(sizes))]
    first, second = (term.access(variables, sizes) for term in (a, b))
    match symbol:
        case "*":
            sparse = [term for term in (a, b) if term.format]
        case "/":
            sparse = [a] if a.format else []
        case _:
            sparse = [a, b] if a.format and b.format else []
    return _operation(variables, f"{first} {symbol} {second}", _format_like(sparse, sizes))


def unary_operation(expression: str, term: Term) -> Operation:
    """An expression in A of one operand, coordinate by coordinate, in its format."""
    variables = [f"i{k}" for k in range(len(term.shape))]
    access = term.access(variables, term.shape)
    return _operation(variables, expression.replace("A", access), term.format or "dense")


def product_operation(a: Term, b: Term) -> Operation:
    """
    NumPy's `a @ b`: products of the last two modes, of vectors, and of stacks of them.

    Raises:
        KernelError: the shapes do not fit.
    """
    if len(a.shape) == 0 or len(b.shape) == 0:
        raise KernelError("@: a number is no matrix\n  help: use '*'")
    inner = "k"
    rows = ["r"] if len(a.shape) > 1 else []
    columns = ["c"] if len(b.shape) > 1 else []
    width, height = a.shape[-1], b.shape[-1 - len(columns)]
    if width != height:
        raise KernelError(
            f"@: {a.shape} and {b.shape} do not fit: {width} columns, {height} rows"
        )
    stacks = broadcast("@", a.shape[:-2], b.shape[:-2])
    batch = [f"i{k}" for k in range(len(stacks))]
    first = a.access([*batch, *rows, inner], [*stacks, *a.shape[-1 - len(rows) :]])
    second = b.access([*batch, inner, *columns], [*stacks, *b.shape[-1 - len(columns) :]])
    variables = [*batch, *rows, *columns]
    both = a.format and b.format and variables
    out = default_format(len(variables)) if both else "dense"
    return _operation(variables, f"{first} * {second}", out)


@lru_cache(maxsize=KEPT)
def sum_statement(order: int, kept: tuple[int, ...], keepdims: bool) -> str:
    """`Z(i0) = A(i0,i1)`, or where modes are kept with size 1, `Z(i0,u1) = A(i0,i1) * one(u1)`."""
    variables = [f"i{k}" for k in range(order)]
    left, ones = [variables[k] for k in kept], list[str]()
    if keepdims:
        left = [v if k in kept else f"u{k}" for k, v in enumerate(variables)]
        ones = [v for v in left if v not in variables]
    operand = f"A({','.join(variables)})" if variables else "A"
    right = " * ".join([operand, *(f"one({v})" for v in ones)])
    return _operation(left, right, "dense").statement


def broadcast(symbol: str, a: Sequence[int], b: Sequence[int]) -> tuple[int, ...]:
    """
    The shape of both together, as NumPy has it.

    Raises:
        KernelError: they do not fit.
    """
    order = max(len(a), len(b))
    left, right = ((1,) * (order - len(shape)) + tuple(shape) for shape in (a, b))
    for mode, (m, n) in enumerate(zip(left, right, strict=True), 1):
        if m != n and 1 not in (m, n):
            raise KernelError(
                f"{symbol}: {tuple(a)} and {tuple(b)} do not fit: mode {mode} of the result would "
                f"have size {m} and {n}"
            )
    return tuple(n if m == 1 else m for m, n in zip(left, right, strict=True))


def default_format(order: int) -> Format:
    """The format of sparse results that no operand tells: csr for matrices, else csf."""
    return resolve_format("csr" if order == 2 else "csf", order)


def _format_like(sparse: Sequence[Term], sizes: Sequence[int]) -> Format | str:
    """The format of the first operand that has the result's shape; dense if none is sparse."""
    if not sparse:
        return "dense"
    alike = (term.format for term in sparse if term.shape == tuple(sizes))
    return next(alike, None) or default_format(len(sizes))


def _operation(variables: Sequence[str], expression: str, out: Format | str) -> Operation:
    result = f"Z({','.join(variables)})" if variables else "Z"
    return Operation(f"{result} = {expression}", out)
