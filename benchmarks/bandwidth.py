"""
What memory could do: the speed of a copy and of a triad, measured in the run.

Arrays are larger than any cache and have been touched. As with STREAM, bytes read and written
count, not the reads that a write to memory may need.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from functools import cache
from time import perf_counter, thread_time
from typing import Any

import numpy as np
from built import handwritten

MEMORY = "memory limit"
"""The name of the rows that compare with it."""

ELEMENTS = 1 << 23
"""Of each array: 64 MiB."""
RUNS = 9


@dataclass(frozen=True)
class Memory:
    """Bytes per second."""

    copy: float
    triad: float


@cache
def memory(threads: int = 1) -> Memory:
    """Measures once for a number of threads; the best of some runs counts, as in STREAM."""
    functions = handwritten("stream", parallel=threads > 1)
    a, b, c = (np.full(ELEMENTS, float(k)) for k in range(3))
    return Memory(
        copy=2 * a.nbytes / best(functions.copy, threads, a, b),
        triad=3 * a.nbytes / best(functions.triad, threads, a, b, c),
    )


def best(function: Any, threads: int, *arrays: Any) -> float:
    """The seconds of the fastest run: CPU time of one thread, time on the wall of several."""
    watch = thread_time if threads == 1 else perf_counter
    numbers = (ctypes.c_int64(number) for number in (ELEMENTS, threads))
    arguments = (*(array.ctypes for array in arrays), *numbers)
    seconds: list[float] = []
    for _ in range(RUNS):
        start = watch()
        function(*arguments)
        seconds.append(watch() - start)
    return max(min(seconds), 1e-9)
