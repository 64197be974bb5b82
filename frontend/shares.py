"""Which part of a kernel's loops each worker gets on given tensors, and how much work that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp

from tamale.backends.cpp.printer import print_cpp
from tamale.backends.jit.build import Build, build
from tamale.backends.jit.library import NativeKernel, check_status, pointer
from tamale.backends.jit.native import loaded
from tamale.dialects import cfir
from tamale.dialects.cin.partition import Partition
from tamale.frontend.calling import CallPlan
from tamale.frontend.kernel import Kernel
from tamale.frontend.request import Request
from tamale.frontend.stages import Stages
from tamale.passes.lowering.places import search_places
from tamale.passes.lowering.returned import is_returned
from tamale.passes.pipeline import Pipeline


@dataclass(frozen=True)
class Share:
    """What one worker gets."""

    begin: tuple[int, ...]
    """Where it begins: a coordinate for each loop, as far as the place lies inside of them."""
    work: int
    """How many coordinates its loops visit."""


@dataclass(frozen=True)
class Shares:
    """The shares of all workers of a kernel."""

    partition: Partition
    shares: tuple[Share, ...]

    def lines(self) -> list[str]:
        """A table, a line for each worker."""
        begins = [self._place(share) for share in self.shares]
        width = max(map(len, ["begins at", *begins]))
        rows = zip(begins, self.shares, strict=True)
        return [
            f"worker  {'begins at':{width}}  work",
            *(f"{k + 1:6}  {text:{width}}  {s.work:4}" for k, (text, s) in enumerate(rows)),
        ]

    def _place(self, share: Share) -> str:
        named = zip(self.partition.variables, share.begin, strict=False)
        return ", ".join(f"{variable} = {coordinate}" for variable, coordinate in named)


class SearchPlan(CallPlan):
    """A call of a search for places: it writes no result, and gets no room for one."""

    def _run_dense(
        self, arguments: list[Any], dims: tuple[Any, ...], out: Any, values: Sequence[Any]
    ) -> Any:
        nowhere = np.empty(1, self.dtype)
        check_status(self.call(*arguments, *dims, self.result_address(nowhere)), "places")


class Sharing:
    """The search for the places of a kernel's workers, compiled."""

    def __init__(self, request: Request, partition: Partition) -> None:
        self.partition, self._request = partition, request
        self._table = np.zeros((partition.parts + 1, 2 * len(partition.loops)), np.int64)
        built = build(
            (*request.key_parts, "places"),
            lambda: Build(_source(request), {"source": request.source}),
        )
        parameters = ["int64_t *", *Kernel(request).parameters()]
        native = loaded(built, request.name, parameters)
        places = pointer(self._table, "int64_t *", writable=True)

        def search(*arguments: Any) -> int:
            return native.call(places, *arguments)

        self._plan = SearchPlan(request, NativeKernel(native.name, search, native.free))

    def shares(self, operands: Mapping[str, Any], shape: Sequence[int] | None = None) -> Shares:
        """
        The shares on these operands.

        Raises:
            KernelError: the operands do not fit the kernel.
        """
        self._plan.run(operands, None, shape)
        work = np.diff(self._table[:, -1]).tolist()
        rows = zip(self._table[:-1].tolist(), work, strict=True)
        loops = len(self.partition.loops)
        return Shares(self.partition, tuple(_share(row, loops, own) for row, own in rows))


def _share(row: Sequence[int], loops: int, work: int) -> Share:
    flags = row[loops : 2 * loops - 1]
    depth = flags.index(0) + 1 if 0 in flags else loops
    return Share(tuple(row[:depth]), work)


def sharing_of(request: Request) -> Sharing | None:
    """How the kernel of a request is shared; None if it is serial."""
    found = _partitioned(Stages(request).module("cfir"))
    if found is None or found.partition is None:
        return None
    return Sharing(request, found.partition.data)


def _partitioned(module: ModuleOp) -> cfir.KernelOp | None:
    """The kernel that gives the result, if it is partitioned."""
    for op in module.walk():
        if isinstance(op, cfir.KernelOp) and op.partition is not None and is_returned(op.result):
            return op
    return None


def _source(request: Request) -> str:
    module = Stages(request).module("cfir")
    kernel = _partitioned(module)
    assert kernel is not None
    function = kernel.parent_op()
    assert isinstance(function, func.FuncOp)
    search_places(kernel, function)
    Pipeline("lower-lattices,lower-assembly,lower-levels,simplify").run(module, verify=False)
    return print_cpp(module)
