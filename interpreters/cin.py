"""cin: a forall comes to every coordinate of its set, in ascending order."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from xdsl.interpreter import Interpreter, PythonValues, impl, register_impls
from xdsl.ir import Operation

from tamale.dialects import cin
from tamale.dialects.cin.kernel_like import KernelLike
from tamale.dialects.cin.sets import Stored, leaves
from tamale.dialects.notation.ast import Assignment
from tamale.interpreters.memory import InterpretationFailure
from tamale.interpreters.nests import Nest
from tamale.interpreters.runtime import TensorFunctions, stored
from tamale.interpreters.sets import members
from tamale.interpreters.stored import StoredTensor


class ForallNest(Nest):
    """One run of a `cin.kernel`."""

    def statement_of(self, op: Operation) -> Assignment | None:
        return op.statement.data if isinstance(op, cin.AssignOp) else None

    def is_located(self, kernel: KernelLike) -> bool:
        return isinstance(kernel, cin.KernelOp) and kernel.optimised is not None

    def run_loop(self, op: Operation) -> None:
        if not isinstance(op, cin.ForallOp):
            raise InterpretationFailure(f"interpret: {op.name} is no statement of cin")
        variable, domain = op.index_var.data, op.domain.data
        reached = list(chain(leaves(domain), op.located_leaves))
        for coordinate in members(domain, variable, self.place):
            with self.at(variable, coordinate, reached):
                for _ in self._entries(op):
                    self.visit(variable)
                    self.run_block(op.body.block)

    def _entries(self, op: cin.ForallOp) -> Iterator[None]:
        """Once; if the loop is over the last level of one tensor, once for each duplicate."""
        leaf = op.domain.data
        operand = self.place.operands.get(leaf.access) if isinstance(leaf, Stored) else None
        if operand is None or operand.variables[-1] != op.index_var.data:
            yield
            return
        name = operand.access.tensor
        for position in self.place.positions(operand, len(operand.variables)):
            self.place.duplicates[name] = [position]
            yield
            del self.place.duplicates[name]


@register_impls
class CinFunctions(TensorFunctions):
    """Kernels of cin on stored tensors."""

    @impl(cin.KernelOp)
    def run_kernel(self, interpreter: Interpreter, op: cin.KernelOp, args: PythonValues) -> Any:
        nest = ForallNest(interpreter, op, [stored(arg, op.name) for arg in args], self.shape)
        return (StoredTensor(nest.run()),)
