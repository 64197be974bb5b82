"""cfir, its structured half: a lattice comes to every coordinate that a merge would look at."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.interpreter import Interpreter, PythonValues, impl, register_impls
from xdsl.ir import Block, Operation

from tamale.dialects import cfir
from tamale.dialects.cin.kernel_like import KernelLike
from tamale.dialects.cin.sets import Stored, leaves
from tamale.dialects.notation.ast import Assignment
from tamale.interpreters.assembled import AssembledTensor
from tamale.interpreters.memory import InterpretationFailure
from tamale.interpreters.nests import Nest
from tamale.interpreters.runtime import TensorFunctions, stored
from tamale.interpreters.sets import members, opened
from tamale.interpreters.stored import StoredTensor
from tamale.passes.levels import storage_kind


class LatticeNest(Nest):
    """One run of a `cfir.kernel`."""

    def statement_of(self, op: Operation) -> Assignment | None:
        return op.statement.data if isinstance(op, cfir.AssignOp | cfir.AppendOp) else None

    def is_located(self, kernel: KernelLike) -> bool:
        return True

    def run_loop(self, op: Operation) -> None:
        if not isinstance(op, cfir.LatticeOp):
            raise InterpretationFailure(f"interpret: {op.name} is no statement of cfir")
        variable = op.index_var.data
        for coordinate in members(opened(op.domain.data, variable), variable, self.place):
            self.visit(variable)
            case = self._case(op, coordinate)
            if case is None:
                continue
            walked, block = case
            with self.at(variable, coordinate, (*walked, *op.located_leaves)):
                self._run_case(walked, variable, block)

    def _case(self, op: cfir.LatticeOp, coordinate: int) -> tuple[tuple[Stored, ...], Block] | None:
        """The first case all of whose levels have the coordinate: its levels and its body."""
        for guard, region in zip(op.guards, op.cases, strict=True):
            walked = leaves(guard.data)
            if all(self.place.stores(leaf, coordinate) for leaf in walked):
                return walked, region.block
        return None

    def _run_case(self, walked: tuple[Stored, ...], variable: str, block: Block) -> None:
        """Once; if the case walks the last level of one tensor alone, once for each duplicate."""
        operand = self.place.operands.get(walked[0].access) if len(walked) == 1 else None
        if operand is None or operand.variables[-1] != variable:
            self.run_block(block)
            return
        name = operand.access.tensor
        for position in self.place.positions(operand, len(operand.variables)):
            self.place.duplicates[name] = [position]
            self.run_block(block)
            del self.place.duplicates[name]


@register_impls
class CfirFunctions(TensorFunctions):
    """Kernels of lattices on stored tensors."""

    @impl(cfir.KernelOp)
    def run_kernel(self, interpreter: Interpreter, op: cfir.KernelOp, args: PythonValues) -> Any:
        room, tensors = (None, args) if op.into is None else (args[0], args[1:])
        nest = LatticeNest(interpreter, op, [stored(arg, op.name) for arg in tensors], self.shape)
        result = StoredTensor(nest.run())
        if room is not None:
            check_room(room, result)
        return (result,)


def check_room(room: AssembledTensor, result: StoredTensor) -> None:
    """
    Compares what is filled in with what there is room for, level by level.

    Raises:
        InterpretationFailure: the counts were wrong.
    """
    for k, level in enumerate(result.format.levels):
        edges = [a for a, extent in storage_kind(level.kind).extents.items() if extent == "edges"]
        for array in edges:
            found = result.tensor.levels[k][array]
            counted = room.array(k, array).first(len(found))
            if not np.array_equal(found, counted):
                raise InterpretationFailure(
                    f"interpret: room was made for other entries of level {k}: {counted} are the "
                    f"edges that were counted, {found} those of what is filled in"
                )
