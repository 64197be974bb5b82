"""The sections of the suite, and a run of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from time import perf_counter
from typing import TypeAlias

from benchmarks.effort import Effort
from benchmarks.floors import verdicts
from benchmarks.machine import describe_machine
from benchmarks.report import Report
from benchmarks.results import Gap, Latency, Ratio, Result
from benchmarks.sections import calling, compiling, elementwise, spmm, spmv, starting
from benchmarks.tables import duration

Section: TypeAlias = Callable[[Effort], Iterator[Result]]

SECTIONS: Mapping[str, Section] = {
    "spmv": spmv.measure,
    "spmm": spmm.measure,
    "elementwise": elementwise.measure,
    "calling": calling.measure,
    "compiling": compiling.measure,
    "starting": starting.measure,
}
"""Every section, by the name of its file."""


def run_suite(names: Iterable[str], effort: Effort) -> Report:
    """
    Measures sections, one result a line on stderr meanwhile.

    Raises:
        WrongResult: tamale and a peer disagree.
        TamaleError: `$TAMALE_DATA`, a file in it or the C++ compiler is at fault.
    """
    start, machine = perf_counter(), describe_machine()
    results: list[Result] = []
    for name in names:
        for result in SECTIONS[name](effort):
            print(f"{name}: {line(result)}", file=sys.stderr, flush=True)
            results.append(result)
    return Report(machine, results, verdicts(results), perf_counter() - start)


def line(result: Result) -> str:
    """A result for whoever waits."""
    match result:
        case Ratio():
            return f"{result.what}, {result.data}, {result.clock}: {result.ratio:.2f}"
        case Latency():
            what = f"{result.what}, {result.part}" if result.part else result.what
            return f"{what}: {duration(result.seconds.cpu)}"
        case Gap():
            return f"{result.what} is missing: {result.why}"
