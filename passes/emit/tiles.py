"""What loops over tiles of rows need: where whole tiles end, and room for one."""

from __future__ import annotations

from xdsl.dialects import func, memref, scf
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.rewriter import InsertPoint

from tamale.passes.emit.arithmetic import constant_index
from tamale.passes.emit.emitter import Emitter


class Tiles:
    """The tiles of one function; rows of more than `longest` elements have none."""

    def __init__(self, function: func.FuncOp, longest: int | None = None) -> None:
        self.head = function.body.block
        self.emit = Emitter(InsertPoint.at_start(self.head), self.head)
        self.longest = longest
        self._ends: dict[tuple[SSAValue, int], SSAValue] = {}
        """Where the last whole tile of a row ends, by the length of rows and tiles."""

    def end(self, length: SSAValue, size: int, loop: Operation, hint: str) -> SSAValue:
        """Where the last whole tile of a row ends that a loop goes over, known before the loop."""
        steps = constant_index(length)
        if steps is not None:
            return self.emit.constant(steps - steps % size)
        if length.owner is not self.head:
            with self.emit.at(InsertPoint.before(loop), loop):
                return self._whole(length, size, hint)
        if (length, size) not in self._ends:
            with self.emit.hoisted():
                self._ends[length, size] = self._whole(length, size, hint)
        return self._ends[length, size]

    def _whole(self, length: SSAValue, size: int, hint: str) -> SSAValue:
        emit = self.emit
        end = emit.sub(length, emit.binary("mod", length, emit.constant(size)))
        if self.longest is not None:
            is_short = emit.compare("sle", length, emit.constant(self.longest))
            end = emit.select(is_short, end, emit.constant(0))
        return emit.named(end, hint)

    def room(self, element: Attribute, size: int, loop: Operation, hint: str) -> SSAValue:
        """An array for a tile that a loop works on; each worker has its own."""
        around = loop.parent_op()
        while not isinstance(around, scf.ParallelOp | func.FuncOp):
            assert around is not None
            around = around.parent_op()
        block = around.body.block
        inside = self.emit.at(InsertPoint.at_start(block))
        with self.emit.hoisted() if block is self.head else inside:
            array = memref.AllocaOp.get(element, shape=[size])
            return self.emit.named(self.emit.insert(array).memref, hint)
