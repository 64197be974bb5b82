"""`tamale run`: a statement on matrices from files; the result is checked, timed and written."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from tamale.frontend.api import compile_typed
from tamale.frontend.files import write, writer_for
from tamale.frontend.interop import tensor
from tamale.frontend.kernel import Kernel
from tamale.frontend.request import Request
from tamale.frontend.tensor import Tensor
from tamale.tools.cli.checking import Checker
from tamale.tools.cli.operands import Operands, add_operands, make_operands
from tamale.tools.cli.progress import progress
from tamale.tools.cli.statement import add_statement, positive, request_of, statement_formats
from tamale.tools.cli.timing import add_timing, stopwatch
from tamale.tools.opt.timing import Stopwatch


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments of `tamale run`."""
    add_statement(parser)
    add_operands(parser)
    parser.add_argument("-o", "--output", metavar="FILE", help="write the result to a file")
    parser.add_argument(
        "--time", type=positive, default=1, metavar="N", help="call the kernel N times (1)"
    )
    add_timing(parser)


def run(arguments: Namespace) -> int:
    """Reads, compiles, runs, checks, writes; prints one line about the result."""
    with stopwatch(arguments) as watch:
        print(run_timed(arguments, watch))
    return 0


def run_timed(arguments: Namespace, watch: Stopwatch) -> str:
    """As `run`; the line about the result."""
    if arguments.output is not None:
        writer_for(Path(arguments.output))  # before any work
    request = request_of(arguments)
    operands = make_operands(arguments, request, statement_formats(arguments))
    watch.lap("read")
    with progress("compiling"):
        kernel = compile_for(operands, request, arguments)
    watch.lap("rest of compiling")
    with progress("running"):
        call = caller(kernel, operands)
        result = call(None)
        watch.lap("first call")
        times = measure(call, result, arguments.time)
    watch.lap("further calls")
    with progress("checking"):
        verdict = Checker(kernel.request, operands.tensors, operands.sizes).check(result)
    watch.lap("check")
    if arguments.output is not None:
        write(arguments.output, tensor(result))
        watch.lap("write")
    timing = timing_text(times, operands.tensors)
    return f"{request.result.tensor}: {result_text(result)}; {timing}; {verdict}"


def compile_for(operands: Operands, request: Request, arguments: Namespace) -> Kernel:
    """The kernel for operands stored as they are."""
    formats = {name: found.format for name, found in operands.tensors.items()}
    formats.setdefault(request.result.tensor, request.result_format)
    return compile_typed(
        arguments.expression,
        formats,
        {name: found.dtype.name for name, found in operands.tensors.items()},
        dtype=arguments.dtype,
        threads=arguments.threads,
        name=arguments.name,
        conversions=arguments.conversions,
        schedule=request.schedule,
        ahead=False,
        assembly=arguments.assembly,
    )


def caller(kernel: Kernel, operands: Operands) -> Callable[[Any], Any]:
    """Calls the kernel; the argument is an array to write a dense result into, or None."""
    indices, sizes = kernel.request.result.indices, operands.sizes
    shape = [sizes[v] for v in indices] if all(v in sizes for v in indices) else None
    tensors: dict[str, Any] = dict(operands.tensors)

    def call(out: Any) -> Any:
        return kernel(out=out, **tensors) if out is not None else kernel(shape=shape, **tensors)

    return call


def measure(call: Callable[[Any], Any], result: Any, count: int) -> list[float]:
    """The seconds of `count` calls, which write into one array like `result` if that is dense."""
    out: Any = np.empty_like(result) if type(result) is np.ndarray else None
    times: list[float] = []
    for _ in range(count):
        start = perf_counter()
        call(out)
        times.append(perf_counter() - start)
    return times


def result_text(result: Any) -> str:
    """`3 x 4, nnz 5, sum 1.5`."""
    stored = result.vals if isinstance(result, Tensor) else np.asarray(result)
    shape = result.shape if isinstance(result, Tensor) else stored.shape
    with np.errstate(all="ignore"):
        total = stored.sum()
    number = str(total) if stored.dtype.kind in "iu" else format(total, ".12g")
    sizes = " x ".join(map(str, shape)) or "scalar"
    return f"{sizes}, {stored.dtype}, nnz {stored.size}, sum {number}"


def timing_text(times: list[float], tensors: Mapping[str, Tensor]) -> str:
    """Median and least time, and the time for each entry of the largest sparse operand."""
    middle = median(times)
    text = f"{short(middle * 1e3)} ms"
    if len(times) > 1:
        text = f"median {text}, min {short(min(times) * 1e3)} ms of {len(times)} calls"
    sparse = {n: t.nnz for n, t in tensors.items() if not t.format.all_dense and t.nnz}
    if sparse:
        name = max(sparse, key=sparse.__getitem__)
        text += f", {short(middle * 1e9 / sparse[name])} ns per nonzero of {name}"
    return text


def short(number: float) -> str:
    """Three digits or more, without an exponent."""
    return f"{number:.0f}" if number >= 100 else f"{number:.3g}"
