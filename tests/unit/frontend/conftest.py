"""Tensors in any format, by brute force."""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np
import pytest
from brute_force import store_entries
from numpy.typing import NDArray

from tamale.dialects.format.named import resolve_format
from tamale.frontend.tensor import Tensor

Stored: TypeAlias = Callable[..., Tensor]


@pytest.fixture(scope="session")
def stored() -> Stored:
    """
    `stored(array, "dia")`: an array's nonzeros in a named format or format line, arriving row by
    row, or in `order`.
    """

    def build(array: NDArray[Any], name: str, order: Sequence[int] | None = None) -> Tensor:
        modes = [tuple(int(c) for c in entry) for entry in np.argwhere(array)]
        modes = modes if order is None else [modes[n] for n in order]
        values = np.array([array[entry] for entry in modes], array.dtype)
        return store_entries(modes, values, array.shape, resolve_format(name, array.ndim))

    return build
