"""The schedule of a kernel, and the kernels of its statement under other ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from tamale.dialects.format.spec import Format
from tamale.frontend.request import Request, scheduled
from tamale.frontend.schedule import Schedule

KernelT = TypeVar("KernelT")


@dataclass(frozen=True)
class Rescheduling(Generic[KernelT]):
    """
    What was asked for about the loops of a kernel. Each method returns the kernel that is asked
    for something more, as the methods of `Schedule` have it, or refuses with the dependence that
    forbids it.
    """

    request: Request
    compiled: Callable[[Request], KernelT]

    @property
    def value(self) -> Schedule:
        """The schedule by itself, to compile other statements with."""
        return self.request.schedule

    def __repr__(self) -> str:
        return repr(self.value)

    def reorder(self, *loops: str, of: str = "") -> KernelT:
        """
        Runs loops in this order, outermost first; see `Schedule.reorder`.

        Raises:
            ScheduleError: the loops are others, or a dependence forbids this order.
        """
        return self._under(self.value.reorder(*loops, of=of))

    def precompute(self, part: str, format: str | Format = "dense") -> KernelT:
        """
        Computes a part of the statement first; see `Schedule.precompute`.

        Raises:
            NotationError: the part cannot be read.
            FormatError: the format does not fit it.
            ScheduleError: the statement has no such part, or a dependence forbids it.
        """
        return self._under(self.value.precompute(part, format))

    def parallelize(self, *loops: str, threads: int) -> KernelT:
        """
        Shares the outermost loops among workers, each with the same work; see
        `Schedule.parallelize` and `docs/partitioning.md`.

        Raises:
            ScheduleError: the loops cannot be shared; the message says which dependence forbids it.
        """
        return self._under(self.value.parallelize(*loops, threads=threads))

    def _under(self, schedule: Schedule) -> KernelT:
        own = {access.tensor for access in (*self.request.uses, self.request.result)}
        formats = {n: format for n, format in self.request.formats.items() if n in own}
        return self.compiled(scheduled(self.request, schedule, formats))
