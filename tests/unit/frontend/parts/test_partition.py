"""Statements in parts: the same results, nearly the same work, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tamale as tm

SPMV, SPMM = "y(i) = A(i,j) * x(j)", "Z(i,j) = A(i,k) * X(k,j)"
SPGEMM, SUM = "Z(i,j) = A(i,k) * C(k,j)", "Z(i,j) = A(i,j) + B(i,j)"
MTTKRP = "M(i,r) = T(i,j,k) * D(j,r) * E(k,r)"
CASES: tuple[tuple[str, Mapping[str, str], str, str], ...] = (
    *((SPMV, {"A": f}, "dense", "i") for f in ("csr", "dcsr", "coo", "bcsr(3, 2)")),
    (SPMV, {"A": "csc"}, "dense", "j"),
    *((SPMM, {"A": f}, "dense", "i") for f in ("csr", "coo")),
    *((SPGEMM, {"A": f, "C": f}, f, "i") for f in ("csr", "dcsr")),
    (SPGEMM, {"A": "csc", "C": "csc"}, "csc", "j"),
    *((SUM, {"A": f, "B": f}, f, "i") for f in ("csr", "dcsr", "coo")),
    (SUM, {"A": "csr", "B": "csc"}, "csr", "i"),
    (MTTKRP, {"T": "csf"}, "dense", "i"),
    ("s = A(i,j) * B(i,j)", {"A": "csr", "B": "csr"}, "dense", "i"),
    ("y(j) = reduce(max, i, A(i,j))", {"A": "csr"}, "dense", "i"),
    ("z(j) = A(i,j) * w(i)", {"A": "csr"}, "csf", "i"),
    ("y(i) = b(i) + A(i,j) * x(j)", {"A": "csr"}, "dense", "i"),
)
"""The statement, formats of operands, the result's, and the variable that is cut."""
SIZES = {"i": 12, "j": 9, "k": 9, "r": 3}


def skewed(random: np.random.Generator, shape: tuple[int, ...]) -> NDArray[Any]:
    density = random.random((shape[0], *(1 for _ in shape[1:]))) ** 3
    return (random.random(shape) < density) * random.integers(-9, 10, shape).astype(float)


def operands(formats: Mapping[str, str], random: np.random.Generator) -> dict[str, Any]:
    """Every tensor that the cases name, the small integers in it summed without rounding."""
    n = 9
    arrays = {
        "A": skewed(random, (n, n)),
        "B": skewed(random, (n, n)),
        "C": skewed(random, (n, n)),
        "T": skewed(random, (n, 5, 4)),
        "X": skewed(random, (n, 3)),
        "D": skewed(random, (5, 3)),
        "E": skewed(random, (4, 3)),
        **{name: skewed(random, (n,)) for name in "xbw"},
    }
    return {
        name: tm.tensor(array, formats[name]) if name in formats else array
        for name, array in arrays.items()
    }


def given(expression: str, everything: Mapping[str, Any]) -> dict[str, Any]:
    names = [operand.name for operand in tm.compile(expression).request.operands]
    return {name: everything[name] for name in names}


def assert_alike(found: Any, expected: Any):
    if isinstance(expected, tm.Tensor):
        assert found.check() == expected
    else:
        assert found.dtype == expected.dtype
        assert np.array_equal(found, expected)


@pytest.mark.parametrize(("expression", "formats", "out", "variable"), CASES)
def test_parts_give_the_result(
    expression: str, formats: Mapping[str, str], out: str, variable: str
):
    random = np.random.default_rng(5)
    for count in (1, 5):
        tensors = given(expression, operands(formats, random))
        parts = tm.partition(expression, tensors, count, out=out)
        assert (len(parts), parts.variable) == (count, variable)
        for part in parts:
            for name, operand in part.operands.items():
                assert operand.check().format == tm.tensor(tensors[name]).format
        assert_alike(parts.run().gather(), tm.evaluate(expression, out=out, **tensors))


def test_the_kernel_runs_on_each_part():
    tensors = given(SPMV, operands({"A": "csr"}, np.random.default_rng(0)))
    parts = tm.partition(SPMV, tensors, 3)
    kernel = tm.compile(SPMV, A="csr")
    found = [kernel(**part.operands) for part in parts]
    assert [len(y) for y in found] == [part.end - part.begin for part in parts]
    assert np.array_equal(np.concatenate(found), tm.evaluate(SPMV, **tensors))


def test_parts_have_nearly_the_same_work():
    random = np.random.default_rng(1)
    for count in (2, 7):
        array = skewed(random, (200, 60))
        A = tm.tensor(array, "csr")
        parts = tm.partition(SPMV, {"A": A, "x": np.ones(60)}, count)
        work = [p.operands["A"].nnz + p.end - p.begin for p in parts]
        longest = int((array != 0).sum(1).max()) + 1
        assert sum(work) == A.nnz + 200
        assert max(work) <= -(-sum(work) // count) + longest


def test_blocks_are_not_cut():
    B = tm.tensor(np.ones((60, 60)), "bcsr(3, 2)")
    parts = tm.partition("y(i) = B(i,j) * x(j)", {"B": B, "x": np.ones(60)}, 4)
    assert [part.begin for part in parts] == [0, 15, 30, 45]


def test_parts_without_coordinates_add_nothing_to_a_reduction():
    A = tm.tensor(-np.ones((2, 3)), "csr")
    parts = tm.partition("y(j) = reduce(max, i, A(i,j))", {"A": A}, 5, out="csf")
    assert 0 in [part.end - part.begin for part in parts]
    assert parts.run().gather().to_numpy().tolist() == [-1.0, -1.0, -1.0]


def test_no_room_is_needed_for_the_result_as_a_whole():
    n = 1 << 30
    A = tm.tensor((np.ones(2), (np.array([0, n - 1]), np.array([3, n - 1]))), "dcsr", shape=(n, n))
    Z = tm.partition(SUM, {"A": A, "B": A}, 2, out="dcsr").run().gather()
    assert (Z.shape, Z.vals.tolist()) == ((n, n), [2.0, 2.0])


def test_a_distributed_result_is_used_in_place():
    tensors = operands({"A": "csr", "B": "csr", "C": "csr"}, np.random.default_rng(7))
    S = tm.partition(SUM, {n: tensors[n] for n in "AB"}, 4, out="csr").run()
    assert (S.shape, S.dtype, S.mode) == ((9, 9), np.float64, 0)
    parts = tm.partition("Z(i,j) = S(i,k) * C(k,j)", {"S": S, "C": tensors["C"]}, 4, out="csr")
    assert all(part.operands["S"] is S.fetch(k) for k, part in enumerate(parts))
    whole = tm.evaluate(SUM, A=tensors["A"], B=tensors["B"], out="csr")
    product = tm.evaluate("Z(i,j) = S(i,k) * C(k,j)", S=whole, C=tensors["C"], out="csr")
    assert_alike(parts.run().gather(), product)


def test_parts_of_a_vector_are_reduced_over():
    tensors = operands({"A": "csr", "C": "csc"}, np.random.default_rng(8))
    y = tm.partition(SPMV, {n: tensors[n] for n in "Ax"}, 3).run()
    z = tm.partition("z(i) = C(i,j) * y(j)", {"C": tensors["C"], "y": y}, 3)
    assert (z.variable, z.combined) == ("j", "add")
    expected = tensors["C"].to_numpy() @ (tensors["A"].to_numpy() @ tensors["x"])
    assert np.array_equal(z.run().gather(), expected)


def refusal(expression: str, tensors: Mapping[str, Any], parts: Any = 2, **options: Any) -> str:
    with pytest.raises(tm.TamaleError) as caught:
        tm.partition(expression, tensors, parts, **options)
    return str(caught.value)


def test_loops_over_no_index_variable_are_refused():
    tensors = operands({"A": "dia"}, np.random.default_rng(0))
    assert refusal(SPMV, given(SPMV, tensors)) == (
        "partition: y(i) = A(i,j) * x(j)  is not cut: the outermost loop is over 'j - i' of A "
        "((i, j) -> (j - i : squeezed, i : range, j : offset)), not over one of its index "
        "variables\n  help: store A in another format, such as csr"
    )


def test_loops_that_cannot_be_counted_are_refused():
    tensors = operands({"A": "dok"}, np.random.default_rng(0))
    assert refusal(SPMV, given(SPMV, tensors)) == (
        "partition: y(i) = A(i,j) * x(j)  is not cut: A.i ('i : hashed') is in no order"
    )


def test_parts_of_a_reduction_that_is_only_a_part_are_refused():
    tensors = operands({"C": "csc"}, np.random.default_rng(0))
    S = tm.partition(SPMV, {"A": tensors["A"], "x": tensors["x"]}, 2).run()
    statement = "y(i) = b(i) + C(i,j) * S(j)"
    message = refusal(statement, {"b": tensors["b"], "C": tensors["C"], "S": S})
    assert message == (
        f"partition: {statement}  is not cut: its parts along 'j' give parts of a reduction, but "
        "the result is not that reduction alone\n"
        "  help: compute the reduction first, then what is left"
    )


def test_parts_that_a_format_cannot_hold_are_refused():
    L = tm.tensor(np.tril(np.ones((6, 6))), "skyline")
    message = refusal("y(i) = L(i,j) * x(j)", {"L": L, "x": np.ones(6)})
    assert "a part of L along 'i' is no tensor of its format\n  convert: the " in message
    assert "holds entries on and below the diagonal only" in message


def test_uses_that_differ_are_refused():
    tensors = operands({"A": "csr"}, np.random.default_rng(0))
    message = refusal("Z(i,j) = A(i,k) * A(k,j)", {"A": tensors["A"]}, out="csr")
    assert "A is used with 'i' in different modes\n  help: pass it under two names" in message


def test_distributed_operands_that_do_not_fit_are_refused():
    tensors = operands({"A": "csc", "B": "csr"}, np.random.default_rng(0))
    x = tensors["x"]
    sums = tm.partition(SPMV, {"A": tensors["A"], "x": x}, 2).run()
    rows = tm.partition(SPMV, {"A": tensors["B"], "x": x}, 2).run()
    other = tm.partition(SPMV, {"A": tensors["B"], "x": x}, 3).run()
    add, square = "z(i) = u(i) + v(i)", "z(i) = B(i,i) + u(i)"
    assert "u is not whole in any part\n  help: pass u.gather()" in refusal(
        add, {"u": sums, "v": x}
    )
    assert "u, v are cut differently\n  help: gather all but one of them" in refusal(
        add, {"u": rows, "v": other}
    )
    assert "u has 3 parts, not 2" in refusal(add, {"u": other, "v": x})
    matrix = tm.partition(SUM, {"A": tensors["B"], "B": tensors["B"]}, 2).run()
    assert "B is cut in one mode, and 'i' has several" in refusal(square, {"B": matrix, "u": x})


def test_numbers_of_parts_and_operands_are_checked():
    tensors = given(SPMV, operands({"A": "csr"}, np.random.default_rng(0)))
    assert refusal(SPMV, tensors, 0) == "partition: 0 is no number of parts; it is from 1 to 65536"
    assert refusal(SPMV, {"A": tensors["A"]}) == (
        "partition: operand x of  y(i) = A(i,j) * x(j)  is missing"
    )
    assert refusal("Z(i,j) = x(j)", {"x": tensors["x"]}).startswith(
        "partition: no operand of  Z(i,j) = x(j)  tells the size of 'i'\n  help: pass shape="
    )
    Z = tm.partition("Z(i,j) = x(j)", {"x": tensors["x"]}, 2, shape=(3, 9)).run().gather()
    assert np.array_equal(Z, np.tile(tensors["x"], (3, 1)))
