"""
What each op of a function can change.

A place is a local variable, the elements of one argument, or the elements of all heap buffers of
one element type (buffers move between pointer variables, so they are not told apart).
"""

from xdsl.dialects import func, memref
from xdsl.ir import BlockArgument, Operation, SSAValue, Use

from tamale.backends.cpp.expressions import Place
from tamale.backends.cpp.types import as_memref
from tamale.dialects.memref import PrefetchOp, ReallocOp, root_of

_NOWHERE: frozenset[Place] = frozenset()
_WRITERS = frozenset((memref.StoreOp, memref.DeallocOp, ReallocOp, memref.AllocOp))


def uses_through_casts(array: SSAValue) -> list[Use]:
    """The uses of `array`, and of it as another type."""
    found: list[Use] = []
    for use in array.uses:
        found.append(use)
        if type(op := use.operation) is memref.CastOp:
            found += uses_through_casts(op.dest)
    return found


def pointer_variable(array: SSAValue) -> SSAValue | None:
    """The local pointer variable that `array` was loaded from, if it was."""
    root = root_of(array)
    return root.owner.memref if isinstance(root.owner, memref.LoadOp) else None


class Places:
    """The places of one function, and who writes them."""

    def __init__(self, function: func.FuncOp) -> None:
        self._places: dict[SSAValue, Place] = {}
        self._escaped: dict[SSAValue, bool] = {}
        self._arguments = frozenset(function.args)
        self._writes: dict[Operation, frozenset[Place]] = {}
        self._written = self.writes(function)

    def of(self, array: SSAValue) -> Place:
        """The place that holds the elements of `array`."""
        if array not in self._places:
            self._places[array] = self._find(root_of(array))
        return self._places[array]

    def is_written(self, place: Place) -> bool:
        """Whether anything in the function changes `place`."""
        return place in self._written

    def is_constant(self, argument: BlockArgument) -> bool:
        """Whether a function argument is only read."""
        return not self._has_escaped(argument) and not self.is_written(argument)

    def writes(self, op: Operation) -> frozenset[Place]:
        """The places that `op` or an op inside it can change."""
        if not op.regions and type(op) not in _WRITERS:
            return _NOWHERE
        if op not in self._writes:
            inner = (self.writes(child) for r in op.regions for b in r.blocks for child in b.ops)
            self._writes[op] = frozenset(self._own_writes(op)).union(*inner)
        return self._writes[op]

    def _find(self, root: SSAValue) -> Place:
        if self._is_known(root) and not self._has_escaped(root):
            return root
        return f"heap of {as_memref(root.type).element_type}"

    def _is_known(self, root: SSAValue) -> bool:
        """Whether the buffer behind `root` is certain: a local variable or an argument."""
        return isinstance(root.owner, memref.AllocaOp) or root in self._arguments

    def _has_escaped(self, root: SSAValue) -> bool:
        if root not in self._escaped:
            self._escaped[root] = _escapes(root)
        return self._escaped[root]

    def _own_writes(self, op: Operation) -> set[Place]:
        match op:
            case memref.StoreOp():
                return {self.of(op.memref)}
            case memref.DeallocOp():
                return self._handed_on(op.memref)
            case ReallocOp():
                return self._handed_on(op.source)
            case memref.AllocOp():
                # Printed as an assignment to the variable it is stored into.
                stores = (use.operation for use in uses_through_casts(op.memref))
                return {self.of(s.memref) for s in stores if isinstance(s, memref.StoreOp)}
            case _:
                return set()

    def _handed_on(self, buffer: SSAValue) -> set[Place]:
        """A buffer that ends, and the variable that pointed to it."""
        variable = pointer_variable(buffer)
        return {self.of(buffer)} | (set() if variable is None else {self.of(variable)})


def _escapes(array: SSAValue) -> bool:
    """Whether another name for the elements of `array` may come about."""
    for use in array.uses:
        match use.operation:
            case memref.LoadOp() | PrefetchOp() | memref.DeallocOp():
                continue
            case memref.StoreOp() if use.index != 0:
                continue
            case memref.CastOp(dest=dest) if not _escapes(dest):
                continue
            case _:
                return True
    return False
