"""The sections of the suite, and a run of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from time import perf_counter
from typing import TypeAlias

from effort import Effort
from floors import verdicts
from machine import describe_machine, describe_memory
from report import Report
from results import Balance, Count, Gap, Latency, Ratio, Result
from sections import (
    calling,
    compiling,
    compositions,
    contractions,
    converting,
    converting_calls,
    elementwise,
    growth,
    operands,
    spgemm,
    spmm,
    spmv,
    spmv_formats,
    starting,
    threads,
)
from tables import duration

Section: TypeAlias = Callable[[Effort], Iterator[Result]]

SECTIONS: Mapping[str, Section] = {
    module.SECTION: module.measure
    for module in (
        spmv,
        spmv_formats,
        spmm,
        spgemm,
        elementwise,
        compositions,
        contractions,
        operands,
        converting,
        converting_calls,
        growth,
        calling,
        compiling,
        starting,
        threads,
    )
}
"""Every section, by its name; a new one is a file in `sections/` and a word here."""


def run_suite(names: Iterable[str], effort: Effort) -> Report:
    """
    Measures sections; a terminal shows meanwhile what was measured last.

    Raises:
        WrongResult: tamale and a peer disagree.
        TamaleError: `$TAMALE_DATA`, a file in it or the C++ compiler is at fault.
    """
    machine = describe_machine()
    results: list[Result] = []
    seconds: dict[str, float] = {}
    for name in names:
        begin = perf_counter()
        for result in SECTIONS[name](effort):
            show_progress(result)
            results.append(result)
        seconds[name] = perf_counter() - begin
    show_progress(None)
    machine = {**machine, **describe_memory()}
    return Report(machine, results, verdicts(results), seconds)


def show_progress(result: Result | None) -> None:
    """One line on a terminal, written over again and again; None wipes it out."""
    if sys.stderr.isatty():
        text = "" if result is None else f"{result.section}: {line(result)}"
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def line(result: Result) -> str:
    """A result for whoever waits."""
    match result:
        case Ratio():
            return f"{result.what}, {result.data}, {result.clock}: {result.ratio:.2f}"
        case Latency():
            what = f"{result.what}, {result.part}" if result.part else result.what
            return f"{what}: {duration(result.seconds.cpu)}"
        case Balance():
            return f"{result.what}, {result.data}, {result.workers} workers: {result.tamale:.3f}"
        case Count():
            return f"{result.what}: {result.number}"
        case Gap():
            return f"{result.what} is missing: {result.why}"
