"""Kernels: compiled once, kept on disk, called with tensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tamale.backends.jit.build import Build, build
from tamale.backends.jit.library import NativeKernel, adopt, check_status, ffi, load, pointer
from tamale.dialects.errors import KernelError
from tamale.frontend.dtypes import C_TYPES, INDEX_TYPES
from tamale.frontend.interop import from_numpy, tensor
from tamale.frontend.request import Operand, Request
from tamale.frontend.tensor import LevelArrays, Tensor
from tamale.passes.levels import storage_kind
from tamale.passes.levels.functions import StoredLevel

if TYPE_CHECKING:
    from tamale.frontend.stages import Stages


@dataclass(frozen=True)
class Kernel:
    """
    A compiled statement.

    Call it with its operands by name: tensors, NumPy arrays, SciPy arrays or numbers. The result
    is a NumPy array where its format is dense, else a `Tensor`.
    """

    request: Request

    def __repr__(self) -> str:
        return f"Kernel({self.request.source!r})"

    # What it is made of

    @cached_property
    def stages(self) -> Stages:
        """The kernel at every level of the compiler."""
        from tamale.frontend.stages import Stages

        return Stages(self.request)

    @property
    def tin(self) -> str:
        """What is computed."""
        return self.stages.text("tin")

    @property
    def cin(self) -> str:
        """In which loops."""
        return self.stages.text("cin")

    @property
    def ocin(self) -> str:
        """What is iterated and what located."""
        return self.stages.text("ocin")

    @property
    def cfir(self) -> str:
        """With which cases."""
        return self.stages.text("cfir")

    @property
    def mlir(self) -> str:
        """The last form: upstream MLIR."""
        return self.stages.text("mlir")

    @property
    def cpp(self) -> str:
        """The C++ that is compiled."""
        return self.stages.cpp

    def explain(self) -> str:
        """Why this loop order, what is iterated, what located, how the result is assembled."""
        return self.stages.explain()

    # Calls

    @cached_property
    def native(self) -> NativeKernel:
        """The loaded function; compiles it if no cache has it."""
        built = build(
            self.request.key_parts, lambda: Build(self.cpp, {"source": self.request.source})
        )
        return load(built.library, self.request.name, self._parameters())

    def _parameters(self) -> list[str]:
        """The C types of the arguments, in the documented order."""
        parameters: list[str] = []
        for operand in self.request.operands:
            parameters += _array_types(operand.format, operand.dtype, "const {} *")
        result = self.request.result_format
        out = "{} *" if result.all_dense else "{} **"
        return parameters + _array_types(result, self.request.dtype, out)

    @cached_property
    def _plan(self) -> _Plan:
        """All that a call needs, looked up once."""
        return _Plan(self)

    def __call__(
        self, *, out: Any = None, shape: Sequence[int] | None = None, **operands: Any
    ) -> Any:
        """
        Computes the result.

        Args:
            out: a NumPy array to write a dense result into, instead of a new one.
            shape: the result's dimension sizes; needed only for index variables that no operand
            has. operands: every tensor on the right of the statement by its name.

        Raises:
            KernelError: an operand is missing, unknown, or of the wrong type, order or size, or the
                kernel ran out of memory.
            FormatError: an operand's arrays break the promises of its format.
        """
        return self._plan.run(operands, out, shape)


def _array_types(format: Any, dtype: str, pattern: str) -> list[str]:
    """`int64_t` per mode, the level arrays and the values of one tensor."""
    types = ["int64_t"] * format.order
    for level in format.levels:
        for array in storage_kind(level.kind).arrays:
            width = INDEX_TYPES[format.pos if array == "pos" else format.crd]
            types.append(pattern.format(f"{width}_t"))
    return [*types, pattern.format(C_TYPES[dtype])]


class _Plan:
    """The path of a call, with everything that does not depend on the operands done before."""

    def __init__(self, kernel: Kernel) -> None:
        request = kernel.request
        self.request, self.native = request, kernel.native
        self.call = kernel.native.call
        self.operands = [(o, np.dtype(o.dtype)) for o in request.operands]
        self.extra_uses = [
            use for use in request.uses if all(use.indices != o.indices for o in request.operands
                                               if o.name == use.tensor)
        ]
        self.format, self.dtype = request.result_format, np.dtype(request.dtype)
        self.result_type = f"{C_TYPES[request.dtype]} *"

    def run(self, given: Mapping[str, Any], out: Any, shape: Sequence[int] | None) -> Any:
        sizes: dict[str, tuple[int, str]] = {}
        arguments: list[Any] = []
        keep: list[Tensor] = []
        for operand, dtype in self.operands:
            if operand.name not in given:
                raise self._missing(operand.name)
            value = given[operand.name]
            if not (
                type(value) is Tensor and value.format is operand.format and value.dtype is dtype
            ):
                value = self._adapted(operand, dtype, value)
            keep.append(value)
            self._meet(operand.indices, value.shape, operand.name, sizes)
            arguments += value.arguments
        if len(given) != len(self.operands):
            self._refuse_strangers(given)
        for use in self.extra_uses:
            self._meet(use.indices, keep[self._index(use.tensor)].shape, use.tensor, sizes)
        dims = self._result_shape(sizes, shape, out)
        if self.format.all_dense:
            return self._run_dense(arguments, dims, out)
        return self._run_sparse(arguments, dims)

    # Operands

    def _index(self, name: str) -> int:
        return next(k for k, (operand, _) in enumerate(self.operands) if operand.name == name)

    def _meet(
        self,
        indices: Sequence[str],
        shape: Sequence[int],
        name: str,
        sizes: dict[str, tuple[int, str]],
    ) -> None:
        """The sizes of index variables, which must agree wherever they meet."""
        for variable, size in zip(indices, shape, strict=True):
            known, who = sizes.setdefault(variable, (size, name))
            if known != size:
                raise KernelError(
                    f"kernel: '{variable}' has size {known} in {who} and {size} in {name}, in  "
                    f"{self.request.source}"
                )

    def _adapted(self, operand: Operand, dtype: np.dtype[Any], value: Any) -> Tensor:
        """The operand in the storage that the kernel was compiled for."""
        if not isinstance(value, Tensor):
            if operand.format.all_dense and not hasattr(value, "tocoo"):
                value = self._dense(operand, dtype, value)
            else:
                value = tensor(value)
        if value.order != operand.format.order:
            raise KernelError(
                f"kernel: {operand.name} has order {value.order}, but is used with order "
                f"{operand.format.order} in  {self.request.source}"
            )
        if value.dtype != dtype:
            value = self._cast(operand, dtype, value)
        return value if value.format == operand.format else value.to_format(operand.format)

    def _dense(self, operand: Operand, dtype: np.dtype[Any], value: Any) -> Tensor:
        array = np.asarray(value)
        if array.ndim != operand.format.order:
            raise KernelError(
                f"kernel: {operand.name} has order {array.ndim}, but is used with order "
                f"{operand.format.order} in  {self.request.source}"
            )
        if array.dtype != dtype and np.can_cast(array.dtype, dtype, "safe"):
            array = array.astype(dtype)
        return from_numpy(array, operand.format)

    def _cast(self, operand: Operand, dtype: np.dtype[Any], value: Tensor) -> Tensor:
        if not np.can_cast(value.dtype, dtype, "safe"):
            raise KernelError(
                f"kernel: {operand.name} holds {value.dtype}, but the kernel was compiled for "
                f"{dtype}, in  {self.request.source}"
            )
        return Tensor(value.format, value.shape, value.levels, value.vals.astype(dtype))

    def _missing(self, name: str) -> KernelError:
        return KernelError(f"kernel: operand {name} of  {self.request.source}  is missing")

    def _refuse_strangers(self, given: Mapping[str, Any]) -> None:
        known = [operand.name for operand, _ in self.operands]
        strangers = [name for name in given if name not in known]
        if strangers:
            raise KernelError(
                f"kernel: {', '.join(strangers)} names no operand of  {self.request.source}; "
                f"its operands are {', '.join(known)}"
            )

    # Results

    def _result_shape(
        self, sizes: Mapping[str, tuple[int, str]], shape: Sequence[int] | None, out: Any
    ) -> tuple[int, ...]:
        indices = self.request.result.indices
        given = shape if shape is not None else getattr(out, "shape", None)
        if given is not None and len(given) != len(indices):
            raise KernelError(
                f"kernel: the result of  {self.request.source}  has order {len(indices)}, not "
                f"{len(given)}"
            )
        dims: list[int] = []
        for k, variable in enumerate(indices):
            known = sizes.get(variable, (given[k] if given is not None else None, "the result"))[0]
            if known is None:
                raise KernelError(
                    f"kernel: no operand of  {self.request.source}  tells the size of "
                    f"'{variable}'\n"
                    "  help: pass shape="
                )
            if given is not None and given[k] != known:
                raise KernelError(
                    f"kernel: '{variable}' has size {known} in {sizes[variable][1]} and "
                    f"{given[k]} in the "
                    f"result, in  {self.request.source}"
                )
            dims.append(known)
        return tuple(dims)

    def _run_dense(self, arguments: list[Any], dims: tuple[int, ...], out: Any) -> Any:
        order = self.format.mode_order
        if out is None:
            stored = np.empty([dims[mode] for mode in order], dtype=self.dtype)
            result = stored.transpose([order.index(mode) for mode in range(len(order))])
        else:
            result, stored = out, self._writable(out, order)
        status = self.call(*arguments, *dims, pointer(stored, self.result_type, writable=True))
        if status:
            check_status(status, self.request.source)
        return result if order else result[()]

    def _writable(self, out: Any, order: Sequence[int]) -> Any:
        """`out` in storage order, if the kernel can write straight into it."""
        if not isinstance(out, np.ndarray) or out.dtype != self.dtype:
            raise KernelError(f"kernel: out must be a NumPy array of {self.dtype}")
        stored = out.transpose(order)
        if not stored.flags.c_contiguous or not stored.flags.writeable:
            raise KernelError(
                "kernel: out must be writable and contiguous in the order of its format"
            )
        return stored

    def _run_sparse(self, arguments: list[Any], dims: tuple[int, ...]) -> Tensor:
        outs = [ffi.new(ctype + "*") for ctype in self._out_types()]
        check_status(self.call(*arguments, *dims, *outs), self.request.source)
        return self._collect([out[0] for out in outs], dims)

    def _out_types(self) -> list[str]:
        return _array_types(self.format, self.request.dtype, "{} *")[self.format.order :]

    def _collect(self, pointers: list[Any], dims: tuple[int, ...]) -> Tensor:
        """The arrays that the kernel made, each as long as the one above it says."""
        assert self.native.free is not None
        levels: list[LevelArrays] = []
        remaining, positions = iter(pointers), 1
        for k, level in enumerate(self.format.levels):
            kind = storage_kind(level.kind)
            arrays: dict[str, Any] = {}
            size = dims[self.format.mode_order[k]]
            below = positions
            for name in kind.arrays:
                length = positions + 1 if kind.extents[name] == "edges" else below
                width = self.format.pos if name == "pos" else self.format.crd
                dtype = np.dtype(INDEX_TYPES[width])
                arrays[name] = adopt(next(remaining), length, dtype, self.native.free)
                partial = StoredLevel(arrays, size, self.format.properties(k), "")
                if kind.extents[name] == "edges":
                    below = kind.count(partial, positions)
            levels.append(arrays)
            stored = StoredLevel(arrays, size, self.format.properties(k), "")
            positions = kind.count(stored, positions)
        vals = adopt(next(remaining), positions, self.dtype, self.native.free)
        return Tensor(self.format, dims, levels, vals)
