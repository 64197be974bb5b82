"""Operands in different formats in one statement: loops are shared, or terms go one by one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from batches import FLAGS, BatchedKernel, join_sources
from numpy.typing import NDArray

from tamale.backends.jit.compiler import find_compiler
from tamale.frontend.request import make_request
from tamale.frontend.tensor import Tensor

Array = NDArray[Any]
Stored = Callable[..., Tensor]

MEANINGS: dict[str, Callable[[Array, Array, Array, Array], Any]] = {
    "Z(i,j) = A(i,j) + B(i,j)": lambda A, B, x, b: A + B,
    "Z(i,j) = A(i,j) - 2.0 * B(i,j)": lambda A, B, x, b: A - 2 * B,
    "Z(i,j) = A(i,j) * B(i,j)": lambda A, B, x, b: A * B,
    "Z(i,j) = A(i,j) * A(i,j)": lambda A, B, x, b: A * A,
    "Z(i,k) = A(i,j) * B(k,j)": lambda A, B, x, b: A @ B.T,
    "Z(i,k) = A(j,i) * B(j,k)": lambda A, B, x, b: A.T @ B,
    "y(i) = b(i) - A(i,j) * x(j)": lambda A, B, x, b: b - A @ x,
    "y(i) = A(i,j) * x(j) + B(i,j) * x(j)": lambda A, B, x, b: (A + B) @ x,
}
CASES = (
    ("Z(i,j) = A(i,j) + B(i,j)", "ell ell"),
    ("Z(i,j) = A(i,j) + B(i,j)", "bcsr(2,3) csr"),
    ("Z(i,j) = A(i,j) + B(i,j)", "csr csc"),
    ("Z(i,j) = A(i,j) + B(i,j)", "dok dia"),
    ("Z(i,j) = A(i,j) - 2.0 * B(i,j)", "dia dense"),
    ("Z(i,j) = A(i,j) - 2.0 * B(i,j)", "hicoo(2) jad"),
    ("Z(i,j) = A(i,j) - 2.0 * B(i,j)", "ucoo sell(2)"),
    ("Z(i,j) = A(i,j) * B(i,j)", "dia csr"),
    ("Z(i,j) = A(i,j) * B(i,j)", "ell ell"),
    ("Z(i,j) = A(i,j) * B(i,j)", "ell dcsr"),
    ("Z(i,j) = A(i,j) * B(i,j)", "bcsr(2,3) dense"),
    ("Z(i,j) = A(i,j) * A(i,j)", "sell(2)"),
    ("Z(i,k) = A(i,j) * B(k,j)", "dia dia"),
    ("Z(i,k) = A(i,j) * B(k,j)", "ell bitmap"),
    ("Z(i,k) = A(j,i) * B(j,k)", "bcsr(2,3) csr"),
    ("Z(i,k) = A(j,i) * B(j,k)", "hicoo(2) csr"),
    ("y(i) = b(i) - A(i,j) * x(j)", "dia"),
    ("y(i) = b(i) - A(i,j) * x(j)", "ell"),
    ("y(i) = b(i) - A(i,j) * x(j)", "bcsc(3,2)"),
    ("y(i) = A(i,j) * x(j) + B(i,j) * x(j)", "ell jad"),
    ("y(i) = A(i,j) * x(j) + B(i,j) * x(j)", "dia bcsr(2,3)"),
)


def operands(shape: tuple[int, int], seed: int) -> tuple[Array, ...]:
    random = np.random.default_rng(seed)
    A, B = random.integers(1, 9, (2, *shape)) * (random.random((2, *shape)) < 0.6) * 1.0
    return A, B, np.arange(1.0, shape[1] + 1), np.arange(shape[0]) - 2.5


def test_operands_in_different_formats(stored: Stored, tmp_path: Path):
    library = tmp_path / "kernels.so"
    kernels = [
        BatchedKernel(
            make_request(
                statement, dict(zip("AB", formats.split(), strict=False)), {}, name=f"kernel_{n}"
            ),
            library,
        )
        for n, (statement, formats) in enumerate(CASES)
    ]
    find_compiler().compile(
        join_sources([kernel.cpp for kernel in kernels]), library, (*FLAGS, "-O0")
    )
    for kernel, (statement, formats) in zip(kernels, CASES, strict=True):
        names = formats.split()
        for seed, shape in enumerate(((4, 6), (7, 3), (1, 1), (3, 0), (0, 3))):
            A, B, x, b = operands(shape, seed)
            given: dict[str, Any] = {
                "A": stored(A, names[0]),
                "B": stored(B, names[-1]),
                "x": x,
                "b": b,
            }
            used = {name: value for name, value in given.items() if f"{name}(" in statement}
            expected = MEANINGS[statement](A, B, x, b)
            assert np.array_equal(kernel(**used), expected), (statement, formats, shape)
