"""The path of a call, with everything that does not depend on the operands done before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tamale.backends.jit.library import NativeKernel, address_of, check_status
from tamale.dialects.errors import KernelError
from tamale.dialects.format.spec import Format
from tamale.frontend.adapting import adapted
from tamale.frontend.arguments import empty_array, shape_of
from tamale.frontend.dtypes import C_TYPES, is_array
from tamale.frontend.request import Operand, Request
from tamale.frontend.results import ResultPlan
from tamale.frontend.storage import tensor_type
from tamale.frontend.tensor import Tensor


def is_in_order(format: Format) -> bool:
    """Whether this is a dense array with its first mode outermost."""
    return format.all_dense and format.mode_order == tuple(range(format.order))


class OperandPlan:
    """What a call does with one operand."""

    def __init__(self, operand: Operand) -> None:
        self.operand, self.name, self.format = operand, operand.name, operand.format
        self.dtype, self.order = np.dtype(operand.dtype), operand.format.order
        self.type = tensor_type(operand.format, self.dtype)
        self.address = address_of(f"const {C_TYPES[operand.dtype]} *")
        self.plain = is_in_order(operand.format)


class SizePlan:
    """Where index variables get their sizes from: places in the operands' shapes, end to end."""

    def __init__(self, request: Request) -> None:
        starts, end = dict[str, int](), 0
        for operand in request.operands:
            starts[operand.name] = end
            end += operand.format.order
        places: dict[str, list[int]] = {}
        for use in request.uses:
            for mode, index in enumerate(use.indices):
                places.setdefault(index, []).append(starts[use.tensor] + mode)
        self.equal = [
            (index, first, other)
            for index, (first, *others) in places.items()
            for other in sorted({*others} - {first})
        ]
        """An index variable and two places that have to agree about its size."""
        indices = request.result.indices
        self.result = [places[index][0] for index in indices if index in places]
        """The places of the result's sizes, if operands tell all of them."""
        self.result_told = len(self.result) == len(indices)
        self.told = {index: found[0] for index, found in places.items()}


class CallPlan:
    """Calls one native kernel."""

    def __init__(self, request: Request, native: NativeKernel) -> None:
        self.request, self.native, self.call = request, native, native.call
        self.operands = [OperandPlan(operand) for operand in request.operands]
        self.sizes = SizePlan(request)
        self.format, self.dtype = request.result_format, np.dtype(request.dtype)
        self.result_address = address_of(f"{C_TYPES[request.dtype]} *")
        self.dense, self.in_order = self.format.all_dense, is_in_order(self.format)
        self.mode_order = self.format.mode_order if self.dense else ()
        free = native.free
        self.result = None if free is None else ResultPlan(self.format, self.dtype, free)

    def run(self, given: Mapping[str, Any], out: Any, shape: Sequence[int] | None) -> Any:
        """Checks the operands, calls the kernel, and wraps its result."""
        sizes: list[int] = []
        arguments: list[Any] = []
        values: list[Any] = []
        for plan in self.operands:
            value = given.get(plan.name)
            if type(value) is Tensor and value.type is plan.type:
                arguments += value.arguments
            elif (
                plan.plain
                and type(value) is np.ndarray
                and value.dtype is plan.dtype
                and value.ndim == plan.order
                and value.flags.c_contiguous
            ):
                arguments += value.shape
                arguments.append(plan.address(value))
            else:
                value = self._adapted(plan, given)
                arguments += value.arguments
            sizes += value.shape
            values.append(value)
        for index, first, other in self.sizes.equal:
            if sizes[first] != sizes[other]:
                raise self._clash(index, given)
        if len(given) != len(self.operands):
            raise self._strangers(given)
        dims = tuple([sizes[place] for place in self.sizes.result])
        as_told = shape is None and self.sizes.result_told
        if not as_told or (out is not None and getattr(out, "shape", dims) != dims):
            given_shape = None if shape is None else shape_of(shape, "kernel")
            dims = self._settled(sizes, given_shape, out)
        if self.dense:
            return self._run_dense(arguments, dims, out, values)
        if out is not None:
            raise KernelError(
                f"kernel: the result of  {self.request.source}  is sparse; out= is for dense ones\n"
                "  help: leave out= away, and take the tensor that the call returns"
            )
        return self._run_sparse(arguments, dims)

    # Operands

    def _adapted(self, plan: OperandPlan, given: Mapping[str, Any]) -> Tensor:
        if plan.name not in given:
            raise KernelError(f"kernel: operand {plan.name} of  {self.request.source}  is missing")
        return adapted(plan.operand, given[plan.name], self.request.source)

    def _clash(self, variable: str, given: Mapping[str, Any]) -> KernelError:
        """Two modes that disagree about the size of an index variable."""
        found: dict[int, str] = {}
        for use in self.request.uses:
            repeats = use.indices.count(variable) > 1
            for mode, index in enumerate(use.indices):
                if index == variable and use.tensor in given:
                    where = f"mode {mode + 1} of {use.tensor}" if repeats else use.tensor
                    found.setdefault(np.shape(given[use.tensor])[mode], where)
        facts = " and ".join(f"{size} in {name}" for size, name in found.items())
        return KernelError(f"kernel: '{variable}' has size {facts}, in  {self.request.source}")

    def _strangers(self, given: Mapping[str, Any]) -> KernelError:
        known = [plan.name for plan in self.operands]
        strangers = ", ".join(name for name in given if name not in known)
        return KernelError(
            f"kernel: {strangers} names no operand of  {self.request.source}; "
            f"its operands are {', '.join(known)}"
        )

    # Results

    def _settled(
        self, told: Sequence[int], shape: Sequence[int] | None, out: Any
    ) -> tuple[int, ...]:
        """The result's sizes, of which some only the result tells; operands agree with it."""
        source, indices = self.request.source, self.request.result.indices
        given = shape if shape is not None else getattr(out, "shape", None)
        if given is not None and len(given) != len(indices):
            raise KernelError(
                f"kernel: the result of  {source}  has order {len(indices)}, not {len(given)}"
            )
        sizes = {index: told[place] for index, place in self.sizes.told.items()}
        for k, index in enumerate(indices):
            if given is None and index not in sizes:
                raise KernelError(
                    f"kernel: no operand of  {source}  tells the size of '{index}'\n"
                    "  help: pass shape="
                )
            if given is not None and sizes.setdefault(index, given[k]) != given[k]:
                first = indices.index(index)
                where = "the operands" if first == k else f"mode {first + 1} of the result"
                here = "the result" if first == k else f"mode {k + 1} of it"
                raise KernelError(
                    f"kernel: '{index}' has size {sizes[index]} in {where} and {given[k]} "
                    f"in {here}, in  {source}"
                )
        return tuple(sizes[index] for index in indices)

    def _run_dense(
        self, arguments: list[Any], dims: tuple[Any, ...], out: Any, values: Sequence[Any]
    ) -> Any:
        if out is not None:
            stored = self._writable(out, values)
        elif self.in_order:
            out = stored = empty_array(dims, self.dtype, "kernel")
        else:
            shape = tuple(dims[mode] for mode in self.mode_order)
            stored = empty_array(shape, self.dtype, "kernel")
            out = stored.transpose([self.mode_order.index(mode) for mode in range(len(dims))])
        status = self.call(*arguments, *dims, self.result_address(stored))
        if status:
            check_status(status, self.request.source)
        return out if dims else out[()]

    def _writable(self, out: Any, values: Sequence[Any]) -> Any:
        """`out` in storage order, if the kernel can write straight into it."""
        if not is_array(out) or out.dtype != self.dtype:
            raise KernelError(f"kernel: out must be a NumPy array of {self.dtype}")
        stored = out if self.in_order else out.transpose(self.mode_order)
        if not stored.flags.c_contiguous or not stored.flags.writeable:
            raise KernelError(
                "kernel: out must be writable and contiguous in the order of its format"
            )
        for plan, value in zip(self.operands, values, strict=True):
            if np.may_share_memory(out, value.vals if isinstance(value, Tensor) else value):
                raise KernelError(f"kernel: out shares memory with operand {plan.name}")
        return stored

    def _run_sparse(self, arguments: list[Any], dims: tuple[Any, ...]) -> Tensor:
        result = self.result
        assert result is not None
        result.check(dims)
        places = result.places()
        status = self.call(*arguments, *dims, *places)
        if status:
            check_status(status, self.request.source)
        return result.collect(dims, places)
