"""
Writing loops, conditions and memory accesses in upstream dialects, without ceremony.

An `Emitter` inserts at a moving point; `with emit.loop(lo, hi) as i:` moves it into the body and
back. Mutable scalars are rank-0 `memref.alloca`s (they print as plain C++ variables). Constants
are kept once, at the head of the function.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TypeVar, cast

from xdsl.dialects import arith, cf, complex, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, UNKNOWN_LOC, MemRefType, i1
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from tamale.dialects.locations import location_of
from tamale.dialects.operators import Number
from tamale.passes.emit.arithmetic import (
    INDEX,
    Arithmetic,
    as_complex,
    kind_of,
    number_attribute,
    part_type,
)
from tamale.passes.emit.upstream import (
    choosing,
    counting,
    loading,
    repeating,
    sharing,
    storing,
    testing,
    yielding,
)

OpT = TypeVar("OpT", bound=Operation)


class Emitter(Arithmetic):
    """
    Builds IR at an insertion point; `head` is the block that keeps the constants. What is put in
    the place of `origin` comes from the same place in the user's file.
    """

    def __init__(self, point: InsertPoint, head: Block, origin: Operation | None = None) -> None:
        self._point = point
        self._head = head
        self._place = None if origin is None else location_of(origin)
        self._constants: dict[tuple[str, Attribute], SSAValue] = {}

    def insert(self, op: OpT) -> OpT:
        if self._place is not None and op.location == UNKNOWN_LOC:
            op.location = self._place
        Rewriter.insert_op(op, self._point)
        return op

    @contextmanager
    def at(self, point: InsertPoint, origin: Operation | None = None) -> Generator[None]:
        """Inserts at `point`, in the place of `origin`, for the length of the `with` statement."""
        previous, self._point = (self._point, self._place), point
        if origin is not None:
            self._place = location_of(origin)
        yield
        self._point, self._place = previous

    @contextmanager
    def hoisted(self) -> Generator[None]:
        """Inserts at the head, below the constants: for what depends on arguments alone."""
        first = self._head.first_op
        while isinstance(first, arith.ConstantOp | complex.ConstantOp):
            first = first.next_op
        point = InsertPoint.before(first) if first else InsertPoint.at_end(self._head)
        with self.at(point):
            yield

    def named(self, value: SSAValue, hint: str) -> SSAValue:
        value.name_hint = hint
        return value

    # Constants

    def constant(self, value: Number, type: Attribute = INDEX) -> SSAValue:
        key = (repr(value), type)
        if key not in self._constants:
            op = self._constant_op(value, type)
            first = self._head.first_op
            point = InsertPoint.before(first) if first else InsertPoint.at_end(self._head)
            Rewriter.insert_op(op, point)
            self._constants[key] = op.results[0]
        return self._constants[key]

    def _constant_op(self, value: Number, type: Attribute) -> Operation:
        if kind_of(type) == "complex":
            number = as_complex(value)
            return complex.ConstantOp.from_floats((number.real, number.imag), part_type(type))
        attribute = number_attribute(value, type)
        return arith.ConstantOp(attribute, type)

    def true(self) -> SSAValue:
        return self.constant(1, i1)

    # Memory

    def load(self, array: SSAValue, position: SSAValue | None = None, hint: str = "") -> SSAValue:
        """An element of `array`, or the value of a mutable scalar, which has no other position."""
        value = self.insert(loading(array, _indices(array, position))).res
        if hint:
            value.name_hint = hint
        return value

    def store(self, value: SSAValue, array: SSAValue, position: SSAValue | None = None) -> None:
        self.insert(storing(value, array, _indices(array, position)))

    def variable(self, type: Attribute, hint: str, initial: SSAValue | None = None) -> SSAValue:
        """A mutable scalar."""
        variable = self.insert(memref.AllocaOp.get(type, shape=[])).memref
        variable.name_hint = hint
        if initial is not None:
            self.store(initial, variable)
        return variable

    def allocate(self, type: Attribute, count: SSAValue, hint: str) -> SSAValue:
        """A block of `count` elements, at least 1; the caller keeps `count` positive."""
        op = memref.AllocOp.get(type, shape=[DYNAMIC_INDEX], dynamic_sizes=[count])
        self.insert(op)
        op.memref.name_hint = hint
        return op.memref

    def free(self, array: SSAValue) -> None:
        """Gives back a block of `allocate`."""
        self.insert(memref.DeallocOp.get(array))

    def check(self, condition: SSAValue, message: str) -> None:
        """Ends the kernel with the status of `message` unless `condition` holds."""
        self.insert(cf.AssertOp(condition, message))

    # Control flow

    @contextmanager
    def loop(self, low: SSAValue, high: SSAValue, hint: str) -> Generator[SSAValue]:
        """A counted loop over [low, high)."""
        block = Block(arg_types=[INDEX])
        block.args[0].name_hint = hint
        self.insert(counting(low, high, self.constant(1), block))
        with self.at(InsertPoint.at_end(block)):
            yield block.args[0]
            self.insert(yielding())

    @contextmanager
    def workers(self, count: int | SSAValue, hint: str) -> Generator[SSAValue]:
        """A loop over [0, count) whose iterations may run at the same time."""
        high = self.constant(count) if isinstance(count, int) else count
        block = Block(arg_types=[INDEX])
        block.args[0].name_hint = hint
        self.insert(sharing(self.constant(0), high, self.constant(1), block))
        with self.at(InsertPoint.at_end(block)):
            yield block.args[0]
            self.insert(scf.ReduceOp())

    @contextmanager
    def when(self, condition: SSAValue) -> Generator[None]:
        """A condition without else."""
        block = Block()
        self.insert(choosing(condition, block))
        with self.at(InsertPoint.at_end(block)):
            yield
            self.insert(yielding())

    def choice(self, condition: SSAValue) -> tuple[Block, Block]:
        """A condition with else; fill both blocks with `filling`."""
        then, otherwise = Block(), Block()
        self.insert(choosing(condition, then, otherwise))
        return then, otherwise

    @contextmanager
    def filling(self, block: Block) -> Generator[None]:
        """Inserts into a block of `choice`, and ends it."""
        with self.at(InsertPoint.at_end(block)):
            yield
            self.insert(yielding())

    def repeat(self) -> tuple[Block, Block]:
        """A while loop: fill the first block with `testing`, the second with `filling`."""
        before, after = Block(), Block()
        self.insert(repeating(before, after))
        return before, after

    @contextmanager
    def loop_while(self, condition: Callable[[], SSAValue]) -> Generator[None]:
        """A loop as long as what `condition` emits holds."""
        before, after = self.repeat()
        with self.at(InsertPoint.at_end(before)):
            self.insert(testing(condition()))
        with self.filling(after):
            yield

    def testing(self, block: Block, condition: SSAValue) -> None:
        """Ends the test of a while loop."""
        with self.at(InsertPoint.at_end(block)):
            self.insert(testing(condition))


def _indices(array: SSAValue, position: SSAValue | None) -> tuple[SSAValue, ...]:
    """A mutable scalar is an array of rank 0, and needs no position."""
    type = cast(MemRefType[Attribute], array.type)
    return () if position is None or not type.get_shape() else (position,)
