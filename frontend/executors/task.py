"""What an executor is given: a kernel and the operands of one part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from tamale.frontend.kernel import Kernel
from tamale.frontend.request import Request

_kernels: dict[tuple[str, ...], Kernel] = {}


@dataclass(frozen=True)
class Task:
    """A kernel to be called once; it can be sent to another process."""

    request: Request
    operands: Mapping[str, Any]
    """Tensors, or what an executor keeps in their place."""
    shape: tuple[int, ...]
    """The dimension sizes of the result."""

    def on(self, operands: Mapping[str, Any]) -> Task:
        """The same task on these operands."""
        return replace(self, operands=operands)

    def run(self) -> Any:
        """
        Computes the result, here.

        Raises:
            TamaleError: what the kernel raises.
        """
        kernel = _kernels.setdefault(self.request.key_parts, Kernel(self.request))
        return kernel(shape=self.shape, **self.operands)
