"""Whether dense operands hold numbers only: what is not stored elsewhere would hide a NaN."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tamale.dialects.errors import KernelError
from tamale.frontend.tensor import Tensor


def require_finite(operands: Mapping[str, Any], source: str) -> None:
    """
    Checks every dense operand of floating point numbers, in time linear in their sizes.

    Raises:
        KernelError: one of them holds a NaN or an infinity; the message says where.
    """
    for name, value in operands.items():
        if isinstance(value, Tensor) and not value.format.all_dense:
            continue
        array = np.asarray(value) if not hasattr(value, "tocoo") else np.zeros(0)
        if array.dtype.kind not in "fc":
            continue
        finite = np.isfinite(array)
        if not finite.all():
            place = tuple(int(crd) for crd in np.argwhere(~finite)[0])
            at = f" at {place}" if place else ""
            raise KernelError(
                f"kernel: {name} holds {array[place]}{at}, in  {source}\n"
                "  help: without check_finite=True, products with it are 0 where another operand "
                "has no entry"
            )
