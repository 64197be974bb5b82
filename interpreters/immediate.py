"""
Code that runs as soon as it has been emitted.

What a level kind means by a level function is IR that it emits. Here that IR goes into a block of
its own and is run at once, in an environment that stays: values emitted for one level function can
be used by later ones, as in the straight-line code of `lower-levels`.
"""

from __future__ import annotations

from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.interpreter import Interpreter
from xdsl.ir import Attribute, Block, SSAValue
from xdsl.rewriter import InsertPoint

from tamale.interpreters.memory import plain, scalar
from tamale.interpreters.upstream import upstream_functions
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter


class Immediate:
    """An emitter, and what its code has computed so far."""

    def __init__(self) -> None:
        self._block = Block()
        self.emit = Emitter(InsertPoint.at_end(self._block), self._block)
        self._interpreter = Interpreter(ModuleOp([]))
        for functions in upstream_functions():
            self._interpreter.register_implementations(functions)

    def value(self, runtime: Any, type: Attribute) -> SSAValue:
        """A value for emitted code to use."""
        argument = Block(arg_types=[type]).args[0]
        self._interpreter.set_values([(argument, runtime)])
        return argument

    def index(self, number: int) -> SSAValue:
        """A position or coordinate for emitted code to use."""
        return self.value(scalar(number, INDEX), INDEX)

    def run(self, *results: SSAValue) -> list[Any]:
        """Runs what was emitted since the last time; gives values that code has computed."""
        for op in list(self._block.ops):
            inputs = self._interpreter.get_values(op.operands)
            outputs = self._interpreter.run_op(op, inputs)
            self._interpreter.set_values(zip(op.results, outputs, strict=True))
            op.detach()
        return list(self._interpreter.get_values(results))

    def numbers(self, *results: SSAValue) -> list[int]:
        """As `run`, with plain numbers."""
        return [plain(value) for value in self.run(*results)]
