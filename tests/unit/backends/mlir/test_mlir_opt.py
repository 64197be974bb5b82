"""The last form is upstream MLIR: `mlir-opt` of LLVM reads it and takes it to its LLVM dialect."""

import pytest
from mlir_kernels import CONVERSIONS, KERNELS
from mlir_tools import find_tool, to_llvm

from tamale.dialects.format.named import resolve_format
from tamale.frontend.conversion_stages import ConversionStages
from tamale.frontend.request import make_request
from tamale.frontend.stages import Stages

pytestmark = pytest.mark.skipif(
    find_tool("mlir-opt") is None, reason="needs mlir-opt, such as that of Debian's mlir-19-tools"
)


def check(text: str) -> str:
    """`mlir-opt` leaves nothing but LLVM's dialect, which is returned."""
    llvm = to_llvm(text)
    assert "llvm.func @" in llvm
    rest = [line for line in llvm.splitlines() if " memref." in line or " scf." in line]
    assert rest == []
    return llvm


@pytest.mark.parametrize("expression, formats", KERNELS)
def test_kernels(expression: str, formats: dict[str, str]):
    llvm = check(Stages(make_request(expression, formats, {})).text("mlir"))
    _, *later_blocks = llvm.split("^bb")
    assert not any("llvm.alloca" in block for block in later_blocks), "takes stack in each round"


@pytest.mark.parametrize("expression, formats", KERNELS)
def test_shared_kernels(expression: str, formats: dict[str, str]):
    check(Stages(make_request(expression, formats, {}, threads=4)).text("mlir"))


def test_complex_numbers():
    dtypes = dict.fromkeys("Ax", "complex128")
    check(Stages(make_request("y(i) = A(i,j) * x(j)", {"A": "csr"}, dtypes)).text("mlir"))


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("pair", CONVERSIONS)
def test_conversions(pair: str, threads: int):
    source, target = (resolve_format(name, 2) for name in pair.split(" ", 1))
    check(ConversionStages(source, target, "float64", threads=threads).text("mlir"))


def test_what_is_no_mlir_is_refused():
    with pytest.raises(AssertionError, match="error"):
        to_llvm("func.func @f() { arith.nothing }")
