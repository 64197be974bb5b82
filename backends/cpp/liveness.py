"""
Which ops and values of a function matter to its callers.

C++ compilers complain about variables that are set and never read, so these must not be printed.
Marks from the ops with effects backwards; a value carried around a loop matters only if somebody
besides its own update reads it. A loop that zeroes a new buffer does not matter: the allocator does
that.
"""

from collections.abc import Sequence
from functools import cache

from xdsl.dialects import cf, func, memref, scf
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue, Use

from tamale.backends.cpp.places import uses_through_casts
from tamale.backends.cpp.zeroing import zeroing_store
from tamale.dialects.memref import ReallocOp, root_of
from tamale.dialects.walking import walk_ops

_EFFECTS = frozenset(
    (memref.AllocOp, memref.DeallocOp, ReallocOp, cf.AssertOp, scf.WhileOp, func.ReturnOp)
)


class Liveness:
    """The live ops and values of one function."""

    def __init__(self, function: func.FuncOp) -> None:
        self._values: set[SSAValue] = set()
        self._ops: set[Operation] = set()
        self._new_values: list[SSAValue] = []
        self._new_ops: list[Operation] = []
        self._read_locals: set[SSAValue] = set()
        self._uses: dict[SSAValue, list[Use]] = {}
        zeroing = {
            zeroing_store(op) for op in walk_ops(function.body) if isinstance(op, memref.AllocOp)
        }
        effects = (op for op in walk_ops(function.body) if _has_effect(op))
        self._keep(*(op for op in effects if op not in zeroing))
        while self._new_ops or self._new_values:
            if self._new_ops:
                self._mark_op(self._new_ops.pop())
            else:
                self._mark_value(self._new_values.pop())

    def is_live(self, op: Operation) -> bool:
        """Whether `op` must be printed."""
        return op in self._ops

    def uses(self, value: SSAValue) -> list[Use]:
        """The uses of `value` that end up in the text."""
        if value not in self._uses:
            live = [use for use in value.uses if self._is_read(use.operation, use.index)]
            self._uses[value] = live
        return self._uses[value]

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

    def _keep(self, *ops: Operation) -> None:
        """`ops` must be printed."""
        new = [op for op in ops if op not in self._ops]
        self._ops.update(new)
        self._new_ops += new

    def _need(self, *values: SSAValue) -> None:
        """`values` are read."""
        new = [value for value in values if value not in self._values]
        self._values.update(new)
        self._new_values += new

    def _mark_op(self, op: Operation) -> None:
        if (parent := op.parent_op()) is not None and type(parent) is not func.FuncOp:
            self._keep(parent)
        match op:
            case memref.LoadOp():
                self._need(*op.operands)
                self._keep_stores_into(root_of(op.memref))
            case scf.ForOp():
                self._need(op.lb, op.ub, op.step)
            case scf.IfOp():
                self._need(op.cond)
            case scf.WhileOp():
                self._need(_last(op.before_region.block).operands[0])
            case _:
                self._need(*op.operands)

    def _keep_stores_into(self, root: SSAValue) -> None:
        """What a load from a local variable may read."""
        if root in self._read_locals or not isinstance(root.owner, memref.AllocaOp):
            return
        self._read_locals.add(root)
        self._keep(*(use.operation for use in uses_through_casts(root) if is_store_into(use)))

    def _mark_value(self, value: SSAValue) -> None:
        if isinstance(value, OpResult):
            self._mark_result(value.op, value.index)
        else:
            assert isinstance(value, BlockArgument)
            self._mark_argument(value.block, value.index)

    def _mark_result(self, op: Operation, number: int) -> None:
        match op:
            case scf.IfOp():
                self._keep(op)
                self._need(*(_last(region.block).operands[number] for region in op.regions))
            case scf.ForOp():
                self._mark_carried(op, number)
            case scf.WhileOp():
                self._keep(op)
                self._need(_last(op.before_region.block).operands[number + 1])
            case _:
                self._keep(op)

    def _mark_argument(self, block: Block, number: int) -> None:
        match block.parent_op():
            case scf.ForOp() as op if number > 0:
                self._mark_carried(op, number - 1)
            case scf.WhileOp() as op if block is op.before_region.block:
                self._keep(op)
                self._need(op.arguments[number], _last(op.after_region.block).operands[number])
            case scf.WhileOp() as op:
                self._keep(op)
                self._need(_last(op.before_region.block).operands[number + 1])
            case _:
                pass

    def _mark_carried(self, op: scf.ForOp, number: int) -> None:
        self._keep(op)
        self._need(op.iter_args[number], _last(op.body.block).operands[number])


def _has_effect(op: Operation) -> bool:
    if isinstance(op, memref.StoreOp):
        return not isinstance(root_of(op.memref).owner, memref.AllocaOp)
    return type(op) in _EFFECTS or not _is_known(type(op))


@cache
def _is_known(op_class: type[Operation]) -> bool:
    """Whether leaving out an op of the class when nobody uses it is certain to be right."""
    if issubclass(op_class, scf.ForOp | scf.IfOp | scf.ParallelOp):
        return True
    if issubclass(op_class, scf.YieldOp | scf.ConditionOp | scf.ReduceOp):
        return True
    if issubclass(op_class, memref.LoadOp | memref.AllocaOp | memref.CastOp):
        return True
    return op_class.dialect_name() in ("arith", "math", "complex")


def is_store_into(use: Use) -> bool:
    """Whether `use` is a store that changes the array, and not one that keeps a pointer to it."""
    return use.index == 1 and isinstance(use.operation, memref.StoreOp)


def _last(block: Block) -> Operation:
    assert block.last_op is not None
    return block.last_op
