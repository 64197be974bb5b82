"""A statement in parts, and how they are computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

from tamale.frontend.executors.executor import Executor, SerialExecutor
from tamale.frontend.executors.task import Task
from tamale.frontend.kernel import Kernel
from tamale.frontend.parts.distributed import Distributed
from tamale.frontend.request import Request


@dataclass(frozen=True, eq=False)
class Part:
    """One part of a statement: the same kernel on its operands gives its part of the result."""

    operands: Mapping[str, Any]
    """Tensors of the formats of the whole; of a distributed operand, what its executor keeps."""
    begin: int
    """The coordinate of the whole, of the variable that is cut, that is coordinate 0 here."""
    end: int
    shape: tuple[int, ...]
    """The dimension sizes of its result."""


@dataclass(frozen=True, eq=False)
class Parts(Sequence[Part]):
    """The parts of a statement. Made by `partition`."""

    request: Request
    variable: str
    """The index variable along which tensors are cut."""
    combined: str | None
    """
    The operator that combines the parts' results, which have the whole's sizes; None if each has
    coordinates of the result for itself.
    """
    parts: tuple[Part, ...]
    keepers: Mapping[str, Executor]
    """Distributed operand -> the executor that keeps it."""

    @property
    def kernel(self) -> Kernel:
        """The kernel to call with the operands of each part."""
        return Kernel(self.request)

    @overload
    def __getitem__(self, index: int) -> Part: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Part]: ...
    def __getitem__(self, index: int | slice) -> Part | Sequence[Part]:
        return self.parts[index]

    def __iter__(self) -> Iterator[Part]:
        return iter(self.parts)

    def __len__(self) -> int:
        return len(self.parts)

    def run(self, executor: Executor | None = None) -> Distributed:
        """
        Computes every part, and leaves its result where it was computed.

        Args:
            executor: who computes; by default this thread, one part after the other.

        Raises:
            TamaleError: what a kernel of a part raised.
        """
        by = executor or SerialExecutor()
        _ = self.kernel.native
        handles = by.run([Task(self.request, self._at(by, p), p.shape) for p in self])
        mode = None
        if self.combined is None:
            mode = self.request.result.indices.index(self.variable)
        bounds = (*(part.begin for part in self), self[-1].end)
        return Distributed(tuple(handles), by, self.request, bounds, mode, self.combined)

    def _at(self, executor: Executor, part: Part) -> Mapping[str, Any]:
        """The operands of a part; what another executor keeps is fetched."""
        fetched = {
            name: keeper.fetch(part.operands[name])
            for name, keeper in self.keepers.items()
            if keeper is not executor
        }
        return {**part.operands, **fetched}
