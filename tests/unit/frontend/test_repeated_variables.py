"""
Statements in which an access repeats an index variable, compared with NumPy; the structure of
sparse results is compared with the reference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pytest
from batches import compile_batch
from cases import Case, Entries
from numpy.typing import NDArray
from outcomes import Outcome, attempt

import tamale as tm
from tamale.dialects.errors import KernelError
from tamale.dialects.notation.parser import parse_notation
from tamale.frontend.request import make_request
from tamale.frontend.stages import Stages

Array: TypeAlias = NDArray[Any]
Example: TypeAlias = tuple[Case, Array]

MATRICES = (
    "dense",
    "dense(1, 0)",
    "csr",
    "csc",
    "dcsr",
    "dcsc",
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
    "(i, j) -> (i - j : dense, i : compressed)",
    "(i, j) -> (i / 4 : compressed, j : bitmap, i % 4 : dense)",
    "(i, j) -> (j : dense, i : compressed(nonunique))",
)
RESULTS = ("dense", "csr", "csc", "dcsr", "coo")
CUBES = (
    "dense",
    "csf",
    "coo",
    "(i, j, k) -> (j : dense, k : compressed, i : compressed)",
    "(i, j, k) -> (k : compressed, j : dense, i : compressed)",
)
N, M = 6, 4


def random(*shape: int) -> Array:
    """Small numbers, about half of them 0, with gaps on each diagonal."""
    numbers = np.random.default_rng(list(shape))
    return numbers.integers(1, 9, shape) * (numbers.random(shape) < 0.5) * 1.0


A, B, b, x = np.tril(random(N, N)), random(N, M), random(N), random(N) + 1
X, Y, V = random(N, N, M), random(N, N, N), random(N, M, N)
d = np.diagonal(A)


def spread(values: Array, *axes: int) -> Array:
    """`values` where the coordinates of `axes`, those of its first mode, are equal."""
    rest = values.shape[1:]
    result = np.zeros((N,) * len(axes) + rest)
    result[(np.arange(N),) * len(axes)] = values
    return np.moveaxis(result, range(len(axes)), axes)


def example(
    statement: str, expected: Array, out: str, **operands: tuple[Array, str]
) -> Iterator[Example]:
    stored = tuple(entries(name, *value) for name, value in operands.items())
    label = f"{statement} {[format for _, format in operands.values()]} -> {out}"
    indices = parse_notation(statement).result.indices
    sizes = dict(zip(indices, np.shape(expected), strict=True))
    yield Case(label, statement, stored, out, sizes), np.asarray(expected)


class Converted(Entries):
    """Entries in any format."""

    def tensor(self) -> tm.Tensor:
        array = np.zeros(self.shape)
        array[self.coordinates] = self.vals
        return tm.tensor(array, self.format).check()


def entries(name: str, array: Array, format: str) -> Entries:
    kept = np.ones(array.shape, np.bool_) if format.startswith("dense") else array != 0
    return Converted(name, format, array.shape, tuple(np.nonzero(kept)), array[kept].reshape(-1))


def check(examples: Iterable[Example], folder: Path) -> None:
    """Compiles and runs all examples, and says which are wrong."""
    listed = list(examples)
    batch = compile_batch([case for case, _ in listed], folder, ["-O0"])
    problems: list[str] = []
    for (case, expected), kernel in zip(listed, batch.kernels, strict=True):
        if isinstance(kernel, Outcome):
            problems.append(f"{case.label}: {kernel.why}")
            continue
        operands: dict[str, Any] = case.tensors
        result = kernel(shape=expected.shape, **operands)
        found = np.asarray(result)
        if found.shape != expected.shape or not np.allclose(found, expected):
            problems.append(f"{case.label}: got\n{found}\nexpected\n{expected}")
        if not isinstance(result, tm.Tensor):
            continue
        result.check()
        if case.out in ("csf", *RESULTS, *CUBES):
            outcome = attempt(case, kernel)
            problems += [f"{case.label}: {outcome.why}"] if outcome.verdict != "right" else []
    assert not problems, f"{len(problems)} of {len(listed)}:\n" + "\n".join(problems[:5])


def diagonals(format: str) -> Iterator[Example]:
    stored, vector = (A, format), (b, "csf")
    yield from example("t = A(i,i)", d.sum(), "dense", A=stored)
    yield from example("t = 2 * A(i,i) * x(i)", 2 * (d @ x), "dense", A=stored, x=(x, "dense"))
    yield from example("y(i) = max(A(i,i), b(i))", np.maximum(d, b), "csf", A=stored, b=vector)
    yield from example("y(i) = A(i,i) * A(i,i)", d * d, "dense", A=stored)
    for out in ("dense", "csf"):
        yield from example("y(i) = A(i,i)", d, out, A=stored)
        yield from example("y(i) = b(i) + A(i,i)", b + d, out, A=stored, b=vector)
    for out in ("dense", "csr", "csc"):
        times = d[:, None] * B
        yield from example("Z(i,j) = A(i,i) * B(i,j)", times, out, A=stored, B=(B, "csr"))
    for out in RESULTS:
        yield from example("Z(i,i) = A(i,i) + b(i)", spread(d + b, 0, 1), out, A=stored, b=vector)
        yield from example(
            "Z(i,i) = A(i,j) * x(j)", spread(A @ x, 0, 1), out, A=stored, x=(x, "dense")
        )


@pytest.mark.parametrize("format", MATRICES)
def test_diagonals(format: str, tmp_path: Path):
    check(diagonals(format), tmp_path)


def cubes(format: str) -> Iterator[Example]:
    matrix = (B, "csr")
    for out in RESULTS:
        slices = np.einsum("iij->ij", X)
        yield from example("Z(i,j) = X(i,i,j)", slices, out, X=(X, format))
        yield from example("Z(i,j) = B(i,j) + X(i,i,j)", B + slices, out, X=(X, format), B=matrix)
        yield from example("Z(i,j) = B(i,j) * X(i,i,j)", B * slices, out, X=(X, format), B=matrix)
        yield from example("Z(i,j) = V(i,j,i)", np.einsum("iji->ij", V), out, V=(V, format))
        sums = spread(np.einsum("iji->i", V), 0, 1)
        yield from example("Z(i,i) = V(i,j,i)", sums, out, V=(V, format))
    for out in ("dense", "csf"):
        yield from example("y(i) = Y(i,i,i)", np.einsum("iii->i", Y), out, Y=(Y, format))
    yield from example("Z(i,i,j) = B(i,j)", spread(B, 0, 1), format, B=matrix)
    yield from example("Z(i,j,i) = B(i,j)", spread(B, 0, 2), format, B=matrix)
    yield from example("Z(i,i,i) = b(i)", spread(b, 0, 1, 2), format, b=(b, "csf"))


@pytest.mark.parametrize("format", CUBES)
def test_more_than_two_modes(format: str, tmp_path: Path):
    check(cubes(format), tmp_path)


@pytest.mark.parametrize("out", MATRICES)
def test_a_diagonal_into_every_format(out: str, tmp_path: Path):
    operands = {"sparse": (b, "csf"), "dense": (x, "dense")}
    check(
        (
            found
            for array, format in operands.values()
            for found in example("Z(i,i) = b(i)", spread(array, 0, 1), out, b=(array, format))
        ),
        tmp_path,
    )


def test_duplicates_are_added_up(tmp_path: Path):
    format = "(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))"
    rows, columns = np.array([0, 1, 1, 1, 3]), np.array([0, 1, 1, 2, 3])
    A = Entries("A", format, (4, 4), (rows, columns), np.arange(1.0, 6.0))
    d, b = np.array([1.0, 5.0, 0.0, 5.0]), Entries("b", "csf", (4,), (np.array([1]),), np.ones(1))
    check(
        [
            (Case("plain", "y(i) = A(i,i)", (A,), "dense", {"i": 4}), d),
            (Case("sparse", "y(i) = A(i,i)", (A,), "csf", {"i": 4}), d),
            (Case("square", "y(i) = A(i,i) * A(i,i)", (A,), "dense", {"i": 4}), d * d),
            (Case("sum", "y(i) = b(i) + A(i,i)", (b, A), "dense", {"i": 4}), d + [0, 1, 0, 0]),
            (Case("trace", "t = A(i,i)", (A,), "dense"), np.asarray(d.sum())),
        ],
        tmp_path,
    )


def test_two_pairs(tmp_path: Path):
    Q = random(3, 3, 2, 2)
    check(
        (
            found
            for format in ("dense", "csf", "coo")
            for out in ("dense", "csr", "csc")
            for found in example(
                "Z(j,i) = Q(i,i,j,j)", np.einsum("iijj->ji", Q), out, Q=(Q, format)
            )
        ),
        tmp_path,
    )


def test_a_result_that_outgrows_its_first_room():
    """No operand bounds the entries of a row, so room is made as the loops go."""
    size = 300
    b = np.arange(1.0, size + 1)
    for out in ("csr", "dcsr", "coo"):
        found = tm.evaluate("Z(i,i) = b(i)", b=b, out=out)
        assert np.array_equal(np.asarray(found.check()), np.diag(b))
    C = np.ones((size, 2))
    found = tm.evaluate("Z(i,j,i) = C(i,j)", C=tm.tensor(C, "csr"), out="csf").check()
    assert found.nnz == 2 * size


@pytest.mark.parametrize("format", ["dense", "csr", "dia"])
def test_modes_of_different_sizes_are_named(format: str):
    stored = tm.tensor(random(4, 6), format)
    with pytest.raises(KernelError, match=r"'i' has size 4 in mode 1 of A and 6 in mode 2 of A"):
        tm.evaluate("y(i) = A(i,i)", A=stored)


def test_a_result_with_modes_of_different_sizes():
    message = "'i' has size 2 in mode 1 of the result and 3 in mode 2 of it"
    with pytest.raises(KernelError, match=message):
        tm.compile("Z(i,i) = b")(b=np.array(2.0), shape=(2, 3))


def test_a_dense_operand_is_located_not_walked():
    kernel = tm.compile("y(i) = A(i,i)")
    assert kernel.cin.count("forall") == 1
    assert (
        "for (int64_t i = 0; i < A_dim1; i++) {\n    y_vals[i] = A_vals[i * A_dim2 + i];"
        in kernel.cpp
    )


@pytest.mark.parametrize(
    ("operands", "loops"),
    [
        ({"A": "csr", "B": "csr", "Z": "csr"}, ["i", "i_", "j"]),
        ({"A": "csc", "B": "csr", "Z": "dense"}, ["i", "i_", "j"]),
        ({"A": "dia", "B": "csr", "Z": "dense"}, ["i__sub_i", "i", "i_", "j"]),
    ],
)
def test_what_is_not_on_the_diagonal_is_left_early(operands: Mapping[str, str], loops: list[str]):
    request = make_request("Z(i,j) = A(i,i) * B(i,j)", operands, {})
    lines = str(Stages(request).module("cin")).splitlines()
    found = [line.split()[1] for line in lines if "forall" in line]
    guard = next(k for k, line in enumerate(lines) if "within 1" in line)
    assert found == loops
    assert guard < next(k for k, line in enumerate(lines) if "forall j" in line)


def test_names_that_are_taken():
    A, B = random(4, 4), random(4, 4)
    kernel = tm.compile("y(i) = A(i,i) * B(i,i_) * i_off(i_)", A="csr", B="csr")
    c = np.arange(4.0)
    assert np.allclose(
        kernel(A=tm.tensor(A, "csr"), B=tm.tensor(B, "csr"), i_off=c), np.diagonal(A) * (B @ c)
    )
