"""The operators of tensors and hybrid tensors; what they compute is in `operating`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from typing import Any

from tamale.dialects.lazy import load

_binary = cache(partial(load, "tamale.frontend.operating:binary"))
_unary = cache(partial(load, "tamale.frontend.operating:unary"))
_REDUCING = "tamale.frontend.reducing"


class Arithmetic:
    """
    `+ - * / @` as NumPy has them, and reductions along modes.

    The result is sparse unless an operand makes it dense: `docs/operators.md` has the rule. Sparse
    results are tensors, dense ones NumPy arrays.
    """

    def __add__(self, other: Any) -> Any:
        return _binary()("+", self, other)

    def __radd__(self, other: Any) -> Any:
        return _binary()("+", other, self)

    def __sub__(self, other: Any) -> Any:
        return _binary()("-", self, other)

    def __rsub__(self, other: Any) -> Any:
        return _binary()("-", other, self)

    def __mul__(self, other: Any) -> Any:
        return _binary()("*", self, other)

    def __rmul__(self, other: Any) -> Any:
        return _binary()("*", other, self)

    def __truediv__(self, other: Any) -> Any:
        return _binary()("/", self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return _binary()("/", other, self)

    def __matmul__(self, other: Any) -> Any:
        return _binary()("@", self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return _binary()("@", other, self)

    def __neg__(self) -> Any:
        return _unary()("-A", self)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return _unary()("abs(A)", self)

    def sum(
        self, axis: int | Sequence[int] | None = None, *, out: Any = None, keepdims: bool = False
    ) -> Any:
        """
        The sum over some modes, over all by default.

        Args:
            axis: the numbers of the modes, from 0; negative ones count from the end.
            out: the result's format, or a NumPy array to write into.
            keepdims: whether the modes that are gone stay, with size 1.

        Raises:
            TamaleError: there is no such mode, or `out` does not fit.
        """
        return load(f"{_REDUCING}:total")(self, axis, out, keepdims)

    def mean(
        self, axis: int | Sequence[int] | None = None, *, keepdims: bool = False
    ) -> Any:
        """The mean over some modes, implicit zeros included; see `sum`."""
        return load(f"{_REDUCING}:mean")(self, axis, keepdims)

    def max(self, axis: int | Sequence[int] | None = None, *, keepdims: bool = False) -> Any:
        """
        The largest value along some modes, implicit zeros included; NaN where there is one.

        Raises:
            TamaleError: there is no such mode, a mode has no coordinates, or values are complex.
        """
        return load(f"{_REDUCING}:extreme")("max", self, axis, keepdims)

    def min(self, axis: int | Sequence[int] | None = None, *, keepdims: bool = False) -> Any:
        """The smallest value along some modes; see `max`."""
        return load(f"{_REDUCING}:extreme")("min", self, axis, keepdims)
