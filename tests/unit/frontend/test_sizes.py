"""Kernels that depend on how large their operands are."""

from __future__ import annotations

from importlib import import_module
from time import perf_counter
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tamale as tm
from tamale.dialects.errors import ScheduleError
from tamale.dialects.format.named import resolve_format
from tamale.frontend.entries import from_entries
from tamale.frontend.kernel import Kernel
from tamale.frontend.tensor import Tensor

sp: Any = import_module("scipy.sparse")
PRODUCT = "Z(i,j) = A(i,k) * B(k,j)"
CHAIN = "Z(i,j) = A(i,k) * B(k,l) * C(l,j)"
HUGE = 10**13
"""Nobody has room for an array over so many coordinates."""


def random_matrix(rows: int, columns: int, entries: int, seed: int) -> Any:
    random = np.random.default_rng(seed)
    density = entries / rows / columns
    return sp.random_array((rows, columns), density=density, format="csr", rng=random)


def statements(kernel: Kernel) -> list[str]:
    """What is computed first, as `explain` has it."""
    lines = kernel.explain().splitlines()
    first = lines.index("computed first")
    return [line.strip() for line in lines[first + 1 : lines.index("tensors")]]


def shapes(*names: tuple[int, int]) -> list[Any]:
    return [random_matrix(*shape, 20_000, seed) for seed, shape in enumerate(names)]


@pytest.mark.parametrize(
    ("sizes", "first"),
    [
        ([(50, 9000), (9000, 50), (50, 9000)], "A(i,k) * B(k,l)"),
        ([(9000, 50), (50, 9000), (9000, 50)], "B(k,l) * C(l,j)"),
    ],
)
def test_the_product_that_is_small_comes_first(sizes: list[tuple[int, int]], first: str):
    a, b, c = shapes(*sizes)
    operands: dict[str, Any] = {"A": tm.tensor(a), "B": tm.tensor(b), "C": tm.tensor(c)}
    kernel = tm.compile(CHAIN, A="csr", B="csr", C="csr", Z="csr")
    (computed,) = statements(kernel.fitted(**operands))
    assert first in computed
    np.testing.assert_allclose(kernel(**operands).to_numpy(), (a @ b @ c).toarray())


@pytest.mark.parametrize(("few", "many", "converted"), [("A", "B", "A_csc"), ("B", "A", "B_csr")])
def test_of_two_operands_the_one_with_fewer_entries_is_converted(
    few: str, many: str, converted: str
):
    dense = {few: random_matrix(400, 300, 300, 1), many: random_matrix(400, 300, 9000, 2)}
    operands: dict[str, Any] = {
        "A": tm.tensor(dense["A"]), "B": tm.tensor(dense["B"]).to_format("csc")
    }  # fmt: skip
    kernel = tm.compile("Z(i,j) = A(i,j) * B(i,j)", A="csr", B="csc")
    assert f"%{converted} = tin.convert" in str(kernel.fitted(**operands).stages.converted())
    expected = dense["A"].toarray() * dense["B"].toarray()
    np.testing.assert_array_equal(kernel(**operands), expected)


def far_apart(name: str, columns: int, seed: int) -> tuple[Tensor, NDArray[np.int64]]:
    """A matrix of five entries all over a huge square, and where they are."""
    random = np.random.default_rng(seed)
    places = random.integers(0, 7, (2, 5)) * (columns // 7)
    format = resolve_format(f"{name}, pos = i64, crd = i64", 2)
    return from_entries(list(places), np.arange(1.0, 6.0), (columns, columns), format), places


@pytest.mark.parametrize(
    ("first", "second", "size"),
    [
        ("dcsr", "dcsr", 10**9),
        ("dcsr", "dcsr", HUGE),
        ("dcsc", "dcsr", HUGE),
        ("coo", "dcsc", HUGE),
        ("dcsc", "coo", HUGE),
    ],
)
def test_matrices_without_end_multiply_at_once(first: str, second: str, size: int):
    (a, at_a), (b, at_b) = far_apart(first, size, 1), far_apart(second, size, 2)
    expected: dict[tuple[int, int], float] = {}
    for row, inner, x in zip(*at_a, np.arange(1.0, 6.0), strict=True):
        for other, column, y in zip(*at_b, np.arange(1.0, 6.0), strict=True):
            if inner == other:
                place = int(row), int(column)
                expected[place] = expected.get(place, 0.0) + x * y
    wide = resolve_format("dcsr, pos = i64, crd = i64", 2)
    tm.evaluate(PRODUCT, A=a, B=b, out=wide)
    start = perf_counter()
    z = tm.evaluate(PRODUCT, A=a, B=b, out=wide).check()
    assert perf_counter() - start < 0.1
    crds, vals = z.entries()
    found = {(int(i), int(j)): v for i, j, v in zip(*crds, vals, strict=True)}
    assert found == pytest.approx(expected)


def test_a_long_row_is_put_together_in_a_hash_table():
    wide = resolve_format("csr, pos = i64, crd = i64", 2)
    columns, rows = 10**13, np.repeat(np.arange(1000), 10)
    random = np.random.default_rng(3)
    places = np.stack([rows, random.integers(0, 50, len(rows)) * (columns // 50)])
    b = from_entries(list(places), np.ones(len(rows)), (1000, columns), wide)
    a = random_matrix(200, 1000, 2000, 4)
    kernel = tm.compile(PRODUCT, A="csr", B=wide, Z="csr, pos = i64, crd = i64")
    fitted = kernel.fitted(A=tm.tensor(a), B=b)
    assert "found again by a hash table" in fitted.explain()
    assert "found again by an array over j" in kernel.explain()
    z = kernel(A=tm.tensor(a), B=b).check()
    narrow = sp.csr_array((np.ones(len(rows)), (rows, places[1] // (columns // 50))), (1000, 50))
    dense = np.zeros((200, 50))
    (i, j), vals = z.entries()
    dense[i, j // (columns // 50)] = vals
    np.testing.assert_allclose(dense, (a @ narrow).toarray())


def test_kernels_are_the_same_within_a_bucket_and_for_small_operands():
    kernel = tm.compile(PRODUCT, A="csr", B="csr", Z="csr")
    some, alike, more, few = (
        tm.tensor(random_matrix(1000, 1000, entries, 1)) for entries in (17_000, 22_000, 70_000, 99)
    )
    fitted = kernel.fitted(A=some, B=some)
    assert fitted.request.key_parts == kernel.fitted(A=alike, B=alike).request.key_parts
    assert fitted is kernel.fitted(A=some, B=some)
    assert fitted.request.key_parts != kernel.fitted(A=more, B=some).request.key_parts
    assert fitted.request.key_parts != kernel.request.key_parts
    assert kernel.fitted(A=few, B=few) is kernel


def test_where_nothing_can_be_chosen_sizes_do_not_matter():
    matrix = tm.tensor(random_matrix(1000, 1000, 70_000, 1))
    cases: list[tuple[str, dict[str, Any]]] = [
        ("y(i) = A(i,j) * x(j)", {}),
        ("Z(i,j) = A(i,j) + 2 * A(i,j)", {"Z": "csr"}),
        ("Z(i,k) = A(i,j) * B(j,k)", {}),
    ]
    for statement, formats in cases:
        kernel = tm.compile(statement, A="csr", **formats)
        assert kernel.fitted(A=matrix) is kernel
        sized = tm.compile(statement, A="csr", sizes={"i": 10**6}, **formats)
        assert sized.request.key_parts == kernel.request.key_parts


def test_kernels_for_operands_to_come():
    given: dict[str, Any] = dict.fromkeys("ABCZ", "csr")
    given["entries"] = dict.fromkeys("ABC", 20_000)
    left = tm.compile(CHAIN, sizes={"i": 50, "k": 9000, "l": 50, "j": 9000}, **given)
    right = tm.compile(CHAIN, sizes={"i": 9000, "k": 50, "l": 9000, "j": 50}, **given)
    assert "A(i,k) * B(k,l)" in statements(left)[0]
    assert "B(k,l) * C(l,j)" in statements(right)[0]
    small = tm.tensor(random_matrix(4, 4, 6, 1))
    assert left.fitted(A=small, B=small, C=small) is left


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sizes": {"z": 4}}, "sizes: 'z' is not an index variable of  Z.*help: there are i, j, k"),
        ({"entries": {"Z": 4}}, "entries: 'Z' is not an operand of  Z.*help: there are A, B"),
        ({"entries": {"A": -4}}, "entries: A cannot be -4; expected a number"),
    ],
)
def test_what_is_said_of_operands_has_to_fit(options: dict[str, Any], message: str):
    with pytest.raises(ScheduleError, match=f"(?s){message}"):
        tm.compile(PRODUCT, A="csr", B="csr", Z="csr", **options)


def test_a_wrong_operand_is_refused_as_ever():
    kernel = tm.compile(PRODUCT, A="csr", B="csr", Z="csr")
    large = tm.tensor(random_matrix(1000, 1000, 70_000, 1))
    with pytest.raises(tm.TamaleError, match="operand B of"):
        kernel(A=large)
    with pytest.raises(tm.TamaleError, match="order"):
        kernel(A=large, B=np.ones(3))
