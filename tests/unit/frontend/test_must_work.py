"""
Every kernel that has to work, compared with NumPy; the kernels of one test are compiled at once.

Matrices are small and seeded; the last test takes real ones from `../shared/data` where they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest
from examples import Array, Example, check, gaps, random

import tamale as tm

ROWS = ("csr", "dcsr", "coo", "dense")
COLUMNS = ("csc", "dcsc", "coo(1, 0)", "dense(1, 0)")
REAL = Path(__file__).parents[4] / "shared" / "data"


SHAPES: Mapping[str, Array] = {
    "gaps": gaps(9, 7),
    "no entries": np.zeros((4, 5)),
    "no rows": np.zeros((0, 5)),
    "no columns": np.zeros((4, 0)),
    "nothing": np.zeros((0, 0)),
    "1 x 1": np.full((1, 1), 2.5),
    "tall": random(200, 2, density=0.1),
    "wide": random(2, 200, density=0.1),
    "full": random(5, 6),
}


@pytest.mark.parametrize("format", [*ROWS, *COLUMNS])
def test_matrix_times_vector(format: str, tmp_path: Path):
    check(
        [
            example
            for A in SHAPES.values()
            for example in matrix_vector_products(A, random(A.shape[1]), random(A.shape[0]), format)
        ],
        tmp_path,
    )


def matrix_vector_products(A: Array, x: Array, b: Array, format: str) -> Iterable[Example]:
    a = (A, format)
    yield Example("y(i) = A(i,j) * x(j)", {"A": a, "x": (x, "dense")}, A @ x)
    yield Example(
        "y(i) = b(i) - A(i,j) * x(j)",
        {"b": (b, "dense"), "A": a, "x": (x, "dense")},
        b - A @ x,
    )
    scalars = {"a": (np.array(1.5), "dense"), "b": (np.array(-0.5), "dense")}
    yield Example(
        "y(j) = a * A(i,j) * x(i) + b * z(j)",
        {**scalars, "A": a, "x": (b, "dense"), "z": (x, "dense")},
        1.5 * A.T @ b - 0.5 * x,
    )


@pytest.mark.parametrize("dtype", ["float64", "float32", "int32", "int64", "complex128"])
def test_types_and_widths(dtype: str, tmp_path: Path):
    A, x = gaps(6, 5, dtype=dtype), random(5, dtype=dtype)
    B = gaps(6, 5, seed=1, dtype=dtype)
    widths = [f", pos = {pos}, crd = {crd}" for pos, crd in product(("i32", "i64"), repeat=2)]

    def examples() -> Iterable[Example]:
        for width, format in zip(widths, ("csr", "dcsr", "coo", "csc"), strict=True):
            a = (A, format + width)
            yield Example("y(i) = A(i,j) * x(j)", {"A": a, "x": (x, "dense")}, A @ x)
            b, out = (B, f"csr{widths[0]}"), f"dcsr{width}"
            yield Example("Z(i,j) = A(i,j) + B(i,j)", {"A": (A, f"csr{width}"), "B": b}, A + B, out)

    check(examples(), tmp_path)


@pytest.mark.parametrize("formats", [ROWS, COLUMNS], ids=["rows", "columns"])
@pytest.mark.parametrize("operator", ["+", "*"])
def test_two_matrices_element_by_element(formats: Sequence[str], operator: str, tmp_path: Path):
    A, B = gaps(6, 8), gaps(6, 8, seed=1)
    expected = A + B if operator == "+" else A * B
    check(
        [
            Example(f"Z(i,j) = A(i,j) {operator} B(i,j)", {"A": (A, a), "B": (B, b)}, expected, z)
            for k, (a, b) in enumerate(product(formats, repeat=2))
            for z in [(*formats, formats[0])[k % 5]]
        ],
        tmp_path,
    )


@pytest.mark.parametrize("operator", ["+", "*"])
def test_three_matrices_element_by_element(operator: str, tmp_path: Path):
    A, B, C = (gaps(6, 8, seed=seed) for seed in range(3))
    expected = A + B + C if operator == "+" else A * B * C
    statement = f"Z(i,j) = A(i,j) {operator} B(i,j) {operator} C(i,j)"
    check(
        [
            Example(statement, {"A": (A, a), "B": (B, b), "C": (C, c)}, expected, out)
            for a, b, c, out in (
                ("csr", "csr", "csr", "csr"),
                ("dcsr", "dcsr", "dcsr", "dense"),
                ("coo", "coo", "coo", "coo"),
                ("csr", "coo", "dense", "dcsr"),
            )
        ],
        tmp_path,
    )


def test_vectors(tmp_path: Path):
    a, b, c = (random(12, seed=seed, density=0.5) for seed in range(3))

    def examples() -> Iterable[Example]:
        for x, y, z in (("csf",) * 3, ("csf", "dense", "csf"), ("dense", "csf", "csf")):
            three = {"a": (a, x), "b": (b, y), "c": (c, z)}
            for out in ("dense", "csf"):
                yield Example("y(i) = a(i) + b(i) * c(i)", three, a + b * c, out)
            two = {"a": (a, x), "b": (b, y)}
            yield Example("s = a(i) * b(i)", two, np.array(a @ b))

    check(examples(), tmp_path)


@pytest.mark.parametrize("format", ROWS)
def test_matrix_with_dense_matrix_and_broadcast_vector(format: str, tmp_path: Path):
    A, X = gaps(6, 5), random(5, 4)
    row, column = random(5), random(6)
    a = (A, format)
    check(
        [
            Example("Y(i,k) = A(i,j) * X(j,k)", {"A": a, "X": (X, "dense")}, A @ X),
            Example(
                "Y(i,k) = A(i,j) * X(j,k)",
                {"A": a, "X": (X, "dense(1, 0)")},
                A @ X,
                "dense(1, 0)",
            ),
            Example("Z(i,j) = A(i,j) + b(j)", {"A": a, "b": (row, "dense")}, A + row),
            Example(
                "Z(i,j) = A(i,j) * b(i)",
                {"A": a, "b": (column, "dense")},
                A * column[:, None],
                "csr",
            ),
        ],
        tmp_path,
    )


@pytest.mark.parametrize("format", [*ROWS, *COLUMNS])
def test_sums(format: str, tmp_path: Path):
    check(
        [
            example
            for A in SHAPES.values()
            for example in (
                Example("s = A(i,j)", {"A": (A, format)}, np.array(A.sum())),
                Example("y(i) = A(i,j)", {"A": (A, format)}, A.sum(axis=1)),
                Example("y(j) = A(i,j)", {"A": (A, format)}, A.sum(axis=0)),
            )
        ],
        tmp_path,
    )


def test_inner_product_of_three_tensors(tmp_path: Path):
    A, B = random(4, 3, 5, density=0.4), random(4, 3, 5, density=0.4, seed=1)
    formats = [(f"csf{order}", f"csf{order}") for order in permutations(range(3))]
    formats += [("coo", "coo"), ("coo", "csf"), ("csf", "dense"), ("dense", "coo")]
    check(
        [
            Example("s = A(i,j,k) * B(i,j,k)", {"A": (A, a), "B": (B, b)}, np.array(np.vdot(A, B)))
            for a, b in formats
        ],
        tmp_path,
    )


def mode_orders(order: int) -> list[str]:
    """csf in every mode order, or in some where there are very many, and coo."""
    found = list(permutations(range(order)))
    kept = found if len(found) < 100 else found[:: len(found) // 11]
    return [*(f"csf{modes}" for modes in kept), "coo"]


def times_vector(order: int) -> Callable[[str], Example]:
    """Contracts the last mode with a vector."""
    A, modes = random(*range(3, 3 + order), density=0.3), "ijklm"[:order]
    x = random(order + 2)
    free = ",".join(modes[:-1])
    statement = f"Y({free}) = A({','.join(modes)}) * x({modes[-1]})"
    return lambda format: Example(statement, {"A": (A, format), "x": (x, "dense")}, A @ x)


def times_matrix(order: int) -> Callable[[str], Example]:
    """Contracts the last mode with a matrix."""
    A, modes = random(*range(3, 3 + order), density=0.3), "ijklm"[:order]
    X = random(order + 2, 2)
    free = ",".join(modes[:-1])
    statement = f"Y({free},r) = A({','.join(modes)}) * X({modes[-1]},r)"
    return lambda format: Example(statement, {"A": (A, format), "X": (X, "dense")}, A @ X)


def times_khatri_rao(order: int) -> Callable[[str], Example]:
    """MTTKRP: all modes but the first are contracted with a factor matrix each."""
    A, modes = random(*range(2, 2 + order), density=0.3), "ijklm"[:order]
    factors = {f"X{k}": random(2 + k, 3, seed=k) for k in range(1, order)}
    uses = [f"X{k}({modes[k]},r)" for k in range(1, order)]
    statement = f"Y(i,r) = A({','.join(modes)}) * {' * '.join(uses)}"
    subscripts = ",".join([modes, *(f"{mode}r" for mode in modes[1:])])
    expected = np.einsum(f"{subscripts}->ir", A, *factors.values())
    dense = {name: (factor, "dense") for name, factor in factors.items()}
    return lambda format: Example(statement, {"A": (A, format), **dense}, expected)


@pytest.mark.parametrize("order", [3, 4, 5])
@pytest.mark.parametrize("make", [times_vector, times_matrix, times_khatri_rao])
def test_tensor_products(
    make: Callable[[int], Callable[[str], Example]], order: int, tmp_path: Path
):
    check(map(make(order), mode_orders(order)), tmp_path)


def test_dense_matrix_product_has_a_contiguous_inner_loop():
    kernel = tm.compile("C(i,k) = A(i,j) * B(j,k)")
    assert kernel.cin.index("forall i") < kernel.cin.index("forall j")
    assert kernel.cin.index("forall j") < kernel.cin.index("forall k")
    A, B = random(4, 3), random(3, 5)
    assert np.allclose(kernel(A=A, B=B), A @ B)


REAL_MATRICES = ("west0479", "cryg2500", "bayer10", "memplus", "arrow", "maros_r7")


@pytest.mark.parametrize("name", REAL_MATRICES)
def test_real_matrices(name: str):
    path = REAL / f"{name}.mtx.gz"
    if not path.exists():
        pytest.skip(f"{path} is not there")
    A: tm.Tensor = tm.read(path, format="csr")
    scipy = A.to_scipy()
    x = np.random.default_rng(0).random(A.shape[1])
    for format in ("csr", "dcsr", "coo", "csc"):
        stored = tm.tensor(A, format)
        assert np.allclose(tm.evaluate("y(i) = A(i,j) * x(j)", A=stored, x=x), scipy @ x)
    doubled = tm.evaluate("Z(i,j) = A(i,j) + B(i,j)", A=A, B=A, out="csr").check()
    assert abs(doubled.to_scipy() - 2 * scipy).sum() == 0
