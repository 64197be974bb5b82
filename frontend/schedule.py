"""How a statement is to be computed, as far as its user says: loops, parts computed first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from tamale.dialects.errors import ScheduleError
from tamale.dialects.format.spec import Format
from tamale.dialects.integers import whole_number

Loops: TypeAlias = tuple[str, ...]

MOST = 1024
"""The most workers of a kernel."""


def worker_count(given: object, what: str = "threads") -> int:
    """
    A number of workers, of any type of integers.

    Raises:
        ScheduleError: it is none; `what` begins the message.
    """
    count = whole_number(given)
    if count is None or not 1 <= count <= MOST:
        raise ScheduleError(f"{what}: expected a whole number from 1 to {MOST}, got {given!r}")
    return count


@dataclass(frozen=True)
class Part:
    """A part of a statement that is computed first: `T(i,l) = A(i,k) * B(k,l)`."""

    statement: str
    format: str | Format
    """How the tensor on its left is stored."""

    def __str__(self) -> str:
        return f"{self.statement}, {self.format}"


@dataclass(frozen=True)
class Schedule:
    """
    What is asked for about loops; the compiler chooses the rest. It is a value: each method
    returns another schedule.

    >>> Schedule().precompute("T(i,l) = A(i,k) * B(k,l)", "csr").reorder("i,k,l", of="T")
    Schedule(precompute T(i,l) = A(i,k) * B(k,l), csr; reorder i, k, l of T)
    """

    orders: tuple[tuple[str, Loops], ...] = ()
    """Tensor -> the loops that compute it, outermost first; "" stands for the result."""
    parts: tuple[Part, ...] = ()
    """What is computed first, one after the other."""
    threads: int = 1
    """How many workers share the loops, where they can."""
    shared: Loops | None = None
    """The loops that workers must share, () for any; None if they may as well not."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "threads", worker_count(self.threads))

    def reorder(self, *loops: str, of: str = "") -> Schedule:
        """
        Runs loops in this order.

        Args:
            loops: every loop once, outermost first; names, or one text, `"i,k,j"`.
            of: the tensor that `precompute` named and the loops compute; the result by default.

        Raises:
            ScheduleError: a name is missing.
        """
        names = loop_names(loops)
        kept = tuple((tensor, order) for tensor, order in self.orders if tensor != of)
        return replace(self, orders=(*kept, (of, names)))

    def precompute(self, part: str, format: str | Format = "dense") -> Schedule:
        """
        Computes a part of the statement first.

        Args:
            part: the part, with the tensor that is to keep it and the variables that this has,
                `"T(i,l) = A(i,k) * B(k,l)"`; over the other variables, here k, it is reduced.
            format: how that tensor is stored.
        """
        return replace(self, parts=(*self.parts, Part(part, format)))

    def parallelize(self, *loops: str, threads: int) -> Schedule:
        """
        Shares the outermost loops among workers, each with the same work.

        Args:
            loops: those that have to be among the loops that are shared; names, or one text.
            threads: how many workers, from 1 to `MOST`.

        Raises:
            ScheduleError: a name is missing, or the number is none.
        """
        return replace(self, threads=threads, shared=loop_names(loops) if loops else ())

    def lines(self) -> Iterator[str]:
        """What is asked for, a line each."""
        for part in self.parts:
            yield f"precompute {part}"
        for tensor, order in self.orders:
            yield f"reorder {', '.join(order)}" + (f" of {tensor}" if tensor else "")
        if self.shared is not None:
            yield f"parallelize {', '.join(self.shared) or 'any loops'} by {self.threads}"
        elif self.threads > 1:
            yield f"threads {self.threads}"

    def __repr__(self) -> str:
        return f"Schedule({'; '.join(self.lines())})"


UNASKED = Schedule()
"""The compiler chooses everything."""


def scheduled_in(order: Sequence[str] | str | None, schedule: Schedule | None) -> Schedule:
    """
    A schedule whose result is computed by the loops of `order`, where there is one.

    Raises:
        ScheduleError: the order names no loops, or the schedule has another one.
    """
    given = UNASKED if schedule is None else schedule
    check_schedule(given)
    if order is None:
        return given
    if "" in dict(given.orders):
        raise ScheduleError(
            "order: the schedule has an order already\n  help: leave out one of the two"
        )
    return given.reorder(*order if isinstance(order, (list, tuple)) else (str(order),))


def check_schedule(schedule: object) -> None:
    """
    Raises:
        ScheduleError: this is no schedule.
    """
    if not isinstance(schedule, Schedule):
        raise ScheduleError(
            f"schedule: expected a Schedule, got {schedule!r}\n"
            "  help: write tm.Schedule().reorder('i,k,j'); order= takes the loops alone"
        )


def shared_by(threads: int, schedule: Schedule) -> Schedule:
    """
    A schedule whose loops so many workers share where they can.

    Raises:
        ScheduleError: the number is none, or the schedule has another one.
    """
    count = worker_count(threads)
    if count == 1:
        return schedule
    if schedule.threads not in (1, count):
        raise ScheduleError(
            f"threads: {count}, but the schedule has {schedule.threads}\n"
            "  help: leave out one of the two"
        )
    return replace(schedule, threads=count)


def loop_names(loops: Sequence[str]) -> Loops:
    """
    The loops of an order, outermost first: of `("i", "k", "j")`, or `("i,k,j",)`.

    Raises:
        ScheduleError: a name is missing.
    """
    written = ",".join(map(str, loops))
    names = tuple(name.strip() for name in written.split(","))
    if not all(name.isidentifier() for name in names):
        raise ScheduleError(
            f"order: expected the variables of the loops, outermost first, such as 'i,k,j', got "
            f"'{written}'"
        )
    return names
