"""Every stage of the compiler, interpreted, gives what NumPy gives."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from xdsl.parser import Parser

import tamale as tm
from tamale.dialects import tamale_context
from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.selection import parse_selection
from tamale.frontend.building import build_module
from tamale.frontend.conversion_stages import build_conversion
from tamale.frontend.request import make_request
from tamale.interpreters.checking import structure_of
from tamale.interpreters.sampling import STYLES

SPMV = "y(i) = A(i,j) * x(j)"
ADD = "Z(i,j) = A(i,j) + B(i,j)"
MUL = "Z(i,j) = A(i,j) * B(i,j)"


def multiply(A: Any, x: Any) -> Any:
    return A @ x


def add_all(*operands: Any) -> Any:
    return sum(operands)


def elementwise(A: Any, B: Any) -> Any:
    return A * B


def mttkrp(B: Any, D: Any, C: Any) -> Any:
    return np.einsum("ikl,lj,kj->ij", B, D, C)


def fused(a: Any, b: Any, c: Any) -> Any:
    return a + b * c


def unless(a: Any, b: Any) -> Any:
    return np.where(b != 0, 0, a)


def unless_transposed(A: Any, B: Any) -> Any:
    return np.where(B.T != 0, 0, A[:, np.newaxis])


def sums_unless(A: Any, B: Any) -> Any:
    return A.sum(axis=1) * (B == 0).sum()


def least_products(a: Any, b: Any) -> Any:
    return np.outer(b, a).min(axis=1)


def greatest_products(a: Any, b: Any) -> Any:
    return np.outer(b, a).max(axis=1)


def on_the_diagonal(A: Any) -> Any:
    return np.einsum("ijk,il->ijlk", A, np.eye(len(A)))


def double(A: Any) -> Any:
    return 2 * A


Case = tuple[str, dict[str, str], Callable[..., Any]]
KERNELS: dict[str, Case] = {
    **{
        f"spmv {name}": (SPMV, {"A": name}, multiply)
        for name in ("csr", "csc", "coo", "dcsr", "dia", "ell", "bcsr(2, 2)", "dok")
    },
    "add csr": (ADD, dict.fromkeys("ABZ", "csr"), add_all),
    "add dcsr coo": (ADD, {"A": "dcsr", "B": "coo", "Z": "coo"}, add_all),
    "mul": (MUL, {"A": "csr", "B": "dcsr", "Z": "dcsr"}, elementwise),
    "add three": (
        "Z(i,j) = A(i,j) + B(i,j) + C(i,j)",
        {"A": "dcsr", "B": "csr", "C": "coo", "Z": "csr"},
        add_all,
    ),
    "spmm": ("Z(i,k) = A(i,j) * X(j,k)", {"A": "csr"}, multiply),
    "dot": ("z = a(i) * b(i)", {"a": "csf", "b": "csf"}, multiply),
    "mttkrp": ("A(i,j) = B(i,k,l) * D(l,j) * C(k,j)", {"B": "csf"}, mttkrp),
    "a + b*c": ("z(i) = a(i) + b(i) * c(i)", dict.fromkeys("abcz", "csf"), fused),
    "unless": ("z(i) = unless(a(i), b(i))", dict.fromkeys("abz", "csf"), unless),
    "complement not resolved yet": (
        "Z(i,j) = unless(A(i), B(j,i))",
        {"A": "csf", "B": "dcsc"},
        unless_transposed,
    ),
    "dense levels out of order": (
        "y(j) = sum(k, unless(A(j,k), b(i)))",
        {"A": "dense(1, 0)", "b": "csf"},
        sums_unless,
    ),
    "operand converted": (ADD, {"A": "csr", "B": "csc", "Z": "csr"}, add_all),
    "result converted": ("Z(i,j) = 2 * A(i,j)", {"A": "csr", "Z": "csc"}, double),
    "least with absences": (
        "z(k) = reduce(min, j, a(j) * b(k))",
        dict.fromkeys("abz", "csf"),
        least_products,
    ),
    "greatest with absences": (
        "z(k) = reduce(max, j, a(j) * b(k))",
        dict.fromkeys("abz", "csf"),
        greatest_products,
    ),
    "repeated in a sparse result": (
        "Z(i,j,i,k) = A(i,j,k)",
        dict.fromkeys("AZ", "csf"),
        on_the_diagonal,
    ),
    "repeated in a dense result": ("Z(i,j,i,k) = A(i,j,k)", {"A": "csf"}, on_the_diagonal),
    "sparse reduction": (SPMV, {"A": "csr", "x": "csf", "y": "csf"}, multiply),
}

CONVERSIONS = (
    "coo csr",
    "csr csc",
    "csr coo",
    "csr ell",
    "csr dia",
    "csr bcsr(2, 2)",
    "csc dcsr",
    "dia csr",
    "ell csr",
    "csr dok",
    "dense csr",
    "csr bitmap",
    "coo sell(2)",
    "csr jad",
)


@pytest.mark.parametrize("style", [STYLES[0], STYLES[4]], ids=["ordinary", "no coordinates"])
@pytest.mark.parametrize("name", KERNELS)
def test_kernels(name: str, style: Any, staged: Any, dense: Any, entries: Any, operands_of: Any):
    expression, formats, expected = KERNELS[name]
    run = staged(tm.parse(expression, **formats), style)
    want = expected(*operands_of(run))
    structure = None
    for stage in run.stages():
        outcome = run.run()
        np.testing.assert_allclose(dense(outcome), want, err_msg=stage)
        found = entries(outcome)
        if found is not None and structure is not None:
            assert (found == structure).all(), stage
        structure = found if structure is None else structure


@pytest.mark.parametrize("style", [STYLES[0], STYLES[3]], ids=["ordinary", "no entries"])
@pytest.mark.parametrize("pair", CONVERSIONS)
def test_conversions(pair: str, style: Any, staged: Any, dense: Any, operands_of: Any):
    source, target = (resolve_format(name, 2) for name in pair.split(" ", 1))
    run = staged(build_conversion(source, target, "float64"), style)
    (want,) = operands_of(run)
    for stage in run.stages():
        outcome = run.run()
        np.testing.assert_array_equal(dense(outcome), want, err_msg=stage)


MASKED = """
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!skyline = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : banded)>>
func.func @f(%A: !csr, %B: !csr) -> !csr {
  %P = tin.convert %B : !csr -> !skyline
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !csr -> f64
    %p = tin.access %P[%i, %j] : !skyline -> f64
    %u = tin.map "unless" %a, %p : f64
    tin.yield %u : f64
  } : !csr
  func.return %Z : !csr
}"""


def test_zeros_that_become_padding(staged: Any, dense: Any):
    """A zero of B is an entry, until it is stored in a format that pads."""
    run = staged(Parser(tamale_context(), MASKED).parse_module(), STYLES[1])
    A, B = run.sample.operands
    B.vals[::2] = 0
    a, structure = A.to_numpy(), structure_of(B)
    assert structure is not None
    want = np.where(np.asarray(B.to_numpy()) != 0, 0, a)
    assert not np.array_equal(want, np.where(structure, 0, a))
    for stage in run.stages():
        np.testing.assert_array_equal(dense(run.run()), want, err_msg=stage)


def test_a_selection_of_entries(staged: Any, dense: Any, operands_of: Any):
    csr, coo = resolve_format("csr", 2), resolve_format("coo", 2)
    module = build_conversion(csr, coo, "float64", parse_selection("j > i"))
    run = staged(module, STYLES[0])
    (A,) = operands_of(run)
    for stage in run.stages():
        np.testing.assert_array_equal(dense(run.run()), np.triu(A, 1), err_msg=stage)


@pytest.mark.parametrize("dtype", ["float32", "int64", "int8", "complex128"])
def test_element_types(dtype: str, staged: Any, dense: Any, operands_of: Any):
    request = make_request(SPMV, {"A": "csr"}, {"A": dtype, "x": dtype})
    run = staged(build_module(request), STYLES[1])
    A, x = operands_of(run)
    for stage in run.stages():
        outcome = dense(run.run())
        assert outcome.dtype == np.dtype(dtype), stage
        np.testing.assert_allclose(outcome, A @ x, err_msg=stage)
