"""
Operators as statements: shapes become index variables, the result's format follows from a rule.

    A + B    (4, 5) and (5,)      Z(i0,i1) = A(i0,i1) + B(i1)
    A * B    (4, 5) and (4, 1)    Z(i0,i1) = A(i0,i1) * sum(u0, B(i0,u0))
    A @ B    (4, 5) and (5, 3)    Z(i0,i1) = A(i0,k) * B(k,i1)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Number
from typing import Any

import numpy as np

from tamale.dialects.errors import KernelError, TamaleError
from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.spec import Format
from tamale.frontend.api import evaluate
from tamale.frontend.dtypes import is_array
from tamale.frontend.hybrid import HybridTensor
from tamale.frontend.interop import is_foreign, stored
from tamale.frontend.tensor import Tensor


@dataclass(frozen=True)
class Term:
    """An operand with the name that it has in the statement."""

    name: str
    data: Any
    """A tensor, or a NumPy array."""

    @property
    def shape(self) -> tuple[int, ...]:
        return self.data.shape

    @property
    def sparse(self) -> bool:
        """Whether entries can be missing."""
        return isinstance(self.data, HybridTensor) or (
            isinstance(self.data, Tensor) and not self.data.format.all_dense
        )

    @property
    def format(self) -> Format:
        """How a sparse one is stored, or would be in one piece."""
        data = self.data
        return data.plain_format if isinstance(data, HybridTensor) else data.format

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


def binary(symbol: str, left: Any, right: Any) -> Any:
    """
    `left + right` and the like, with NumPy's broadcasting; NotImplemented where an operand is
    nothing that a tensor can be made of.

    Raises:
        KernelError: the shapes do not fit.
    """
    a, b = _terms(left, right)
    if a is None or b is None:
        return NotImplemented
    sizes = broadcast(symbol, a.shape, b.shape)
    variables = [f"i{k}" for k in range(len(sizes))]
    first, second = (term.access(variables, sizes) for term in (a, b))
    match symbol:
        case "*":
            sparse = [term for term in (a, b) if term.sparse]
        case "/":
            sparse = [a] if a.sparse else []
        case _:
            sparse = [a, b] if a.sparse and b.sparse else []
    out = _format_like(sparse, sizes)
    return _evaluate(variables, f"{first} {symbol} {second}", (a, b), out)


def unary(expression: str, operand: Any) -> Any:
    """An expression in A of one operand, coordinate by coordinate, in its format."""
    term = Term("A", operand)
    variables = [f"i{k}" for k in range(len(term.shape))]
    out = _format_like([term] if term.sparse else [], term.shape)
    access = term.access(variables, term.shape)
    return _evaluate(variables, expression.replace("A", access), (term,), out)


def matmul(left: Any, right: Any) -> Any:
    """
    NumPy's `left @ right`: products of the last two modes, of vectors, and of stacks of them.

    Raises:
        KernelError: the shapes do not fit.
    """
    a, b = _terms(left, right)
    if a is None or b is None:
        return NotImplemented
    if not (a.data.ndim and b.data.ndim):
        raise KernelError("@: a number is no matrix\n  help: use '*'")
    inner = "k"
    rows = ["r"] if a.data.ndim > 1 else []
    columns = ["c"] if b.data.ndim > 1 else []
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
    both = a.sparse and b.sparse and variables
    out: Any = default_format(len(variables)) if both else "dense"
    return _evaluate(variables, f"{first} * {second}", (a, b), out)


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


def _terms(left: Any, right: Any) -> tuple[Term | None, Term | None]:
    """Both operands by name; one name where they are the same."""
    values = [operand(value, other) for value, other in ((left, right), (right, left))]
    names = ("A", "A" if left is right else "B")
    terms = (None if v is None else Term(n, v) for n, v in zip(names, values, strict=True))
    first, second = terms
    return first, second


def operand(value: Any, other: Any) -> Any:
    """
    A tensor or an array, None if `value` is neither; a Python number has the type of the other
    operand if it fits, as in NumPy.
    """
    if isinstance(value, Tensor | HybridTensor):
        return value
    if isinstance(value, bool | int | float | complex):
        number = int(value) if isinstance(value, bool) else value
        return np.asarray(number, np.result_type(other.dtype, number))
    if is_array(value) or isinstance(value, Number | np.generic | list | tuple):
        found = np.asarray(value)
        return found if found.dtype.kind in "biufc" else None
    return stored(value) if is_foreign(value) else None


def _format_like(sparse: Sequence[Term], sizes: Sequence[int]) -> Format | str:
    """The format of the first operand that has the result's shape; dense if none is sparse."""
    if not sparse:
        return "dense"
    alike = (term.format for term in sparse if term.shape == tuple(sizes))
    return next(alike, None) or default_format(len(sizes))


def _evaluate(variables: Sequence[str], expression: str, terms: Sequence[Term], out: Any) -> Any:
    result = f"Z({','.join(variables)})" if variables else "Z"
    operands = {term.name: term.data for term in terms}
    try:
        return evaluate(f"{result} = {expression}", out=out, **operands)
    except TamaleError as error:
        error.add_note(f"in {result} = {expression}, which an operator of tensors stands for")
        raise
