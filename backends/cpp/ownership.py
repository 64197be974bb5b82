"""
Who frees what.

Every heap buffer of a function belongs to one pointer variable declared at its top, so that a
failure anywhere can free them all. A buffer that is allocated and at once stored into a pointer
variable of the IR (`memref.alloca() : memref<memref<?xT>>`) belongs to that variable, any other to
one of its own, and moves when it is stored into a pointer variable later.

The body of a parallel loop is left by its failures as a function is by others: what it allocates
belongs to variables at its own top. It gives buffers to those outside by storing them into an array
of pointers (`memref<4xmemref<?xT>>`), which owns them then.
"""

from collections.abc import Iterable
from typing import TypeAlias

from xdsl.dialects import cf, func, memref, scf
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Block, Operation, SSAValue, Use
from xdsl.utils.exceptions import DiagnosticException

from tamale.backends.cpp.places import Places, uses_through_casts
from tamale.backends.cpp.types import as_memref
from tamale.dialects.memref import ReallocOp, root_of
from tamale.dialects.walking import walk_ops

_FALLIBLE = frozenset((memref.AllocOp, ReallocOp, cf.AssertOp))

Frame: TypeAlias = scf.ParallelOp | None
"""What a failure leaves: an iteration of a parallel loop, or the function."""


class Ownership:
    """The owning variables of one function, and where it can fail."""

    def __init__(self, function: func.FuncOp, places: Places) -> None:
        self._places = places
        self._order = {op: number for number, op in enumerate(walk_ops(function))}
        self._last_fallible = max(
            (number for op, number in self._order.items() if type(op) in _FALLIBLE), default=-1
        )
        self._failing = {
            frame: [op for op in self._order if type(op) in _FALLIBLE and frame_of(op) is frame]
            for frame in (None, *(op for op in self._order if isinstance(op, scf.ParallelOp)))
        }
        self._fallible_loops = _loops_around(op for op in self._order if type(op) in _FALLIBLE)
        self._owner: dict[SSAValue, SSAValue] = {}
        for op in self._order:
            if isinstance(op, memref.AllocOp):
                self._owner[op.memref] = self._choose_owner(op)
        self.owners = self._find_owners()

    def owner_of(self, alloc: memref.AllocOp) -> SSAValue:
        """The pointer variable of the IR, or the allocated value itself, that owns the buffer."""
        return self._owner[alloc.memref]

    def owners_in(self, frame: Frame) -> list[SSAValue]:
        """The owning variables at the top of the function, or of a parallel loop's body."""
        return [owner for owner in self.owners if _frame_of_value(owner) is frame]

    def can_fail(self, frame: Frame) -> bool:
        """Whether failures leave the function, or the body of a parallel loop."""
        return bool(self._failing[frame])

    def asserts(self, frame: Frame) -> bool:
        """Whether a frame can fail for another reason than memory."""
        own = any(isinstance(op, cf.AssertOp) for op in self._failing[frame])
        inner = frame is None and any(self.asserts(f) for f in self._failing if f is not None)
        return own or inner

    def is_owner(self, variable: SSAValue) -> bool:
        """Whether `variable` holds buffers that a failure must free."""
        return variable in self.owners

    def may_fail_after(self, op: Operation) -> bool:
        """Whether the function can still fail once `op` has run."""
        if self._order[op] < self._last_fallible:
            return True
        parent = op.parent_op()
        while parent is not None:
            if parent in self._fallible_loops:
                return True
            parent = parent.parent_op()
        return False

    def _find_owners(self) -> list[SSAValue]:
        """In program order: allocations with variables of their own, and owning variables."""
        found: dict[SSAValue, None] = {}
        for op in self._order:
            match op:
                case memref.AllocOp():
                    found[self._owner[op.memref]] = None
                case memref.AllocaOp(memref=variable) if _holds_pointers(variable):
                    if is_row_of_owners(variable) or _receives_buffers(variable):
                        found[variable] = None
                case _:
                    pass
        return list(found)

    def _choose_owner(self, op: memref.AllocOp) -> SSAValue:
        keeping = [use for use in uses_through_casts(op.memref) if _keeps(use)]
        if len(keeping) != 1 or keeping[0].operation.parent is not op.parent:
            return op.memref
        store = keeping[0].operation
        assert isinstance(store, memref.StoreOp)
        variable = root_of(store.memref)
        if not self._keeps_buffer(store, op.memref, variable):
            raise DiagnosticException(
                f"cpp: '{op.memref.name_hint}' is used after the pointer variable "
                f"'{variable.name_hint}', which it was stored into, got another buffer.\n"
                "  help: load the buffer from its variable before each use."
            )
        between = op.next_op
        while between is not store:
            assert between is not None
            if _touches(between, variable):
                return op.memref
            between = between.next_op
        return variable

    def _keeps_buffer(self, store: Operation, buffer: SSAValue, variable: SSAValue) -> bool:
        """Whether `variable` holds `buffer` wherever `buffer` is used after `store`."""
        place, op = self._places.of(variable), store.next_op
        while op is not None:
            if place in self._places.writes(op):
                break
            op = op.next_op
        while op is not None:
            if any(_is_inside(use.operation, op) for use in uses_through_casts(buffer)):
                return False
            op = op.next_op
        return True


def _loops_around(ops: Iterable[Operation]) -> set[Operation]:
    """The loops that some of `ops` are inside of."""
    seen: set[Operation] = set()
    for op in ops:
        parent = op.parent_op()
        while parent is not None and parent not in seen:
            seen.add(parent)
            parent = parent.parent_op()
    return {op for op in seen if isinstance(op, scf.ForOp | scf.WhileOp)}


def frame_of(op: Operation) -> Frame:
    """What failures of `op` leave: the innermost parallel loop around, or the function."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, scf.ParallelOp):
        parent = parent.parent_op()
    return parent


def _frame_of_value(value: SSAValue) -> Frame:
    assert isinstance(value.owner, Operation)
    return frame_of(value.owner)


def is_row_of_owners(variable: SSAValue) -> bool:
    """Whether `variable` is an array of pointers, each of which may own a buffer."""
    return _holds_pointers(variable) and bool(as_memref(variable.type).get_shape())


def _holds_pointers(variable: SSAValue) -> bool:
    return isinstance(as_memref(variable.type).element_type, MemRefType)


def _keeps(use: Use) -> bool:
    """Whether `use` stores the buffer into a pointer variable."""
    return isinstance(use.operation, memref.StoreOp) and use.index == 0


def _receives_buffers(variable: SSAValue) -> bool:
    """Whether newly allocated buffers are stored into `variable`."""
    stored = [
        root_of(use.operation.value)
        for use in variable.uses
        if isinstance(use.operation, memref.StoreOp)
    ]
    owned = [isinstance(value.owner, memref.AllocOp | ReallocOp) for value in stored]
    if any(owned) and any(_is_argument(value) for value in stored):
        raise DiagnosticException(
            f"cpp: the pointer variable '{variable.name_hint}' holds an argument and a buffer of "
            "the function in turn, so that nobody can tell what to free.\n"
            "  help: use a variable for each."
        )
    return any(owned)


def _is_argument(value: SSAValue) -> bool:
    return isinstance(value.owner, Block) and isinstance(value.owner.parent_op(), func.FuncOp)


def _touches(op: Operation, value: SSAValue) -> bool:
    return any(value in inner.operands for inner in op.walk())


def _is_inside(op: Operation, outer: Operation) -> bool:
    current: Operation | None = op
    while current is not None and current is not outer:
        current = current.parent_op()
    return current is outer
