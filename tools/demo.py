"""
`python -m tamale.tools.demo`, which `make run` calls: the compiler at work on a matrix of PyAMG's.

Each demonstration is a function that prints its own part and raises if a result is wrong.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from tamale.dialects.errors import TamaleError
from tamale.dialects.lazy import load
from tamale.frontend.api import compile
from tamale.frontend.conversion_api import conversion
from tamale.frontend.interop import tensor
from tamale.frontend.kernel import Kernel

EXAMPLE = "local_disc_galerkin_diffusion"
"""The largest real matrix among PyAMG's examples."""

CALLS = 200
MOST_LINES = 40


def main() -> int:
    """Runs all demonstrations; returns the exit code."""
    try:
        matrix = load_matrix()
        show_matrix_vector_product(matrix)
        show_conversions(matrix)
    except TamaleError as error:
        print(f"demo: error: {error}", file=sys.stderr)
        return 1
    return 0


def load_matrix() -> Any:
    """
    The example as a SciPy CSR array.

    Raises:
        TamaleError: PyAMG is not installed.
    """
    try:
        load_example = load("pyamg.gallery:load_example")
    except ImportError as error:
        raise TamaleError(
            f"the matrices come from PyAMG, which cannot be imported: {error}\n"
            "  help: pip install 'tamale[examples]'"
        ) from error
    csr_array = load("scipy.sparse:csr_array")
    matrix = csr_array(load_example(EXAMPLE)["A"])
    matrix.sum_duplicates()
    return matrix


def show_matrix_vector_product(matrix: Any) -> None:
    """y = A x in CSR: the stages of the compiler, then the result and the times beside SciPy's."""
    rows, columns = matrix.shape
    heading(f"y = A x, {EXAMPLE}: {rows} x {columns}, {matrix.nnz} nonzeros, csr")
    kernel = compile("y(i) = A(i,j) * x(j)", A="csr", name="spmv")
    show_stages(kernel)
    heading("explain")
    print(kernel.explain())
    heading("run")
    A, x, y = tensor(matrix, "csr"), random_vector(columns), np.empty(rows)
    compare("y = A x", kernel(A=A, x=x), matrix @ x)
    time_beside("y = A x", lambda: kernel(A=A, x=x, out=y), lambda: matrix @ x)


def show_conversions(matrix: Any) -> None:
    """CSR to DIA and ELL: how, the generated C++ of one, and the times beside SciPy's."""
    A = tensor(matrix, "csr")
    for name in ("dia", "ell"):
        heading(f"conversion: csr to {name}")
        to = conversion(A, name)
        print(to.explain())
        if name == "ell":
            print(cut_text(to.cpp[to.cpp.index('extern "C"') :]))
        converted = to(A).check()
        print(f"{A.nnz} entries in csr, {converted.nnz} values in {name}")
        compare(f"A in {name}", converted.to_scipy().tocsr(), matrix)
    to_dia = conversion(A, "dia")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # SciPy finds that there are many diagonals.
        time_beside("csr to dia", lambda: to_dia(A), matrix.todia)


def random_vector(size: int) -> Any:
    """Values in [0, 1), the same every time."""
    return np.random.default_rng(0).random(size)


def show_stages(kernel: Kernel) -> None:
    """Every stage of a kernel; long ones are cut, formats go by their names."""
    for title, text in (
        ("tin: what is computed", kernel.tin),
        ("cin: in which loops", kernel.cin),
        ("ocin: what is iterated, what located", kernel.ocin),
        ("cfir: with which cases", kernel.cfir),
        ("C++", kernel.cpp),
    ):
        heading(title)
        print(abbreviated(text, kernel))


def abbreviated(text: str, kernel: Kernel) -> str:
    """A stage for reading: `#A` for the format of A, and not too long."""
    for operand in kernel.request.operands:
        text = text.replace(f"#format.spec<{operand.format}>", f"#{operand.name}")
    return cut_text(text)


def cut_text(text: str) -> str:
    """The first MOST_LINES lines, and how many more there are."""
    lines = text.rstrip("\n").split("\n")
    cut = len(lines) - MOST_LINES
    return "\n".join(lines[:MOST_LINES] + ([f"... {cut} more lines"] if cut > 0 else []))


def heading(title: str) -> None:
    """A line that separates the parts."""
    print(f"\n== {title}")


def compare(what: str, found: Any, expected: Any) -> None:
    """
    Prints how far a result is from SciPy's.

    Raises:
        TamaleError: too far.
    """
    error = float(abs(found - expected).max() / (abs(expected).max() or 1))
    if not error < 1e-12:
        raise TamaleError(f"{what} differs from SciPy by {error:.2g}; this is a bug of tamale")
    print(f"{what} agrees with SciPy; the largest relative difference is {error:.2g}")


def time_beside(what: str, ours: Callable[[], Any], theirs: Callable[[], Any]) -> None:
    """Prints the median times of a kernel and of SciPy."""
    print(f"{what}: tamale {microseconds(ours):.1f} us, SciPy {microseconds(theirs):.1f} us")


def microseconds(call: Callable[[], Any]) -> float:
    """The median time of CALLS calls."""
    times: list[float] = []
    for _ in range(CALLS):
        start = perf_counter()
        call()
        times.append(perf_counter() - start)
    return median(times) * 1e6


if __name__ == "__main__":
    sys.exit(main())
