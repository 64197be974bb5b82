"""cin: a forall comes to every coordinate of its set, in ascending order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Any

from xdsl.interpreter import Interpreter, PythonValues, impl, register_impls
from xdsl.ir import Operation

from tamale.dialects import cin
from tamale.dialects.cin.kernel_like import KernelLike
from tamale.dialects.cin.sets import Complement, Stored, leaves
from tamale.dialects.notation.ast import Assignment
from tamale.interpreters.memory import InterpretationFailure
from tamale.interpreters.nests import Nest
from tamale.interpreters.runtime import TensorFunctions, stored
from tamale.interpreters.sets import members, opened
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
        variable = op.index_var.data
        domain = opened(op.domain.data, variable, partial(self._is_exact, variable))
        reached = list(chain(leaves(op.domain.data), op.located_leaves))
        for coordinate in members(domain, variable, self.place):
            with self.at(variable, coordinate, reached):
                for _ in self._entries(op):
                    self.visit(variable)
                    self.run_block(op.body.block)

    def _is_exact(self, variable: str, complement: Complement) -> bool:
        """
        Whether what is in the complement will be absent inside, too: every operand that it is of
        has come to its last level. Before, a coordinate that is there may still lack entries.
        """
        known = {*self.place.coordinates, variable}
        operands = (self.place.operands.get(leaf.access) for leaf in leaves(complement))
        return all(operand is None or known >= {*operand.variables} for operand in operands)

    def _entries(self, op: cin.ForallOp) -> Iterator[None]:
        """Once; if the loop is over the last level of one tensor, once for each duplicate."""
        leaf = op.domain.data
        operand = self.place.operands.get(leaf.access) if isinstance(leaf, Stored) else None
        last = operand is not None and operand.variables[-1] == op.index_var.data
        if operand is None or not last or not {*operand.variables} <= {*self.place.coordinates}:
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
