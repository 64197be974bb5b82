"""The tools of LLVM's MLIR: where they are; kernels that they compile, called with tensors."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from math import prod
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import func
from xdsl.dialects.builtin import IndexType, MemRefType, ModuleOp
from xdsl.ir import Attribute

from tamale.backends.jit.compiler import find_compiler
from tamale.frontend.tensor import Tensor
from tamale.interpreters.assembled import tensor_from_blocks
from tamale.interpreters.memory import Memory, dtype_of
from tamale.interpreters.running import ResultType, Shape, function_named
from tamale.passes.levels import storage_kind

TO_LLVM = (
    "builtin.module(func.func(llvm-request-c-wrappers),expand-realloc,convert-scf-to-cf,mem2reg,"
    "expand-strided-metadata,memref-expand,arith-expand,convert-complex-to-standard,"
    "convert-math-to-llvm,convert-complex-to-llvm,finalize-memref-to-llvm,convert-arith-to-llvm,"
    "convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)"
)
"""From func, scf, arith, memref to LLVM's dialect."""

VERSIONS = ("", *(f"-{version}" for version in range(30, 17, -1)))
NAMES = {"mlir-opt": ("mlir-opt",), "mlir-runner": ("mlir-runner", "mlir-cpu-runner")}
"""Tool -> what releases of LLVM call it, the newest first."""


def find_tool(name: str) -> str | None:
    """The path of a tool of MLIR under any of its names, the newest version first."""
    spelt = [f"{known}{version}" for version in VERSIONS for known in NAMES.get(name, (name,))]
    return next(filter(None, map(shutil.which, spelt)), None)


def run_tool(name: str, *arguments: str, text: str) -> str:
    """What a tool makes of `text`; what it says where it refuses is an AssertionError."""
    path = find_tool(name)
    assert path is not None, name
    run = subprocess.run([path, *arguments], input=text, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout


def to_llvm(text: str) -> str:
    """A module after LLVM's passes."""
    return run_tool("mlir-opt", f"--pass-pipeline={TO_LLVM}", text=text)


class Descriptor(ctypes.Structure):
    """What MLIR hands over for a memref of one dimension."""

    _fields_ = (
        ("allocated", ctypes.c_void_p),
        ("aligned", ctypes.c_void_p),
        ("offset", ctypes.c_int64),
        ("size", ctypes.c_int64),
        ("stride", ctypes.c_int64),
    )

    allocated: int
    aligned: int
    size: int

    @classmethod
    def of(cls, array: NDArray[Any]) -> Descriptor:
        """The memref of an array, which the caller keeps alive."""
        place = array.ctypes.data
        return cls(place, place, 0, array.size, 1)

    def taken(self, dtype: np.dtype[Any]) -> NDArray[Any]:
        """A copy of a block that the function allocated; the block is freed."""
        values = np.frombuffer(ctypes.string_at(self.aligned, self.size * dtype.itemsize), dtype)
        libc = ctypes.CDLL(None)
        libc.free.argtypes = [ctypes.c_void_p]
        libc.free(self.allocated)
        return values


class MlirKernel:
    """The function of a module in the last form, compiled by LLVM alone."""

    def __init__(self, module: ModuleOp, folder: Path) -> None:
        self._function = function_named(module, None)
        self._name = self._function.sym_name.data
        entry = func.FuncOp("run_nothing", ((), ()))
        entry.body.block.add_op(func.ReturnOp())
        module.body.block.add_op(entry)  # The runner compiles in order to run something.
        library = _compiled(to_llvm(str(module)), entry.sym_name.data, folder)
        self._library = ctypes.CDLL(str(library))

    def __call__(self, operands: Sequence[Tensor], result: ResultType, shape: Shape) -> Tensor:
        """Runs the function on operands of the right formats."""
        inputs, outputs = self._function.function_type.inputs, self._function.function_type.outputs
        arguments = [value for operand in operands for value in _arguments(operand)]
        if len(inputs) > len(arguments):  # A function that only converts gets no sizes.
            arguments += shape
        values = np.zeros(prod(shape), result.dtype)
        if len(inputs) > len(arguments):
            arguments.append(values)
        assert len(arguments) == len(inputs)
        blocks = (Descriptor * len(outputs))()
        passed = [ctypes.byref(blocks)] if outputs.data else []
        native = getattr(self._library, f"_mlir_ciface_{self._name}")
        native(*passed, *(_c_value(a, t) for a, t in zip(arguments, inputs, strict=True)))
        if not outputs.data:
            return Tensor(result.format, shape, [{} for _ in result.format.levels], values)
        arrays = [
            block.taken(element_type(type)) for block, type in zip(blocks, outputs, strict=True)
        ]
        memories = (Memory(array, "a result", constant=True) for array in arrays)
        return tensor_from_blocks(result.format, shape, memories)


def _compiled(llvm: str, entry: str, folder: Path) -> Path:
    """A shared library of a module in LLVM's dialect."""
    made, library = folder / "kernel.o", folder / "kernel.so"
    asked = ("--dump-object-file", f"--object-filename={made}", "-O2")
    run_tool("mlir-runner", "-e", entry, "-entry-point-result=void", *asked, text=llvm)
    link = [*find_compiler().command, "-shared", "-w", "-o", str(library), str(made)]
    subprocess.run(link, check=True, capture_output=True)
    return library


def _arguments(operand: Tensor) -> Iterator[Any]:
    """Sizes, level arrays and values of an operand, in the order of the C interface."""
    yield from operand.shape
    for level, arrays in zip(operand.format.levels, operand.levels, strict=True):
        yield from (arrays[name] for name in storage_kind(level.kind).arrays)
    yield operand.vals


def element_type(memref: Attribute) -> np.dtype[Any]:
    """What the elements of a memref are."""
    return dtype_of(cast("MemRefType[Attribute]", memref).element_type)


def _c_value(value: Any, type: Attribute) -> Any:
    """An argument as C passes it."""
    if isinstance(type, IndexType):
        return ctypes.c_int64(value)
    assert value.dtype == element_type(type)
    return ctypes.byref(Descriptor.of(value))
