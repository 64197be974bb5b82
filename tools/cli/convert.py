"""`tamale convert`: a tensor from a file to another format; checked, timed and written."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tamale.dialects.errors import KernelError
from tamale.dialects.format.hybrid import resolve_hybrid
from tamale.dialects.format.named import is_hybrid
from tamale.frontend.converting import Conversion, conversion, convert
from tamale.frontend.files import read, write, writer_for
from tamale.frontend.hybrid import HybridConversion, HybridTensor
from tamale.frontend.interop import tensor as as_tensor
from tamale.frontend.naming import resolve_pair, shown
from tamale.frontend.tensor import Tensor
from tamale.tools.cli.operands import with_dtype
from tamale.tools.cli.progress import progress
from tamale.tools.cli.run import short
from tamale.tools.cli.statement import positive
from tamale.tools.cli.timing import add_timing, stopwatch
from tamale.tools.opt.timing import Stopwatch

Array: TypeAlias = NDArray[Any]


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments of `tamale convert`."""
    parser.add_argument("input", metavar="IN", help="as in docs/files.md: .mtx .tns .npz ...")
    parser.add_argument(
        "output", metavar="OUT", nargs="?", help=".npz holds every format; others hold the entries"
    )
    parser.add_argument("--to", required=True, metavar="FORMAT", help="a name or a format line")
    parser.add_argument(
        "--from", dest="source", metavar="FORMAT", help="store it so first (as the file has it)"
    )
    parser.add_argument("--dtype", help="element type (as the file has it)")
    parser.add_argument(
        "--explain", action="store_true", help="say which passes are made and why, first"
    )
    parser.add_argument(
        "--threads",
        type=positive,
        default=1,
        metavar="N",
        help="how many workers share the loops, where they can (1)",
    )
    parser.add_argument("--time", type=positive, default=1, metavar="N", help="convert N times (1)")
    add_timing(parser)


def run(arguments: Namespace) -> int:
    """Reads, converts, checks, writes; prints one line about the result."""
    with stopwatch(arguments) as watch:
        print(run_timed(arguments, watch))
    return 0


def run_timed(arguments: Namespace, watch: Stopwatch) -> str:
    """As `run`; the line about the result."""
    if arguments.output is not None:
        writer_for(Path(arguments.output))  # before any work
    with progress(f"reading {arguments.input}") as tell:
        tensor = as_tensor(read(arguments.input, progress=tell))
        if arguments.dtype is not None:
            tensor = with_dtype(tensor, arguments.dtype, Path(arguments.input), "convert")
        watch.lap("read")
        chosen = chosen_conversion(arguments.source, arguments.to, tensor, arguments.threads)
        tensor = convert(tensor, chosen.source)
    watch.lap("store as --from says")
    if arguments.explain:
        print(chosen.explain())
    with progress("compiling"):
        _ = chosen.native
    watch.lap("rest of compiling")
    with progress("converting"):
        result, times = timed(chosen, tensor, arguments.time)
    watch.lap("conversions")
    with progress("checking"):
        check(tensor, result)
    watch.lap("check")
    if arguments.output is not None:
        write(arguments.output, result)
        watch.lap("write")
    return f"{described(tensor, result)}; {timing(times, tensor)}; checked entry by entry: ok"


def chosen_conversion(
    source: str | None, target: str, tensor: Tensor, threads: int = 1
) -> Conversion | HybridConversion:
    """
    The conversion from a format, or that of the tensor, to another format or a hybrid; so many
    workers share the loops of one to a format.
    """
    hybrid = resolve_hybrid(target, tensor.order) if is_hybrid(target) else None
    other = target if hybrid is None else hybrid.formats[-1]
    first, second = resolve_pair(source or tensor.format, other, tensor.order)
    if hybrid is None:
        return conversion(first, second, tensor.dtype.name, None, threads)
    return HybridConversion(first, hybrid, tensor.dtype.name)


def timed(
    chosen: Conversion | HybridConversion, tensor: Tensor, count: int
) -> tuple[Tensor | HybridTensor, list[float]]:
    """The result, and the seconds of `count` conversions."""
    start = perf_counter()
    result = chosen(tensor)
    times = [perf_counter() - start]
    while len(times) < count:
        start = perf_counter()
        result = chosen(tensor)
        times.append(perf_counter() - start)
    return result, times


def check(tensor: Tensor, result: Tensor | HybridTensor) -> None:
    """
    The result keeps the promises of its format and has the entries of the tensor.

    Raises:
        TamaleError: it does not.
    """
    result.check()
    found, expected = entries_of(result), entries_of(tensor)
    exact = not tensor.format.may_repeat
    same = np.array_equal(found[0], expected[0])
    if not same or not same_values(found[1], expected[1], exact=exact):
        raise KernelError(
            f"convert: {shown(tensor.format)} to {shown(result.format)} lost or changed entries\n"
            "  help: this is a bug of tamale; please report it with the tensor"
        )


def entries_of(tensor: Tensor | HybridTensor) -> tuple[Array, Array]:
    """
    The coordinates, a column per entry in ascending order, and the values of all that is not zero;
    duplicates are added up.
    """
    crds, vals = tensor.entries()
    order = np.lexsort(crds[::-1])
    columns, vals = np.stack(crds)[:, order], vals[order]
    first = np.ones(len(vals), np.bool_)
    first[1:] = (columns[:, 1:] != columns[:, :-1]).any(axis=0)
    if not first.all():
        with np.errstate(all="ignore"):
            vals = np.add.reduceat(vals, first.nonzero()[0])
        columns = columns[:, first]
    return columns[:, vals != 0], vals[vals != 0]


def same_values(found: Array, expected: Array, *, exact: bool) -> bool:
    """Whether values agree; NaN agrees with NaN. Sums may have been added up in another order."""
    if found.dtype.kind not in "fc":
        return np.array_equal(found, expected)
    if exact:
        return np.array_equal(found, expected, equal_nan=True)
    tolerance = float(np.finfo(found.dtype).eps) ** 0.6
    return np.allclose(found, expected, rtol=tolerance, equal_nan=True)


def described(tensor: Tensor, result: Tensor | HybridTensor) -> str:
    """`3 x 4, float64, 5 entries: csr to ell, 8 values`."""
    sizes = " x ".join(map(str, tensor.shape))
    entries = len(tensor.nonzeros()[1])
    formats = f"{shown(tensor.format)} to {shown(result.format)}"
    return f"{sizes}, {tensor.dtype}, {entries} entries: {formats}, {result.nnz} values"


def timing(times: list[float], tensor: Tensor) -> str:
    """Median and least time, and the time for each value of the source."""
    middle = median(times)
    text = f"{short(middle * 1e3)} ms"
    if len(times) > 1:
        text = f"median {text}, min {short(min(times) * 1e3)} ms of {len(times)} conversions"
    return f"{text}, {short(middle * 1e9 / max(tensor.nnz, 1))} ns per stored value"
