"""What compiling costs: each stage of the pipeline, in this process, and the C++ compiler."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from effort import Effort
from results import Count, Latency, Result, Seconds
from timing import child_seconds, medians, stopwatch

from tamale.backends.cpp.printer import print_cpp
from tamale.backends.jit.compiler import compile_flags, find_compiler
from tamale.frontend.building import build_module
from tamale.frontend.request import make_request
from tamale.passes.pipeline import Pipeline

SECTION = "compiling"
PIPELINE, COMPILER = "pipeline", "C++ compiler"
SUMMANDS = range(2, 7)


@dataclass(frozen=True)
class CanonicalKernel:
    """A statement and formats that everyone compiles sooner or later."""

    name: str
    statement: str
    formats: Mapping[str, str]


KERNELS = (
    CanonicalKernel("SpMV csr", "y(i) = A(i,j) * x(j)", {"A": "csr"}),
    CanonicalKernel("SpMM csr", "C(i,k) = A(i,j) * B(j,k)", {"A": "csr"}),
    CanonicalKernel("A+B csr", "C(i,j) = A(i,j) + B(i,j)", dict.fromkeys("ABC", "csr")),
    CanonicalKernel("A+B dcsr", "C(i,j) = A(i,j) + B(i,j)", dict.fromkeys("ABC", "dcsr")),
    CanonicalKernel("MTTKRP csf", "A(i,r) = T(i,j,k) * B(j,r) * C(k,r)", {"T": "csf"}),
    CanonicalKernel("a+b*c", "z(i) = a(i) + b(i) * c(i)", dict.fromkeys("abcz", "csf")),
)


def measure(effort: Effort) -> Iterator[Result]:
    """Every canonical kernel; the first run of each pass, which imports it, is not counted."""
    for kernel in KERNELS:
        compile_in_process(kernel)
    for kernel in KERNELS:
        runs = [compile_in_process(kernel) for _ in range(effort.slow_repetitions)]
        for stage, seconds in medians_of_stages([laps for _, laps in runs]).items():
            yield Latency(SECTION, kernel.name, stage, seconds)
        source, _ = runs[0]
        seconds = compiler_seconds(source, effort.slow_repetitions)
        yield Latency(SECTION, kernel.name, COMPILER, seconds)
    for number in SUMMANDS:
        source, _ = compile_in_process(sum_of(number))
        yield Count(SECTION, f"lines of C++, a sum of {number} in csr", len(source.splitlines()))


def sum_of(number: int) -> CanonicalKernel:
    """A union of so many operands, whose cases would double with each."""
    names = "ABCDEF"[:number]
    terms = " + ".join(f"{name}(i,j)" for name in names)
    return CanonicalKernel("", f"Z(i,j) = {terms}", dict.fromkeys(f"{names}Z", "csr"))


def medians_of_stages(runs: Sequence[Mapping[str, Seconds]]) -> Mapping[str, Seconds]:
    """The median of each stage, and that of their sum."""
    stages = {stage: medians([laps[stage] for laps in runs]) for stage in runs[0]}
    sums = [Seconds(*map(sum, zip(*laps.values(), strict=True))) for laps in runs]
    return {**stages, PIPELINE: medians(sums)}


def compile_in_process(kernel: CanonicalKernel) -> tuple[str, Mapping[str, Seconds]]:
    """The C++ of a kernel, and how long each stage took, without checks between the passes."""
    seconds: dict[str, Seconds] = {}
    lap = stopwatch()
    request = make_request(kernel.statement, kernel.formats, {})
    seconds["parse"] = lap()
    module = build_module(request)
    seconds["build tin"] = lap()
    for pass_ in Pipeline("compute").steps(module, verify=False):
        seconds[pass_.name] = lap()
    source = print_cpp(module)
    seconds["print C++"] = lap()
    return source, seconds


def compiler_seconds(source: str, repetitions: int) -> Seconds:
    """The median of some runs of the compiler, with the flags of every kernel."""
    compiler, flags = find_compiler(), compile_flags()
    with TemporaryDirectory(prefix="tamale-bench-") as folder:
        library = Path(folder) / "kernel.so"

        def run() -> None:
            compiler.compile(source, library, flags)

        return medians([child_seconds(run) for _ in range(repetitions)])
