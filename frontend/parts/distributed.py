"""Results in parts, each where it was computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from tamale.dialects.format.spec import Format
from tamale.dialects.notation.ast import Access, Assignment, Call, to_text
from tamale.frontend.api import compile_typed
from tamale.frontend.entries import from_entries
from tamale.frontend.executors.executor import Executor
from tamale.frontend.interop import tensor
from tamale.frontend.request import Request
from tamale.frontend.tensor import Tensor


@dataclass(frozen=True, eq=False)
class Distributed:
    """
    The result of a statement in parts. It can be an operand of the next `partition` as it is;
    `gather` makes one tensor of it.
    """

    handles: tuple[Any, ...]
    """What the executor keeps for each part: the part's result, or where that is."""
    executor: Executor
    request: Request
    bounds: tuple[int, ...]
    """Where parts begin and end along the index variable that was cut."""
    mode: int | None
    """The mode of the result that is cut; None if the parts are combined."""
    combined: str | None
    """The operator that combines the parts."""

    @property
    def format(self) -> Format:
        """The format of every part."""
        return self.request.result_format

    @property
    def dtype(self) -> np.dtype[Any]:
        """The element type."""
        return np.dtype(self.request.dtype)

    @property
    def shape(self) -> tuple[int, ...]:
        """The dimension sizes of the whole."""
        sizes = list(self.executor.shape(self.handles[0]))
        if self.mode is not None:
            sizes[self.mode] = self.bounds[-1]
        return tuple(sizes)

    def fetch(self, part: int) -> Any:
        """
        One part's result: a NumPy array where the format is dense, else a `Tensor`.

        Raises:
            TamaleError: what its kernel raised.
        """
        return self.executor.fetch(self.handles[part])

    def gather(self) -> Any:
        """
        The whole result, as `evaluate` returns it.

        Raises:
            TamaleError: what a part's kernel raised.
        """
        parts = [self.fetch(k) for k in range(len(self.handles))]
        if self.mode is None:
            return self._combined(parts)
        if self.format.all_dense:
            return np.concatenate(parts, self.mode)
        return self._joined(list(map(tensor, parts)), self.mode)

    def _joined(self, parts: Sequence[Tensor], mode: int) -> Tensor:
        """Sparse parts, one after the other along a mode."""
        found = [part.entries() for part in parts]
        columns = [
            np.concatenate([c[m] + low * (m == mode) for (c, _), low in self._placed(found)])
            for m in range(len(self.shape))
        ]
        vals = np.concatenate([vals for _, vals in found])
        return from_entries(columns, vals, self.shape, self.format)

    def _placed(self, found: Sequence[Any]) -> Any:
        return zip(found, self.bounds, strict=False)

    def _combined(self, parts: Sequence[Any]) -> Any:
        """Parts of a reduction; those along no coordinate hold nothing to combine."""
        runs = zip(self.bounds, self.bounds[1:], strict=False)
        nonempty = [part for part, (a, b) in zip(parts, runs, strict=True) if a < b]
        if len(nonempty) < 2:
            return (nonempty or parts)[0]
        names, indices = ("Z", "P", "Q"), tuple(f"i{k}" for k in range(len(self.shape)))
        result, *arguments = (Access(name, indices) for name in names)
        assert self.combined is not None
        statement = to_text(Assignment(result, None, Call(self.combined, tuple(arguments))))
        dtypes = dict.fromkeys(names[1:], self.dtype.name)
        formats = dict.fromkeys(names, self.format)
        kernel = compile_typed(statement, formats, dtypes, dtype=self.dtype.name)
        return reduce(lambda P, Q: kernel(P=P, Q=Q), nonempty)
