"""LLVM's own pipeline runs the last form, with the results of the C++."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mlir_kernels import CONVERSIONS, KERNELS
from mlir_tools import MlirKernel, find_tool
from xdsl.dialects.builtin import ModuleOp

import tamale as tm
from tamale.dialects.format.named import resolve_format
from tamale.frontend.conversion_stages import ConversionStages, build_conversion
from tamale.frontend.kernel import Kernel
from tamale.frontend.request import make_request
from tamale.frontend.stages import Stages
from tamale.frontend.tensor import Tensor
from tamale.interpreters.running import ResultType, function_named
from tamale.interpreters.sampling import STYLES, Sample, sample

pytestmark = pytest.mark.skipif(
    find_tool("mlir-opt") is None or find_tool("mlir-runner") is None,
    reason="needs mlir-opt and mlir-cpu-runner, such as those of Debian's mlir-19-tools",
)
SEED = 3


def samples(module: ModuleOp) -> tuple[ResultType, list[Sample]]:
    """Operands in every style for the function of a module of tin."""
    function = function_named(module, None)
    result = ResultType.of(next(iter(function.function_type.outputs)))
    return result, [sample(function, style, SEED) for style in STYLES]


def call(kernel: Kernel, drawn: Sample) -> Any:
    """What the C++ computes."""
    names = [operand.name for operand in kernel.request.operands]
    operands: dict[str, Any] = dict(zip(names, drawn.operands, strict=True))
    return kernel(**operands)


def assert_same(found: Tensor, want: Any) -> None:
    """The same arrays on every level, and the same values."""
    if not isinstance(want, Tensor):
        np.testing.assert_allclose(found.to_numpy(), want, rtol=1e-12)
        return
    for ours, theirs in zip(found.levels, want.levels, strict=True):
        assert ours.keys() == theirs.keys()
        for name in theirs:
            np.testing.assert_array_equal(ours[name], theirs[name])
    np.testing.assert_allclose(found.vals, want.vals, rtol=1e-12)


@pytest.mark.parametrize("expression, formats", KERNELS)
def test_kernels(expression: str, formats: dict[str, str], tmp_path: Path):
    kernel = Kernel(make_request(expression, formats, {}))
    stages = Stages(kernel.request)
    mlir = MlirKernel(stages.module("mlir"), tmp_path)
    result, drawn = samples(stages.module("tin"))
    for each in drawn:
        want = call(kernel, each)
        assert_same(mlir(each.operands, result, each.shape), want)


@pytest.mark.parametrize("dtype", ["float32", "int64", "int8", "complex128"])
def test_element_types(dtype: str, tmp_path: Path):
    kernel = Kernel(make_request("y(i) = A(i,j) * x(j)", {"A": "csr"}, {"A": dtype, "x": dtype}))
    stages = Stages(kernel.request)
    mlir = MlirKernel(stages.module("mlir"), tmp_path)
    result, drawn = samples(stages.module("tin"))
    for each in drawn:
        assert_same(mlir(each.operands, result, each.shape), call(kernel, each))


@pytest.mark.parametrize("pair", CONVERSIONS)
def test_conversions(pair: str, tmp_path: Path):
    source, target = (resolve_format(name, 2) for name in pair.split(" ", 1))
    mlir = MlirKernel(ConversionStages(source, target, "float64").module("mlir"), tmp_path)
    result, drawn = samples(build_conversion(source, target, "float64"))
    for each in drawn:
        (operand,) = each.operands
        assert_same(mlir(each.operands, result, each.shape), tm.convert(operand, target))
