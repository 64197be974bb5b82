"""Kernels over operands in every format, compiled strictly and compared with NumPy."""

import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from batches import FLAGS, BatchedKernel, join_sources
from numpy.typing import NDArray

from tamale.backends.jit.compiler import find_compiler
from tamale.backends.jit.families import GCC, GCC_ON_LINUX
from tamale.frontend.request import make_request
from tamale.frontend.tensor import Tensor

Array = NDArray[Any]
Stored = Callable[..., Tensor]

MATRICES = (
    "csr",
    "csc",
    "dcsr",
    "coo",
    "ucoo",
    "bcsr(2,3)",
    "bcsc(3,2)",
    "dia",
    "ell",
    "jad",
    "sell(2)",
    "skyline",
    "dok",
    "bitmap",
    "hicoo(2)",
    "(i, j) -> (i / 4 : compressed, j : bitmap, i % 4 : dense)",
    "(i, j) -> (i - j : dense, i : compressed)",
    "(i, j) -> (i - j : compressed, j : range, i : offset)",
    "(i, j) -> (i / 3 : bitmap, i % 3 : dense, j : hashed)",
)
ALONE = (
    "ucoo",
    "ell",
    "jad",
    "sell(2)",
    "dok",
    "(i, j) -> (i / 3 : bitmap, i % 3 : dense, j : hashed)",
)
"""Formats whose levels cannot be merged: unordered, or with counters."""
SHAPES = ((4, 6), (7, 3), (5, 5), (1, 1), (3, 0), (0, 3))


def example(shape: Sequence[int], name: str, seed: int) -> Array:
    """About two thirds nonzeros, where the format can have them."""
    random = np.random.default_rng(seed)
    array = random.integers(1, 9, shape) * (random.random(shape) < 0.6) * 1.0
    return np.tril(array) if name == "skyline" else array


def compiled(
    statement: str, formats: Sequence[dict[str, str]], folder: Path
) -> list[BatchedKernel]:
    """A kernel for each choice of formats, all in one library without a warning."""
    library = folder / "kernels.so"
    kernels = [
        BatchedKernel(make_request(statement, choice, {}, name=f"kernel_{n}"), library)
        for n, choice in enumerate(formats)
    ]
    source = join_sources([kernel.cpp for kernel in kernels])
    find_compiler().compile(source, library, (*FLAGS, "-O1"))
    return kernels


def test_matrix_times_vector(stored: Stored, tmp_path: Path):
    kernels = compiled("y(i) = A(i,j) * x(j)", [{"A": name} for name in MATRICES], tmp_path)
    for name, kernel in zip(MATRICES, kernels, strict=True):
        for seed, shape in enumerate(SHAPES):
            A, x = example(shape, name, seed), np.arange(1.0, shape[1] + 1)
            found = kernel(A=stored(A, name).check(), x=x)
            assert np.array_equal(found, A @ x), (name, shape)


def test_sum_of_two(stored: Stored, tmp_path: Path):
    names = [name for name in MATRICES if name not in ALONE]
    formats = [{"A": name, "B": name} for name in names]
    kernels = compiled("Z(i,j) = A(i,j) + B(i,j)", formats, tmp_path)
    for name, kernel in zip(names, kernels, strict=True):
        for seed, shape in enumerate(SHAPES):
            A, B = example(shape, name, seed), example(shape, name, seed + 50)
            found = kernel(A=stored(A, name), B=stored(B, name))
            assert np.array_equal(found, A + B), (name, shape)


def test_product_of_two(stored: Stored, tmp_path: Path):
    """An intersection: only what both store."""
    names = [name for name in MATRICES if name not in ALONE]
    formats = [{"A": name, "B": name} for name in names]
    kernels = compiled("a = A(i,j) * B(i,j)", formats, tmp_path)
    for name, kernel in zip(names, kernels, strict=True):
        for seed, shape in enumerate(SHAPES):
            A, B = example(shape, name, seed), example(shape, name, seed + 50)
            found = kernel(A=stored(A, name), B=stored(B, name))
            assert found == (A * B).sum(), (name, shape)


def test_unsorted_entries(stored: Stored, tmp_path: Path):
    (kernel,) = compiled("y(i) = A(i,j) * x(j)", [{"A": "ucoo"}], tmp_path)
    A, x = example((4, 5), "ucoo", 1), np.arange(5.0)
    order = np.random.default_rng(0).permutation(np.count_nonzero(A))
    assert np.array_equal(kernel(A=stored(A, "ucoo", order).check(), x=x), A @ x)


def test_third_order(stored: Stored, tmp_path: Path):
    names = (
        "hicoo(2)",
        "csf",
        "(i, j, k) -> (k / 2 : dense, i : compressed, j : dense, k % 2 : dense)",
    )
    kernels = compiled("Y(i,j) = A(i,j,k) * x(k)", [{"A": name} for name in names], tmp_path)
    for name, kernel in zip(names, kernels, strict=True):
        A, x = example((3, 5, 7), name, 3), np.arange(7.0)
        assert np.array_equal(kernel(A=stored(A, name), x=x), A @ x), name


@pytest.mark.parametrize("name", ["dia", "ell"])
def test_inner_loops_are_plain(name: str):
    """One counted loop inside, without a branch, a call or a check: compilers vectorise it."""
    kernel = make_kernel("y(i) = A(i,j) * x(j)", {"A": name})
    lines = kernel.cpp.splitlines()
    begin = max(n for n, line in enumerate(lines) if line.lstrip().startswith("for ("))
    end = lines.index(lines[begin].partition("for")[0] + "}", begin)
    body = [line.strip() for line in lines[begin + 1 : end]]
    assert body[-1].startswith("y_vals[i] += A_vals[")
    assert not any(word in " ".join(body) for word in ("if", "while", "?", "+= t", "locate"))


@pytest.mark.parametrize(
    ("name", "vectorised"), [("dia", True), ("ell", True), ("csr", False), ("dok", False)]
)
def test_the_compiler_vectorises_inner_loops(name: str, vectorised: bool, tmp_path: Path):
    """By its own account; not so the dot products of rows, whose order of additions is kept."""
    cpp = make_kernel("y(i) = A(i,j) * x(j)", {"A": name}).cpp
    source, compiler = tmp_path / "kernel.cpp", find_compiler()
    source.write_text(cpp)
    gcc = compiler.family in (GCC, GCC_ON_LINUX)
    report = "-fopt-info-vec-optimized" if gcc else "-Rpass=loop-vectorize"
    command = [*compiler.command, *compiler.family.flags, report, source, "-o", tmp_path / "out.so"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    inner = cpp[: cpp.rindex("for (")].count("\n") + 1
    told = [line for line in printed.splitlines() if f"kernel.cpp:{inner}:" in line]
    assert any("vectorized" in line for line in told) == vectorised, printed


def make_kernel(statement: str, formats: dict[str, str]) -> BatchedKernel:
    return BatchedKernel(make_request(statement, formats, {}), Path())
