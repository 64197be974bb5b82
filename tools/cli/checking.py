"""Is a result right? Compared with NumPy point by point where that is feasible, else with SciPy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np

from tamale.dialects.errors import KernelError
from tamale.dialects.notation.ast import Assignment, Call, Expr, Reduce, to_text
from tamale.frontend.reference import evaluate_reference
from tamale.frontend.request import Request
from tamale.frontend.tensor import Tensor
from tamale.tools.cli.scipy_values import Declined, scipy_value

MOST_POINTS = 20_000_000
"""The largest iteration space that NumPy walks, in seconds."""


@dataclass(frozen=True)
class Checker:
    """Checks one result; `sizes` covers all index variables."""

    request: Request
    tensors: Mapping[str, Tensor]
    sizes: Mapping[str, int]

    def check(self, result: Any) -> str:
        """
        Says what the result was checked against, or why it was not checked.

        Raises:
            KernelError: the result is wrong.
        """
        points = prod(self.sizes.values())
        try:
            if points <= MOST_POINTS:
                self._compare(result, *self._by_numpy(), "NumPy")
                return "checked against NumPy: ok"
            self._compare(result, *self._by_scipy(), "SciPy")
            return "checked against SciPy: ok"
        except Declined:
            return "not checked: too large for NumPy, and not of a form that SciPy computes"

    def _by_numpy(self) -> tuple[Any, Any]:
        """The values, and their magnitude before anything cancels."""
        statement, tensors = self.request.statement, self.tensors
        dtype, sizes = self.request.dtype, self.sizes
        values = evaluate_reference(statement, tensors, dtype=dtype, sizes=sizes).values
        bounds = evaluate_reference(
            without_signs(statement), absolute(tensors), dtype=dtype, sizes=sizes
        )
        return values, bounds.values

    def _by_scipy(self) -> tuple[Any, Any]:
        statement = self.request.statement
        values = scipy_value(statement, self.tensors)
        return values, scipy_value(without_signs(statement), absolute(self.tensors))

    def _compare(self, result: Any, expected: Any, magnitude: Any, oracle: str) -> None:
        found = _comparable(result, expected)
        difference = _difference(found, expected)
        allowed = 0.0
        if self.request.dtype[:3] != "int":
            digits = float(np.finfo(self.request.dtype).eps) ** 0.6
            allowed = digits * max(_largest_finite(expected), _largest_finite(magnitude))
        if not _values(difference).size or _values(difference).max() <= allowed:
            return
        place = _place_of_largest(difference)
        access = self.request.result.tensor + (f"({','.join(map(str, place))})" if place else "")
        raise KernelError(
            f"run: the result of  {to_text(self.request.statement)}  is wrong: {access} is "
            f"{found[place]}, {oracle} has {expected[place]}\n"
            "  help: this is a bug of tamale; please report it with the matrices"
        )


def _comparable(result: Any, expected: Any) -> Any:
    """The result as the kind of array that `expected` is."""
    if not isinstance(result, Tensor):
        return np.asarray(result)
    if hasattr(expected, "tocsr"):
        return result.to_scipy().tocsr()
    return result.to_numpy()


def _difference(found: Any, expected: Any) -> Any:
    """Absolute differences; 0 where both are the same infinity or NaN, infinite where one is."""
    if hasattr(found, "tocsr") or hasattr(expected, "tocsr"):
        difference = abs(found - expected)
        if not np.isfinite(_values(difference)).all():
            raise Declined
        return difference.tocsr() if hasattr(difference, "tocsr") else np.asarray(difference)
    expected = np.asarray(expected)
    same = (found == expected) | ((found != found) & (expected != expected))
    with np.errstate(invalid="ignore"):
        difference = np.where(same, 0.0, abs(found - expected))
    return np.nan_to_num(difference, nan=np.inf, posinf=np.inf)


def _values(array: Any) -> Any:
    return array.data if hasattr(array, "tocsr") else np.asarray(array)


def _largest_finite(array: Any) -> float:
    values = abs(_values(array))
    return float(values[np.isfinite(values)].max(initial=0))


def _place_of_largest(array: Any) -> tuple[int, ...]:
    if hasattr(array, "tocoo"):
        coo = array.tocoo()
        at = int(coo.data.argmax())
        return int(coo.coords[0][at]), int(coo.coords[1][at])
    return tuple(int(k) for k in np.unravel_index(int(array.argmax()), array.shape))


def without_signs(statement: Assignment) -> Assignment:
    """The statement with every difference a sum: on absolute values, a bound on what cancels."""
    return replace(statement, expression=_without_signs(statement.expression))


def _without_signs(expression: Expr) -> Expr:
    match expression:
        case Call(operator="neg", arguments=(a,)):
            return _without_signs(a)
        case Call(operator=name, arguments=arguments):
            name = "add" if name == "sub" else name
            return Call(name, tuple(map(_without_signs, arguments)))
        case Reduce(operator=name, variables=variables, body=body):
            return Reduce(name, variables, _without_signs(body))
        case _:
            return expression


def absolute(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The tensors with absolute values, of the same type."""
    return {
        name: Tensor(t.format, t.shape, t.levels, abs(t.vals).astype(t.dtype))
        for name, t in tensors.items()
    }
