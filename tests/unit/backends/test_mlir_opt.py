"""The last form is upstream MLIR: `mlir-opt` of LLVM reads it and takes it to its LLVM dialect."""

import shutil
import subprocess

import pytest

from tamale.dialects.format.named import resolve_format
from tamale.frontend.conversion_stages import ConversionStages
from tamale.frontend.request import make_request
from tamale.frontend.stages import Stages

NAMES = ("mlir-opt", *(f"mlir-opt-{version}" for version in range(30, 15, -1)))
MLIR_OPT = next(filter(None, map(shutil.which, NAMES)), None)

pytestmark = pytest.mark.skipif(
    MLIR_OPT is None, reason="needs mlir-opt, such as that of Debian's mlir-19-tools"
)

TO_LLVM = (
    "--expand-realloc",
    "--convert-scf-to-cf",
    "--expand-strided-metadata",
    "--memref-expand",
    "--arith-expand",
    "--convert-complex-to-standard",
    "--convert-math-to-llvm",
    "--convert-complex-to-llvm",
    "--convert-arith-to-llvm",
    "--finalize-memref-to-llvm",
    "--convert-func-to-llvm",
    "--convert-cf-to-llvm",
    "--reconcile-unrealized-casts",
)

KERNELS = (
    ("y(i) = A(i,j) * x(j)", {"A": "csr"}),
    ("y(i) = A(i,j) * x(j)", {"A": "coo"}),
    ("y(i) = A(i,j) * x(j)", {"A": "dia"}),
    ("y(i) = A(i,j) * x(j)", {"A": "ell"}),
    ("y(i) = A(i,j) * x(j)", {"A": "bcsr(2, 2)"}),
    ("y(i) = A(i,j) * x(j)", {"A": "csr", "x": "csf", "y": "csf"}),
    ("Z(i,j) = A(i,j) + B(i,j)", dict.fromkeys("ABZ", "dcsr")),
    ("Z(i,j) = A(i,j) + B(i,j)", {"A": "csr", "B": "csc", "Z": "csr"}),
    ("Z(i,j) = A(i,j) * B(i,j)", {"A": "csr", "B": "coo", "Z": "csr"}),
    ("Z(i,k) = A(i,j) * X(j,k)", {"A": "csr"}),
    ("A(i,j) = B(i,k,l) * D(l,j) * C(k,j)", {"B": "csf"}),
    ("z(i) = a(i) + b(i) * c(i)", dict.fromkeys("abcz", "csf")),
    ("z(i) = unless(a(i), b(i))", dict.fromkeys("abz", "csf")),
    ("y(i) = max(A(i,j), x(j))", {"A": "csr"}),
    ("z = sqrt(a(i) * b(i))", {"a": "csf", "b": "csf"}),
)
CONVERSIONS = ("coo csr", "csr csc", "csr ell", "csr dia", "csr bcsr(2, 2)", "csc dcsr", "dia coo")


def lowered(text: str) -> str:
    """A module after LLVM's passes; what they say where they refuse it."""
    assert MLIR_OPT is not None
    run = subprocess.run([MLIR_OPT, *TO_LLVM], input=text, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


def check(text: str) -> None:
    """`mlir-opt` leaves nothing but LLVM's dialect."""
    llvm = lowered(text)
    assert "llvm.func @" in llvm
    rest = [line for line in llvm.splitlines() if " memref." in line or " scf." in line]
    assert rest == []


@pytest.mark.parametrize("expression, formats", KERNELS)
def test_kernels(expression: str, formats: dict[str, str]):
    check(Stages(make_request(expression, formats, {})).text("mlir"))


def test_complex_numbers():
    dtypes = dict.fromkeys("Ax", "complex128")
    check(Stages(make_request("y(i) = A(i,j) * x(j)", {"A": "csr"}, dtypes)).text("mlir"))


@pytest.mark.parametrize("pair", CONVERSIONS)
def test_conversions(pair: str):
    source, target = (resolve_format(name, 2) for name in pair.split(" ", 1))
    check(ConversionStages(source, target, "float64").text("mlir"))


def test_what_is_no_mlir_is_refused():
    with pytest.raises(AssertionError, match="error"):
        lowered("func.func @f() { arith.nothing }")
