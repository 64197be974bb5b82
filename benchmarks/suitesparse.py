"""
SuiteSparse:GraphBLAS through python-graphblas, on one thread; its objects are made beforehand.

It leaves rows of a product in any order until somebody asks: `wait` makes it finish.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any

from results import Gap
from timing import Contender

NAME = "GraphBLAS"


@cache
def graphblas() -> Any:
    """python-graphblas on one thread; None if it is not installed."""
    try:
        module: Any = import_module("graphblas")
    except ImportError:
        return None
    module.ss.config["nthreads"] = 1
    return module


def gaps(section: str) -> Iterator[Gap]:
    """What a section says if there is no GraphBLAS."""
    if graphblas() is None:
        yield Gap(section, NAME, "python-graphblas is not installed; `make bench` asks pip for it")


def spmv(csr: Any, x: Any) -> list[Contender]:
    """`A.mxv(x)`; every row has an entry of the result or is zero."""
    gb = graphblas()
    if gb is None:
        return []
    a, v = imported(csr), gb.Vector.from_dense(x)

    def product() -> Any:
        return a.mxv(v, gb.semiring.plus_times).new()

    def view(y: Any) -> Any:
        return y.to_dense(fill_value=0.0)

    return [Contender(f"{NAME} mxv", product, view)]


def spgemm(csr: Any, *, ordered: bool) -> list[Contender]:
    """`A.mxm(A)`."""

    def product(a: Any) -> Any:
        made = a.mxm(a, graphblas().semiring.plus_times).new()
        return made.wait() if ordered else made

    return making("mxm", product, csr)


def masked(csr: Any, mask: Any) -> list[Contender]:
    """`A.mxm(A)` where the mask has entries, times these."""

    def product(a: Any, b: Any) -> Any:
        gb = graphblas()
        made = a.mxm(a, gb.semiring.plus_times).new(mask=b.S)
        return made.ewise_mult(b, gb.binary.times).new().wait()

    return making("mxm, masked", product, csr, mask)


def add(a: Any, b: Any) -> list[Contender]:
    """`A.ewise_add(B)`."""

    def total(a: Any, b: Any) -> Any:
        return a.ewise_add(b, graphblas().binary.plus).new()

    return making("ewise_add", total, a, b)


def multiply(a: Any, b: Any) -> list[Contender]:
    """`A.ewise_mult(B)`."""

    def product(a: Any, b: Any) -> Any:
        return a.ewise_mult(b, graphblas().binary.times).new()

    return making("ewise_mult", product, a, b)


def csr_csc(csr: Any) -> list[Contender]:
    """The transpose by rows, whose arrays are those of CSC."""

    def transposed(a: Any) -> Any:
        return a.T.new().wait()

    def view(made: Any) -> Any:
        return graphblas().io.to_scipy_sparse(made).T

    return [replace(each, view=view) for each in making("transpose", transposed, csr)]


def making(name: str, run: Callable[..., Any], *matrices: Any) -> list[Contender]:
    """An operation on matrices that makes one."""
    if graphblas() is None:
        return []
    operands = [imported(matrix) for matrix in matrices]
    view = graphblas().io.to_scipy_sparse
    return [Contender(f"{NAME} {name}", lambda: run(*operands), view)]


def imported(csr: Any) -> Any:
    """A matrix of SciPy's as GraphBLAS has it, by rows and with sorted rows."""
    return graphblas().io.from_scipy_sparse(csr).wait()
