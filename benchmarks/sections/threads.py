"""
Two threads: against one, and against loops that are parallel over rows, on skewed matrices; time
on the wall, and in which memory could do it. And how even the shares of 64 workers are, counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any

import byrows
import numpy as np
from data import Matrix, data_folder, made_here, normal, power_law, shifted
from effort import Effort
from machine import cache_bytes
from results import Balance, Gap, Ratio, Result
from sections import converting, spgemm
from tensors import Entries
from tensors import power_law as power_law_tensor
from timing import Contender, Contest, contend

import tamale as tm
from tamale.backends.jit.compiler import find_compiler
from tamale.dialects.format.named import resolve_format
from tamale.dialects.lazy import load
from tamale.frontend.api import compile_typed
from tamale.frontend.converting import conversion
from tamale.frontend.request import make_request
from tamale.frontend.shares import sharing_of

SECTION = "threads"
SPMV, SPMM, SPGEMM, ADD, MTTKRP = "A x", "A B, 32 columns", "A * A", "A + B", "MTTKRP"
CLOCK, ALONE = "wall", "tamale, one thread"
THREADS, WORKERS, WIDTH = 2, 64, 32
CONVERSIONS = (
    converting.COO_CSR,
    converting.CSR_CSC,
    converting.CSR_ELL,
    converting.CSR_DIA,
    converting.COO_DIA,
    converting.CSC_DIA,
    converting.CSC_ELL,
)
"""The seven conversions of the paper's evaluation."""
SLASHDOT = "soc_slashdot0902"


@dataclass(frozen=True)
class Computation:
    """A statement and its operands, to be computed by one thread and by two."""

    what: str
    input: Matrix | Entries
    statement: str
    formats: Mapping[str, str]
    operands: Mapping[str, Any]
    by_memory: bool = True
    """Whether each byte is read or written about once, so that memory may be what it waits for."""

    def kernel(self, threads: int) -> tm.Kernel:
        return compile_typed(self.statement, self.formats, {}, threads=threads)

    def contest(self) -> Contest:
        two, one = (partial(self.kernel(n), **self.operands) for n in (THREADS, 1))
        ours, peer = Contender("tamale", two), Contender(ALONE, one)
        moved = sum(tensor.nbytes for tensor in (*self.operands.values(), two()))
        return contest(self.what, self.input.name, ours, peer, moved if self.by_memory else 0)


def measure(effort: Effort) -> Iterator[Result]:
    """Everything; gaps where the compiler has no OpenMP, or a kernel is serial."""
    for matrix in skewed(effort):
        if isinstance(matrix, Matrix):
            yield balance(matrix)
    if not find_compiler().openmp:
        yield Gap(SECTION, "two threads", "the compiler has no OpenMP")
        return
    serial = dict[str, Gap]()
    for computation in computations(effort):
        gap = serial_gap(computation.what, computation.kernel(THREADS))
        if gap is None:
            yield from timed(computation.contest(), effort)
        else:
            serial[computation.what] = gap
    yield from serial.values()
    for matrix in made_here(effort):
        for contest in conversions(matrix):
            yield from timed(contest, effort)
    for matrix in skewed(effort):
        if isinstance(matrix, Gap):
            yield matrix
            continue
        for contest in against_rows(matrix):
            yield from timed(contest, effort)


def timed(contest: Contest, effort: Effort) -> Iterator[Ratio]:
    """By the clock on the wall: the time of one thread says nothing about two."""
    return contend(contest, effort, perf_counter)


def serial_gap(what: str, kernel: tm.Kernel) -> Gap | None:
    """A gap with the reason if the loops of a kernel are not shared."""
    if "#pragma omp" in kernel.cpp:
        return None
    reason = kernel.explain().partition("parallel\n")[2].partition("\n")[0]
    reason = reason.strip().removeprefix("no: ")
    return Gap(SECTION, f"two threads, {what}", f"the kernel is serial: {reason}")


# Against one thread


def computations(effort: Effort) -> Iterator[Computation]:
    """Statements of matrices, smaller ones where operands or results are large, and of a tensor."""
    for matrix in made_here(effort):
        a, b = tm.tensor(matrix.csr), tm.tensor(shifted(matrix.csr))
        operands = {"A": a, "x": dense(a.shape[1])}
        yield Computation(SPMV, matrix, "y(i) = A(i,j) * x(j)", {"A": "csr"}, operands)
        formats = dict.fromkeys("ABZ", "csr")
        yield Computation(ADD, matrix, "Z(i,j) = A(i,j) + B(i,j)", formats, {"A": a, "B": b})
    for matrix in made_here(effort, effort.wide_scale):
        a = tm.tensor(matrix.csr)
        operands = {"A": a, "X": dense(a.shape[1], WIDTH)}
        yield Computation(SPMM, matrix, "Z(i,k) = A(i,j) * X(j,k)", {"A": "csr"}, operands)
        if spgemm.multiplications(matrix.csr) <= spgemm.MOST:
            formats = dict.fromkeys("ABZ", "csr")
            square = "Z(i,j) = A(i,k) * B(k,j)"
            operands = {"A": a, "B": a}
            yield Computation(SPGEMM, matrix, square, formats, operands, by_memory=False)
    x = power_law_tensor(effort, 3)
    operands = {"X": x.tensor, "B": x.factors[1], "C": x.factors[2]}
    product = "M(i,r) = X(i,j,k) * B(j,r) * C(k,r)"
    yield Computation(MTTKRP, x, product, {"X": "csf"}, operands, by_memory=False)


def conversions(matrix: Matrix) -> Iterator[Contest]:
    """The conversions that suit a matrix, by one thread and by two."""
    for what, source, name, _ in converting.rows_of(matrix):
        if what in CONVERSIONS:
            target, dtype = resolve_format(name, 2), source.dtype.name
            two, one = (
                partial(conversion(source.format, target, dtype, threads=n), source)
                for n in (THREADS, 1)
            )
            ours, peer = Contender("tamale", two), Contender(ALONE, one)
            yield contest(what, matrix.name, ours, peer, source.nbytes + one().nbytes)


def dense(*shape: int) -> Any:
    """A dense factor."""
    return np.random.default_rng(0).random(shape)


# Against rows


def skewed(effort: Effort) -> Iterator[Matrix | Gap]:
    """Matrices whose rows are not alike."""
    n = effort.power_law // 2
    yield Matrix(f"arrow {n}", arrow(n))
    yield Matrix(f"half in one row {n}", half_in_one_row(n))
    yield Matrix(f"power law {n}", power_law(n))
    folder = data_folder()
    files = sorted(folder.glob(f"{SLASHDOT}.mtx*")) if folder is not None else []
    if effort.files and files:
        yield Matrix(SLASHDOT, normal(tm.read(files[0], "csr").to_scipy()))
    else:
        yield Gap(SECTION, SLASHDOT, "it is not in TAMALE_DATA, or a quick run leaves it out")


def arrow(n: int) -> Any:
    """A full first row, a full first column, and the diagonal."""
    line, zero = np.arange(n), np.zeros(n, np.int64)
    rows, columns = np.concatenate([line, zero, line]), np.concatenate([zero, line, line])
    return from_coordinates((rows, columns), n)


def half_in_one_row(n: int) -> Any:
    """A full first row, and an entry on the diagonal of each other one."""
    line = np.arange(n)
    return from_coordinates((np.concatenate([0 * line, line]), np.concatenate([line, line])), n)


def from_coordinates(coordinates: tuple[Any, Any], n: int) -> Any:
    values = np.random.default_rng(0).uniform(0.1, 1, len(coordinates[0]))
    return normal(load("scipy.sparse:coo_array")((values, coordinates), shape=(n, n)))


def against_rows(matrix: Matrix) -> Iterator[Contest]:
    """A matrix times a vector, and times a dense matrix."""
    A, columns = tm.tensor(matrix.csr), int(matrix.csr.shape[1])
    for what, statement, right, shape in (
        (SPMV, "y(i) = A(i,j) * x(j)", dense(columns), A.shape[:1]),
        (SPMM, "y(i,k) = A(i,j) * x(j,k)", dense(columns, WIDTH), (A.shape[0], WIDTH)),
    ):
        kernel = tm.compile(statement, threads=THREADS, A="csr")
        ours = Contender("tamale", partial(kernel, A=A, x=right, out=np.empty(shape)))
        peer = byrows.product(matrix.csr, right, THREADS)
        moved = A.nbytes + right.nbytes + 8 * int(np.prod(shape))
        yield contest(what, matrix.name, ours, peer, moved)


def contest(what: str, data: str, ours: Contender, peer: Contender, moved: int) -> Contest:
    """A contest of two threads that move so many bytes; 0 where arithmetic takes longer."""
    large = moved > cache_bytes()
    return Contest(SECTION, what, data, CLOCK, ours, [peer], large, moved, threads=THREADS)


# Balance


def balance(matrix: Matrix) -> Balance:
    """The shares of many workers in a matrix times a vector."""
    request = make_request("y(i) = A(i,j) * x(j)", {"A": "csr"}, {}, threads=WORKERS)
    sharing = sharing_of(request)
    assert sharing is not None
    shares = sharing.shares({"A": tm.tensor(matrix.csr), "x": np.ones(matrix.csr.shape[1])})
    ours = byrows.unevenness([share.work for share in shares.shares])
    rows = byrows.unevenness(byrows.row_work(matrix.csr, WORKERS))
    return Balance(SECTION, SPMV, matrix.name, WORKERS, ours, rows)
