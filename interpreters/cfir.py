"""cfir, its structured half: a lattice comes to every coordinate that a merge would look at."""

from __future__ import annotations

from typing import Any

from xdsl.interpreter import Interpreter, PythonValues, impl, register_impls
from xdsl.ir import Block, Operation

from tamale.dialects import cfir
from tamale.dialects.cin.kernel_like import KernelLike
from tamale.dialects.cin.sets import Stored, leaves
from tamale.dialects.notation.ast import Assignment
from tamale.interpreters.memory import InterpretationFailure
from tamale.interpreters.nests import Nest
from tamale.interpreters.runtime import TensorFunctions, stored
from tamale.interpreters.sets import members, opened
from tamale.interpreters.stored import StoredTensor


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
        nest = LatticeNest(interpreter, op, [stored(arg, op.name) for arg in args], self.shape)
        return (StoredTensor(nest.run()),)
