"""
Timing: results are compared first, then the contenders take turns; medians of CPU time count.

The clock is the CPU time of this thread, so that other users of the machine disturb less.
"""

from __future__ import annotations

import gc
import math
import resource
import subprocess
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median, quantiles
from time import perf_counter, thread_time
from typing import Any, TypeAlias

import numpy as np
from bandwidth import MEMORY, memory
from effort import Effort
from results import Ratio, Seconds

from tamale.frontend.tensor import Tensor

Watch: TypeAlias = Callable[[], float]
"""Tells the time in seconds: `thread_time`, or `perf_counter` where several threads work."""

TOLERANCE = 1e-10
"""Largest difference of two results, relative to the largest value of the peer's."""


class WrongResult(Exception):
    """tamale and a peer disagree; the times would mean nothing."""


def unchanged(found: Any) -> Any:
    """The view of a contender that returns its result as it is."""
    return found


@dataclass(frozen=True)
class Contender:
    """One way to a result: `run` is timed; `view` makes what it returns comparable."""

    name: str
    run: Callable[[], Any]
    view: Callable[[Any], Any] = unchanged


@dataclass(frozen=True)
class Contest:
    """One computation on one input, by tamale and by its peers."""

    section: str
    what: str
    data: str
    clock: str
    tamale: Contender
    peers: Sequence[Contender]
    larger_than_cache: bool = False
    moved: int = 0
    """Bytes that have to be read and written at least; 0: not counted."""
    entries: int = 0
    """Of the input, where it grows; else 0."""
    threads: int = 1
    """How many tamale has, for which memory has a limit of its own."""

    def __str__(self) -> str:
        return f"{self.what}, {self.data}, {self.clock}"


def contend(contest: Contest, effort: Effort, watch: Watch = thread_time) -> Iterator[Ratio]:
    """
    Compares the results, then times all contenders by a watch; one ratio for each peer, and, where
    the cache is too small, one to the time in which memory moves each byte once.

    Raises:
        WrongResult: tamale and a peer disagree.
    """
    check_agreement(contest)
    runs = [contest.tamale.run, *(peer.run for peer in contest.peers)]
    ours, *others = alternate(runs, effort, watch)
    rivals = [(peer.name, times) for peer, times in zip(contest.peers, others, strict=True)]
    if contest.moved and contest.larger_than_cache:
        rivals.append((MEMORY, [contest.moved / memory(contest.threads).copy] * len(ours)))
    for name, theirs in rivals:
        pairs = [b / a for a, b in zip(ours, theirs, strict=True)]
        low, _, high = quantiles(pairs, n=4)
        yield Ratio(
            section=contest.section,
            what=contest.what,
            data=contest.data,
            clock=contest.clock,
            peer=name,
            tamale=median(ours),
            theirs=median(theirs),
            quartiles=(low, high),
            larger_than_cache=contest.larger_than_cache,
            entries=contest.entries,
        )


def contend_all(contests: Iterable[Contest], effort: Effort) -> Iterator[Ratio]:
    """`contend` of one contest after the other; no two are kept at once."""
    for contest in contests:
        yield from contend(contest, effort)


# Agreement


def check_agreement(contest: Contest) -> None:
    """
    Runs every contender once and compares.

    Raises:
        WrongResult: a shape differs, or a value by more than TOLERANCE.
    """
    found = comparable(contest.tamale)
    for peer in contest.peers:
        expected = comparable(peer)
        if found.shape != expected.shape:
            raise WrongResult(
                f"{contest}: the result has shape {found.shape}, {peer.name}'s {expected.shape}"
            )
        error = largest(found - expected) / (largest(expected) or 1.0)
        if not error <= TOLERANCE:  # A NaN is wrong too.
            raise WrongResult(
                f"{contest}: the result differs from {peer.name}'s by {error:.2g} of its largest "
                f"value; {TOLERANCE:.0e} is allowed"
            )


def comparable(contender: Contender) -> Any:
    """A contender's result as SciPy's CSR or a NumPy array."""
    result = contender.view(contender.run())
    if isinstance(result, Tensor):
        result = result.to_scipy()
    return result.tocsr() if hasattr(result, "tocsr") else np.asarray(result)


def largest(array: Any) -> float:
    """The largest magnitude in a SciPy or NumPy array; 0 in an empty one."""
    values = array.data if hasattr(array, "tocsr") else array
    return float(np.abs(values).max()) if values.size else 0.0


# Samples


def alternate(
    runs: Sequence[Callable[[], Any]], effort: Effort, watch: Watch = thread_time
) -> list[list[float]]:
    """Per run, the seconds of a call in each sample; the order turns around every time."""
    counts = [calls_per_sample(run, effort.sample_seconds, watch) for run in runs]
    samples: list[list[float]] = [[] for _ in runs]
    turns = list(range(len(runs)))
    with no_garbage_collection():
        for _ in range(effort.repetitions):
            for k in turns:
                samples[k].append(seconds_per_call(runs[k], counts[k], watch))
            turns.reverse()
    return samples


def calls_per_sample(run: Callable[[], Any], sample_seconds: float, watch: Watch) -> int:
    """How many calls fill a sample, judged by a few that also warm up."""
    once = seconds_per_call(run, 1, watch)
    if once < sample_seconds / 10:
        once = seconds_per_call(run, 10, watch)
    return max(1, math.ceil(sample_seconds / max(once, 1e-7)))


def seconds_per_call(run: Callable[[], Any], count: int, watch: Watch) -> float:
    """Mean seconds of `count` calls in a row, by a watch."""
    start = watch()
    for _ in range(count):
        run()
    return max(watch() - start, 1e-9) / count


@contextmanager
def no_garbage_collection() -> Generator[None]:
    """Collects now and not again until the end."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


# Latencies


def stopwatch() -> Callable[[], Seconds]:
    """Starts a watch; each call tells the time of this thread since the one before."""
    last = Seconds(thread_time(), perf_counter())

    def lap() -> Seconds:
        nonlocal last
        now = Seconds(thread_time(), perf_counter())
        passed = Seconds(now.cpu - last.cpu, now.wall - last.wall)
        last = now
        return passed

    return lap


def child_seconds(run: Callable[[], Any]) -> Seconds:
    """The time of the child processes that `run` starts and waits for."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    run()
    wall, after = perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Seconds(cpu, wall)


def output_of(command: Sequence[str]) -> str:
    """
    What a command prints.

    Raises:
        subprocess.CalledProcessError: it fails.
    """
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def medians(samples: Sequence[Seconds]) -> Seconds:
    """The median of each clock."""
    return Seconds(median(s.cpu for s in samples), median(s.wall for s in samples))
