"""What the figures must not fall below; `--check` fails where they do, by more than runs differ."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import byhand
import byrows
import onemkl
from bandwidth import MEMORY
from results import Balance, Latency, Ratio, Result, geomean
from sections import (
    calling,
    compiling,
    compositions,
    contractions,
    converting,
    converting_calls,
    elementwise,
    spgemm,
    spmm,
    spmv,
    starting,
    threads,
)

CONVERSION_FLOORS = (
    (converting.COO_CSR, "SciPy", 1.0),
    (converting.UNSORTED, "SciPy", 1.0),
    (converting.DUPLICATES, "SciPy", 1.0),
    (converting.CSR_CSC, "SciPy", 1.0),
    (converting.CSR_ELL, byhand.NAME, 1.0),
    (converting.CSR_DIA, "SciPy todia", 4.0),
    (converting.COO_DIA, converting.THROUGH_CSR, 1.8),
    (converting.CSC_DIA, converting.THROUGH_CSR, 1.8),
    (converting.CSC_ELL, converting.THROUGH_CSR, 1.8),
    (converting.COO_ELL, converting.THROUGH_CSR, 1.8),
)
"""The conversion, the peer (by the beginning of its name), and what the mean is to reach."""

MKL_FLOORS = (
    (converting.COO_CSR, onemkl.COO_CSR, 1.0),
    (converting.CSR_CSC, onemkl.CSR_CSC, 1.0),
    (converting.CSR_DIA, onemkl.CSR_DIA, 1.0),
    (converting.COO_DIA, onemkl.COO_DIA, 1.8),
    (converting.CSC_DIA, onemkl.CSC_DIA, 1.8),
    (converting.CSC_ELL, onemkl.CSC_ELL, 1.8),
    (converting.COO_ELL, onemkl.COO_ELL, 1.8),
)
"""The same, where there is an MKL; without one it is a gap, not a failure."""

CALL_FLOORS = (
    (converting_calls.COO_CSR, 1.3),
    (converting_calls.CSR_CSC, 1.05),
    (converting_calls.CSR_BCSR, 2.5),
)
"""The conversion, and what the mean over SciPy's method is to reach."""

PRODUCT_FLOORS = (
    (spgemm, spgemm.UNORDERED, 2.0),
    (spgemm, spgemm.ORDERED, 2.0),
    (compositions, compositions.MIXED, 1.3),
    (compositions, compositions.GALERKIN, 1.3),
    (contractions, contractions.SDDMM, 1.5),
    (contractions, contractions.TTV, 5.0),
    (contractions, contractions.TTM, 5.0),
    (contractions, contractions.MTTKRP, 5.0),
)
"""The section, what is computed, and what the mean over the fastest peers is to reach."""

PRODUCT_PEERS = ("SciPy", "NumPy", "torch", "pyttb", "pydata")
"""The peers that count there, by the beginning of their names: what Python's users have."""

THREADS_FLOORS = (threads.SPMM, threads.SPGEMM, threads.MTTKRP, threads.ADD)
"""What two threads are to compute 1.7 times as fast as one; `A x` waits for memory."""


TOLERANCE = 0.1
"""Of a limit: runs on one machine differ by so much, the geometric means of some matrices less."""


@dataclass(frozen=True)
class Verdict:
    """One floor or ceiling beside what was measured; None where nothing was."""

    what: str
    measured: float | None
    limit: float
    at_least: bool
    """Whether `limit` is a floor; else it is a ceiling that must not be reached."""
    unit: str = ""

    @property
    def is_missed(self) -> bool:
        """Whether it falls short by more than figures move from one run to the next."""
        if self.measured is None or self.holds:
            return self.measured is None
        short = self.limit / self.measured if self.at_least else self.measured / self.limit
        return short > 1 + TOLERANCE

    @property
    def holds(self) -> bool:
        if self.measured is None:
            return False
        return self.measured >= self.limit if self.at_least else self.measured < self.limit

    def __str__(self) -> str:
        bound = f"{'at least' if self.at_least else 'below'} {self.limit:g}{self.unit}"
        found = "nothing measured" if self.measured is None else f"{self.measured:.3g}{self.unit}"
        return f"{'ok' if self.holds else 'FAILED'}: {self.what}: {found}, wanted {bound}"


def verdicts(results: Sequence[Result]) -> tuple[Verdict, ...]:
    """The limits of the sections that were run, in the order of the report."""
    ratios = [result for result in results if isinstance(result, Ratio)]
    latencies = [result for result in results if isinstance(result, Latency)]
    floors = (*CONVERSION_FLOORS, *(MKL_FLOORS if onemkl.library() else ()))
    limits = (
        (spmv, spmv_floor(ratios, spmv.KERNEL)),
        (spmv, spmv_floor(ratios, spmv.OUT)),
        (spmv, memory_floor(ratios)),
        (spmm, spmm_floor(ratios)),
        (elementwise, addition_floor(ratios)),
        *((section, product_floor(ratios, what, limit)) for section, what, limit in PRODUCT_FLOORS),
        *((converting, conversion_floor(ratios, *floor)) for floor in floors),
        *((converting_calls, call_floor(ratios, *floor)) for floor in CALL_FLOORS),
        (calling, call_ceiling(ratios)),
        (compiling, stage_ceiling(latencies, compiling.PIPELINE, 100)),
        (compiling, stage_ceiling(latencies, compiling.COMPILER, 150)),
        (starting, start_ceiling(latencies)),
        *((threads, threads_floor(ratios, what, (what,))) for what in THREADS_FLOORS),
        (threads, threads_floor(ratios, "conversions", threads.CONVERSIONS)),
        (threads, rows_floor(ratios)),
        (threads, balance_ceiling(results)),
    )
    run = {result.section for result in results}
    return tuple(verdict for section, verdict in limits if section.SECTION in run)


def spmv_floor(ratios: Iterable[Ratio], clock: str) -> Verdict:
    """A kernel of a few lines is memory-bound there, and nobody's is faster by much."""
    rows = [r for r in ratios if r.section == spmv.SECTION and r.clock == clock]
    mean = geomean(r for r in rows if r.larger_than_cache and r.peer.startswith(("SciPy", "MKL")))
    what = f"SpMV csr, {clock}, matrices larger than the cache, geometric mean"
    return Verdict(what, mean, 0.95, at_least=True)


def memory_floor(ratios: Iterable[Ratio]) -> Verdict:
    """Each byte of a matrix is needed once, and nothing but memory should be waited for."""
    rows = [r for r in ratios if r.section == spmv.SECTION and r.peer == MEMORY]
    what = "SpMV csr, kernel, share of the memory limit, geometric mean"
    return Verdict(what, geomean(rows), 0.85, at_least=True)


def spmm_floor(ratios: Iterable[Ratio]) -> Verdict:
    """As fast as MKL is."""
    what = f"A B, {spmm.WIDTHS[0]} columns"
    rows = [r for r in ratios if r.section == spmm.SECTION and r.clock == "kernel"]
    mean = geomean(r for r in rows if r.what == what and r.peer.startswith("SciPy"))
    return Verdict(f"{what}, kernel to SciPy's, geometric mean", mean, 1.4, at_least=True)


def addition_floor(ratios: Iterable[Ratio]) -> Verdict:
    """SciPy merges two rows at a time as well, after counting for the worst case."""
    rows = [r for r in ratios if r.section == elementwise.SECTION and r.clock == "call"]
    mean = geomean(r for r in rows if r.what == elementwise.ADD and r.peer.startswith("SciPy"))
    return Verdict("A + B csr, call, geometric mean", mean, 1.5, at_least=True)


def product_floor(ratios: Iterable[Ratio], what: str, limit: float) -> Verdict:
    """Users would take the fastest of the peers."""
    fastest: dict[str, Ratio] = {}
    for row in ratios:
        if row.what == what and row.clock == "call" and row.peer.startswith(PRODUCT_PEERS):
            fastest[row.data] = min(row, fastest.get(row.data, row), key=lambda r: r.ratio)
    mean = geomean(fastest.values())
    return Verdict(f"{what} to the fastest peer, geometric mean", mean, limit, at_least=True)


def conversion_floor(ratios: Iterable[Ratio], what: str, peer: str, limit: float) -> Verdict:
    """The peer's own loops are the measure; where it has none, the way through CSR."""
    rows = [r for r in ratios if r.section == converting.SECTION and r.what == what]
    mean = geomean(r for r in rows if r.peer.startswith(peer))
    return Verdict(f"{what} to {peer}, geometric mean", mean, limit, at_least=True)


def call_floor(ratios: Iterable[Ratio], what: str, limit: float) -> Verdict:
    """Users wait for all that surrounds the loops, too."""
    rows = [r for r in ratios if r.section == converting_calls.SECTION and r.what == what]
    mean = geomean(r for r in rows if r.peer.startswith("SciPy"))
    return Verdict(f"{what}, call, to SciPy's, geometric mean", mean, limit, at_least=True)


def call_ceiling(ratios: Iterable[Ratio]) -> Verdict:
    """Of all ways to call a kernel that is compiled already, the slowest counts."""
    rows = [r for r in ratios if r.section == calling.SECTION]
    slowest = max((r.tamale * 1e6 for r in rows), default=None)
    return Verdict("a call on an empty tensor", slowest, 10, at_least=False, unit=" us")


def stage_ceiling(latencies: Iterable[Latency], part: str, limit: float) -> Verdict:
    """The slowest canonical kernel counts."""
    times = {row.what: row.seconds.cpu * 1e3 for row in latencies if row.part == part}
    slowest = max(times, key=times.__getitem__, default="none")
    what = f"{part}, slowest canonical kernel ({slowest})"
    return Verdict(what, times.get(slowest), limit, at_least=False, unit=" ms")


def start_ceiling(latencies: Iterable[Latency]) -> Verdict:
    """A command that does nothing shows what every command waits for."""
    times = [row.seconds.cpu * 1e3 for row in latencies if row.what == starting.VERSION]
    return Verdict(starting.VERSION, max(times, default=None), 250, at_least=False, unit=" ms")


def threads_floor(ratios: Iterable[Ratio], what: str, named: Collection[str]) -> Verdict:
    """Where memory bandwidth allows: small inputs have too little to share."""
    rows = [r for r in ratios if r.section == threads.SECTION and r.what in named]
    mean = geomean(r for r in rows if r.peer == threads.ALONE)
    return Verdict(f"{what}, two threads to one, geometric mean", mean, 1.7, at_least=True)


def rows_floor(ratios: Iterable[Ratio]) -> Verdict:
    """Rows of an arrow cannot be shared evenly: at best, 1.33 is to be had."""
    rows = [r for r in ratios if r.section == threads.SECTION and r.peer == byrows.NAME]
    mean = geomean(r for r in rows if not r.data.startswith("power law"))
    return Verdict(f"skewed products to {byrows.NAME}, geometric mean", mean, 1.3, at_least=True)


def balance_ceiling(results: Iterable[Result]) -> Verdict:
    """The largest share of 64 workers over the mean one."""
    largest = max((r.tamale for r in results if isinstance(r, Balance)), default=None)
    return Verdict("balance of 64 workers", largest, 1.01, at_least=False)
