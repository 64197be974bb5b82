"""What a section finds out: ratios to peers, latencies, and gaps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import geometric_mean
from typing import NamedTuple, TypeAlias


class Seconds(NamedTuple):
    """CPU time of one thread or of child processes, and the time on the wall, in seconds."""

    cpu: float
    wall: float


@dataclass(frozen=True)
class Ratio:
    """tamale and one peer on one input, timed alternately."""

    section: str
    what: str
    """The computation, such as `A + B`."""
    data: str
    """The input."""
    clock: str
    """What is timed: `kernel` on arrays that exist, or the user's `call`, from object to object."""
    peer: str
    tamale: float
    """Median CPU seconds of a call."""
    theirs: float
    """The same of the peer."""
    quartiles: tuple[float, float]
    """Of the ratios of samples taken one right after the other."""
    larger_than_cache: bool
    entries: int = 0
    """Of the input, where it grows; else 0."""

    @property
    def ratio(self) -> float:
        """How many times faster tamale is."""
        return self.theirs / self.tamale


@dataclass(frozen=True)
class Latency:
    """A time that no peer has."""

    section: str
    what: str
    part: str
    """A stage of `what`; empty if it has none."""
    seconds: Seconds
    """Medians."""


@dataclass(frozen=True)
class Balance:
    """How even the shares of workers are: counted, not timed."""

    section: str
    what: str
    data: str
    workers: int
    tamale: float
    """The largest share over the mean one."""
    by_rows: float
    """The same if each worker has equally many rows."""


@dataclass(frozen=True)
class Count:
    """Something that is counted for a few sizes, such as generated lines."""

    section: str
    what: str
    number: int


@dataclass(frozen=True)
class Gap:
    """Something that could not be measured here, and why."""

    section: str
    what: str
    why: str


Result: TypeAlias = Ratio | Latency | Balance | Count | Gap


def geomean(ratios: Iterable[Ratio]) -> float | None:
    """The geometric mean; None of nothing."""
    values = [ratio.ratio for ratio in ratios]
    return geometric_mean(values) if values else None
