"""The path of a call, with everything that does not depend on the operands done before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from tamale.backends.jit.library import NativeKernel, address_of, check_status, ffi
from tamale.dialects.errors import KernelError
from tamale.dialects.format.morton import check_codes
from tamale.dialects.format.overflow import check_extents
from tamale.dialects.format.spec import Format
from tamale.frontend.adapting import adapted
from tamale.frontend.dtypes import C_TYPES, is_array
from tamale.frontend.request import Operand, Request
from tamale.frontend.results import collect
from tamale.frontend.signature import array_types
from tamale.frontend.tensor import Tensor


def is_in_order(format: Format) -> bool:
    """Whether this is a dense array with its first mode outermost."""
    return format.all_dense and format.mode_order == tuple(range(format.order))


class OperandPlan:
    """What a call does with one operand."""

    def __init__(self, request: Request, operand: Operand, variables: Sequence[str]) -> None:
        self.operand, self.name, self.format = operand, operand.name, operand.format
        self.dtype, self.order = np.dtype(operand.dtype), operand.format.order
        self.address = address_of(f"const {C_TYPES[operand.dtype]} *")
        self.plain = is_in_order(operand.format)
        uses = [use for use in request.uses if use.tensor == operand.name]
        self.slots = [[variables.index(v) for v in use.indices] for use in uses]
        """Per use: the index variables that its modes give sizes to."""


class CallPlan:
    """Calls one native kernel."""

    def __init__(self, request: Request, native: NativeKernel) -> None:
        self.request, self.native, self.call = request, native, native.call
        self.variables = list(
            dict.fromkeys(v for use in (request.result, *request.uses) for v in use.indices)
        )
        self.operands = [OperandPlan(request, o, self.variables) for o in request.operands]
        self.format, self.dtype = request.result_format, np.dtype(request.dtype)
        self.result_address = address_of(f"{C_TYPES[request.dtype]} *")
        self.result_slots = [self.variables.index(v) for v in request.result.indices]
        self.dense, self.in_order = self.format.all_dense, is_in_order(self.format)
        self.mode_order = self.format.mode_order if self.dense else ()
        pointers = array_types(self.format, request.dtype, "{} *")[self.format.order :]
        self.out_types = [ffi.typeof(f"{pointer}*") for pointer in pointers]

    def run(self, given: Mapping[str, Any], out: Any, shape: Sequence[int] | None) -> Any:
        """Checks the operands, calls the kernel, and wraps its result."""
        sizes: list[int | None] = [None] * len(self.variables)
        arguments: list[Any] = []
        for plan in self.operands:
            value = given.get(plan.name)
            if (
                type(value) is Tensor
                and (value.format is plan.format or value.format == plan.format)
                and value.dtype is plan.dtype
            ):
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
            for slots in plan.slots:
                for slot, size in zip(slots, value.shape, strict=True):
                    if sizes[slot] is None:
                        sizes[slot] = size
                    elif sizes[slot] != size:
                        raise self._clash(slot, given)
        if len(given) != len(self.operands):
            raise self._strangers(given)
        dims = tuple([sizes[slot] for slot in self.result_slots])
        if shape is not None or None in sizes or getattr(out, "shape", dims) != dims:
            self._settle_sizes(sizes, shape, out)
            dims = tuple([sizes[slot] for slot in self.result_slots])
        if self.dense:
            return self._run_dense(arguments, dims, out, given)
        return self._run_sparse(arguments, dims)

    # Operands

    def _adapted(self, plan: OperandPlan, given: Mapping[str, Any]) -> Tensor:
        if plan.name not in given:
            raise KernelError(f"kernel: operand {plan.name} of  {self.request.source}  is missing")
        return adapted(plan.operand, given[plan.name], self.request.source)

    def _clash(self, slot: int, given: Mapping[str, Any]) -> KernelError:
        """Two modes that disagree about the size of an index variable."""
        variable = self.variables[slot]
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

    def _settle_sizes(self, sizes: list[int | None], shape: Sequence[int] | None, out: Any) -> None:
        """Sizes that only the result tells, and agreement with the ones that operands tell."""
        source, indices = self.request.source, self.request.result.indices
        given = shape if shape is not None else getattr(out, "shape", None)
        if given is not None and len(given) != len(indices):
            raise KernelError(
                f"kernel: the result of  {source}  has order {len(indices)}, not {len(given)}"
            )
        for k, slot in enumerate(self.result_slots):
            if given is None and sizes[slot] is None:
                raise KernelError(
                    f"kernel: no operand of  {source}  tells the size of '{indices[k]}'\n"
                    "  help: pass shape="
                )
            if given is not None and sizes[slot] not in (None, given[k]):
                first = indices.index(indices[k])
                where = "the operands" if first == k else f"mode {first + 1} of the result"
                here = "the result" if first == k else f"mode {k + 1} of it"
                raise KernelError(
                    f"kernel: '{indices[k]}' has size {sizes[slot]} in {where} and {given[k]} "
                    f"in {here}, in  {source}"
                )
            if given is not None:
                sizes[slot] = int(given[k])
        if any(size is not None and size < 0 for size in sizes):
            raise KernelError(f"kernel: a size in {given} is negative")

    def _run_dense(
        self, arguments: list[Any], dims: tuple[Any, ...], out: Any, given: Mapping[str, Any]
    ) -> Any:
        if out is not None:
            stored = self._writable(out, given)
        elif self.in_order:
            out = stored = np.empty(dims, self.dtype)
        else:
            stored = np.empty([dims[mode] for mode in self.mode_order], self.dtype)
            out = stored.transpose([self.mode_order.index(mode) for mode in range(len(dims))])
        status = self.call(*arguments, *dims, self.result_address(stored))
        if status:
            check_status(status, self.request.source)
        return out if dims else out[()]

    def _writable(self, out: Any, given: Mapping[str, Any]) -> Any:
        """`out` in storage order, if the kernel can write straight into it."""
        if not is_array(out) or out.dtype != self.dtype:
            raise KernelError(f"kernel: out must be a NumPy array of {self.dtype}")
        stored = out if self.in_order else out.transpose(self.mode_order)
        if not stored.flags.c_contiguous or not stored.flags.writeable:
            raise KernelError(
                "kernel: out must be writable and contiguous in the order of its format"
            )
        for name, value in given.items():
            vals = value.vals if isinstance(value, Tensor) else value
            if is_array(vals) and np.may_share_memory(out, vals):
                raise KernelError(f"kernel: out shares memory with operand {name}")
        return stored

    def _run_sparse(self, arguments: list[Any], dims: tuple[Any, ...]) -> Tensor:
        check_codes(self.format, dims)
        check_extents(self.format, dims)
        outs: list[Any] = [ffi.new(ctype) for ctype in self.out_types]
        check_status(self.call(*arguments, *dims, *outs), self.request.source)
        free = self.native.free
        assert free is not None
        return collect(self.format, dims, self.dtype, iter(o[0] for o in outs), free)
