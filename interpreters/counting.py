"""Counting what a run does, so that tests can hold it to a number of steps."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from xdsl.dialects import scf
from xdsl.interpreter import Interpreter, PythonValues
from xdsl.ir import Operation

LOADS = ("memref.load", "cfir.load")


@dataclass
class WorkCounter(Interpreter.Listener):
    """
    Counts ops by name, and visits by the name of the loop variable.

    A loop without a variable, `scf.while`, is called `while`. Values that statements of cin and of
    lattices read are loads, too.
    """

    ops: Counter[str] = field(default_factory=Counter[str])
    visits: Counter[str] = field(default_factory=Counter[str])
    reads: int = 0

    def will_interpret_op(self, op: Operation, args: PythonValues) -> None:
        self.ops[op.name] += 1
        if isinstance(op, scf.YieldOp):
            self._step(op)

    def _step(self, op: scf.YieldOp) -> None:
        match op.parent_op():
            case scf.ForOp() as loop:
                self.visits[loop.body.block.args[0].name_hint or "for"] += 1
            case scf.WhileOp():
                self.visits["while"] += 1
            case _:
                pass

    def visit(self, variable: str) -> None:
        """A loop of cin or a lattice comes to a coordinate."""
        self.visits[variable] += 1

    def read(self) -> None:
        """A statement reads a stored value."""
        self.reads += 1

    @property
    def loads(self) -> int:
        """How many values were loaded, from arrays or tensors."""
        return self.reads + sum(self.ops[name] for name in LOADS)

    @property
    def steps(self) -> int:
        """How many coordinates were visited, over all loops."""
        return sum(self.visits.values())


def work_counters(interpreter: Interpreter) -> list[WorkCounter]:
    """The counters among an interpreter's listeners."""
    return [one for one in interpreter.listeners if isinstance(one, WorkCounter)]
