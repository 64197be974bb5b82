"""
Sums of products of matrices and vectors by SciPy, to check large results with.

Not a second compiler: what is no chain of matrix products, scalings and sums is declined.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from tamale.dialects.notation.ast import Access, Assignment, Call, Expr, Literal, Reduce
from tamale.frontend.tensor import Tensor

LONGEST = 1 << 26
"""The longest mode of matrices that are compared: SciPy's csr stores a number for each row."""


class Declined(Exception):
    """The statement is not of the form that SciPy computes."""


@dataclass(frozen=True)
class Value:
    """A number, vector, or matrix (NumPy or SciPy), and the index variables of its modes."""

    data: Any
    indices: tuple[str, ...]

    def ordered(self, indices: Sequence[str]) -> Any:
        """The data with its modes in another order."""
        if sorted(indices) != sorted(self.indices):
            raise Declined
        return self.data if tuple(indices) == self.indices else self.data.T


def scipy_value(statement: Assignment, tensors: Mapping[str, Tensor]) -> Any:
    """
    The result of a statement with explicit reductions: a number, an array, or a SciPy matrix.

    Raises:
        Declined: SciPy has no direct way to compute it.
    """
    found = _Evaluator(tensors).value(statement.expression)
    return found.ordered(statement.result.indices)


@dataclass(frozen=True)
class _Evaluator:
    tensors: Mapping[str, Tensor]

    def value(self, expression: Expr) -> Value:
        match expression:
            case Access():
                return self._access(expression)
            case Literal(value=value):
                return Value(value, ())
            case Reduce(operator="add", variables=variables, body=body):
                return self._sum(body, variables)
            case Call(operator="neg", arguments=(a,)):
                found = self.value(a)
                return Value(-found.data, found.indices)
            case Call(operator="add" | "sub" as name, arguments=(a, b)):
                left, right = self.value(a), self.value(b)
                other = right.ordered(left.indices)
                data = left.data + other if name == "add" else left.data - other
                return Value(data, left.indices)
            case Call(operator="mul"):
                return self._sum(expression, ())
            case _:
                raise Declined

    def _access(self, access: Access) -> Value:
        tensor = self.tensors[access.tensor]
        if tensor.order > 2 or len(set(access.indices)) < tensor.order:
            raise Declined
        if max(tensor.shape, default=0) > LONGEST:
            raise Declined
        if tensor.order < 2 or tensor.format.all_dense:
            return Value(tensor.to_numpy(), access.indices)
        return Value(tensor.to_scipy().tocsr(), access.indices)

    def _sum(self, body: Expr, variables: Sequence[str]) -> Value:
        """The product of the factors of `body`, summed over `variables`."""
        factors = [self.value(factor) for factor in _factors(body)]
        while len(factors) > 1:
            factors = _merge_two(factors, variables)
        (product,) = factors
        left = [v for v in product.indices if v not in variables]
        axes = tuple(k for k, v in enumerate(product.indices) if v in variables)
        data = product.data
        for axis in reversed(axes):
            data = data.sum(axis=axis)
        return Value(data, tuple(left))


def _factors(expression: Expr) -> list[Expr]:
    match expression:
        case Call(operator="mul", arguments=(a, b)):
            return _factors(a) + _factors(b)
        case _:
            return [expression]


def _merge_two(factors: Sequence[Value], variables: Sequence[str]) -> list[Value]:
    """The factors with the first two that can be multiplied multiplied."""
    for k, m in combinations(range(len(factors)), 2):
        rest = [factor for n, factor in enumerate(factors) if n not in (k, m)]
        elsewhere = {v for factor in rest for v in factor.indices}
        done = [v for v in variables if v not in elsewhere]
        product = _multiply(factors[k], factors[m], done)
        if product is not None:
            return [product, *rest]
    raise Declined


def _multiply(a: Value, b: Value, done: Sequence[str]) -> Value | None:
    """The product of two factors, summed over a shared variable of `done`; None if not one call."""
    shared = [v for v in a.indices if v in b.indices]
    if not a.indices or not b.indices:
        return Value(a.data * b.data, a.indices or b.indices)
    if len(shared) == 1 and shared[0] in done:
        left = a.data if a.indices[-1] == shared[0] else a.data.T
        right = b.data if b.indices[0] == shared[0] else b.data.T
        kept = [v for v in (*a.indices, *b.indices) if v != shared[0]]
        return Value(left @ right, tuple(kept))
    if set(a.indices) == set(b.indices):
        return Value(_elementwise(a.data, b.ordered(a.indices)), a.indices)
    matrix, vector = (a, b) if len(a.indices) == 2 else (b, a)
    if len(shared) == 1 and len(matrix.indices) == 2 and len(vector.indices) == 1:
        along_rows = matrix.indices[1] == shared[0]
        scale = vector.data[None, :] if along_rows else vector.data[:, None]
        return Value(_elementwise(matrix.data, scale), matrix.indices)
    return None


def _elementwise(a: Any, b: Any) -> Any:
    if hasattr(a, "multiply"):
        return a.multiply(b).tocsr()
    return b.multiply(a).tocsr() if hasattr(b, "multiply") else a * b
