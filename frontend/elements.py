"""One element of a stored tensor, found level by level."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from tamale.dialects.errors import CoordinateError
from tamale.dialects.format.expressions import counters, evaluate
from tamale.dialects.format.substitution import inline_lets
from tamale.dialects.integers import whole_numbers
from tamale.frontend.levels import walked
from tamale.frontend.tensor import Tensor
from tamale.passes.levels import storage_kind


def element(tensor: Tensor, key: object) -> Any:
    """
    The value at some coordinates: the sum of the entries there, 0 where there is none.

    Args:
        tensor: in any format.
        key: a coordinate per mode; negative ones count from the end.

    Raises:
        CoordinateError: too few or too many coordinates, no integers, or outside of the tensor.

    Cost: in levels that can be searched, logarithmic in a segment; in others, linear in the level.
    """
    coordinates = _checked(tensor, key)
    values = dict(zip(tensor.format.modes, coordinates, strict=True))
    places = np.zeros(1, np.int64)
    for k, stored, parents in walked(tensor):
        expression = inline_lets(tensor.format.levels[k].expression)
        wanted = None if counters(expression) else evaluate(expression, values)
        kind = storage_kind(tensor.format.levels[k].kind)
        places = kind.children(stored, parents, places, wanted)
    return tensor.vals[places].sum(dtype=tensor.dtype)


def _checked(tensor: Tensor, key: object) -> Sequence[int]:
    given = cast("tuple[Any, ...]", key if isinstance(key, tuple) else (key,))
    coordinates = whole_numbers(given)
    if coordinates is None:
        raise CoordinateError(
            f"tensor: {key!r} is no element; an element has an integer for each of "
            f"{tensor.order} modes\n  help: `to_scipy()` and `to_numpy()` give what can be sliced"
        )
    if len(coordinates) != tensor.order:
        raise CoordinateError(
            f"tensor: {len(coordinates)} coordinates for a tensor of order {tensor.order}"
        )
    for mode, (coordinate, size) in enumerate(zip(coordinates, tensor.shape, strict=True), 1):
        if not -size <= coordinate < size:
            raise CoordinateError(
                f"tensor: coordinate {coordinate} of mode {mode} is outside of its size {size}"
            )
    return [c % size for c, size in zip(coordinates, tensor.shape, strict=True)]
