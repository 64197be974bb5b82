"""
Which ops and values of a function matter to its callers.

C++ compilers complain about variables that are set and never read, so these must not be printed.
Marks from the ops with effects backwards; a value carried around a loop matters only if somebody
besides its own update reads it.
"""

from collections.abc import Sequence

from xdsl.dialects import cf, func, memref, scf
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue, Use

from tamale.backends.cpp.places import root_of, uses_through_casts
from tamale.dialects.memref import ReallocOp

_EFFECTS = (memref.AllocOp, memref.DeallocOp, ReallocOp, cf.AssertOp, scf.WhileOp)


class Liveness:
    """The live ops and values of one function."""

    def __init__(self, function: func.FuncOp) -> None:
        self._values: set[SSAValue] = set()
        self._ops: set[Operation] = set()
        self._todo: list[SSAValue | Operation] = []
        for op in function.body.walk():
            if _has_effect(op):
                self._todo.append(op)
        while self._todo:
            match self._todo.pop():
                case Operation() as op if op not in self._ops:
                    self._ops.add(op)
                    self._mark_op(op)
                case SSAValue() as value if value not in self._values:
                    self._values.add(value)
                    self._mark_value(value)
                case _:
                    pass

    def is_live(self, op: Operation) -> bool:
        """Whether `op` must be printed."""
        return op in self._ops

    def uses(self, value: SSAValue) -> list[Use]:
        """The uses of `value` that end up in the text."""
        return [use for use in value.uses if self._is_read(use.operation, use.index)]

    def carried(self, op: scf.ForOp) -> list[int]:
        """The loop-carried values of `op` that matter, by number."""
        pairs = zip(op.body.block.args[1:], op.res, strict=True)
        return [number for number, pair in enumerate(pairs) if any(v in self._values for v in pair)]

    def carried_before(self, op: scf.WhileOp) -> list[int]:
        """The arguments of the `before` region of `op` that matter, by number."""
        return self._live_numbers(op.before_region.block.args)

    def forwarded(self, op: scf.WhileOp) -> list[int]:
        """The values passed on by the condition of `op` that matter, by number."""
        pairs = zip(op.after_region.block.args, op.res, strict=True)
        return [number for number, pair in enumerate(pairs) if any(v in self._values for v in pair)]

    def results(self, op: scf.IfOp) -> list[int]:
        """The results of `op` that matter, by number."""
        return self._live_numbers(op.output)

    def _live_numbers(self, values: Sequence[SSAValue]) -> list[int]:
        return [number for number, value in enumerate(values) if value in self._values]

    def _is_read(self, op: Operation, index: int) -> bool:
        match op:
            case scf.ForOp() if index > 2:
                return index - 3 in self.carried(op)
            case scf.WhileOp():
                return index in self.carried_before(op)
            case scf.ConditionOp():
                parent = op.parent_op()
                assert isinstance(parent, scf.WhileOp)
                return index == 0 or index - 1 in self.forwarded(parent)
            case scf.YieldOp():
                return index in self._received(op)
            case _:
                return op in self._ops

    def _received(self, op: scf.YieldOp) -> list[int]:
        """The operands of `op` that its parent does something with."""
        match op.parent_op():
            case scf.IfOp() as parent:
                return self.results(parent)
            case scf.ForOp() as parent:
                return self.carried(parent)
            case scf.WhileOp() as parent:
                return self.carried_before(parent)
            case _:
                return list(range(len(op.operands)))

    def _mark_op(self, op: Operation) -> None:
        if (parent := op.parent_op()) is not None and not isinstance(parent, func.FuncOp):
            self._todo.append(parent)
        match op:
            case scf.ForOp():
                self._todo += (op.lb, op.ub, op.step)
            case scf.IfOp():
                self._todo.append(op.cond)
            case scf.WhileOp():
                self._todo.append(_last(op.before_region.block).operands[0])
            case memref.LoadOp():
                self._todo += op.operands
                self._todo += _stores_into_local(op.memref)
            case _:
                self._todo += op.operands

    def _mark_value(self, value: SSAValue) -> None:
        match value:
            case OpResult(op=scf.IfOp() as op, index=number):
                self._todo.append(op)
                self._todo += (_last(region.block).operands[number] for region in op.regions)
            case OpResult(op=scf.ForOp() as op, index=number):
                self._mark_carried(op, number)
            case OpResult(op=scf.WhileOp() as op, index=number):
                self._todo += (op, _last(op.before_region.block).operands[number + 1])
            case OpResult(op=op):
                self._todo.append(op)
            case BlockArgument(block=block, index=number):
                self._mark_argument(block, number)
            case _:
                raise AssertionError("a value is an op result or a block argument")

    def _mark_argument(self, block: Block, number: int) -> None:
        match block.parent_op():
            case scf.ForOp() as op if number > 0:
                self._mark_carried(op, number - 1)
            case scf.WhileOp() as op if block is op.before_region.block:
                self._todo += (op, op.arguments[number])
                self._todo.append(_last(op.after_region.block).operands[number])
            case scf.WhileOp() as op:
                self._todo += (op, _last(op.before_region.block).operands[number + 1])
            case _:
                pass

    def _mark_carried(self, op: scf.ForOp, number: int) -> None:
        self._todo += (op, op.iter_args[number], _last(op.body.block).operands[number])


def _has_effect(op: Operation) -> bool:
    match op:
        case memref.StoreOp():
            return not isinstance(root_of(op.memref).owner, memref.AllocaOp)
        case func.ReturnOp():
            return True
        case _:
            return isinstance(op, _EFFECTS) or not _is_known(op)


def _is_known(op: Operation) -> bool:
    """Whether leaving out `op` when nobody uses it is certain to be right."""
    if isinstance(op, scf.ForOp | scf.IfOp | scf.YieldOp | scf.ConditionOp):
        return True
    if isinstance(op, memref.LoadOp | memref.AllocaOp | memref.CastOp):
        return True
    return op.dialect_name() in ("arith", "math", "complex")


def _stores_into_local(array: SSAValue) -> list[Operation]:
    root = root_of(array)
    if not isinstance(root.owner, memref.AllocaOp):
        return []
    return [use.operation for use in uses_through_casts(root) if is_store_into(use)]


def is_store_into(use: Use) -> bool:
    """Whether `use` is a store that changes the array, and not one that keeps a pointer to it."""
    return isinstance(use.operation, memref.StoreOp) and use.index == 1


def _last(block: Block) -> Operation:
    assert block.last_op is not None
    return block.last_op
