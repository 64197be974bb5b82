"""What a lattice walks: the positions of a level below its parent, or all coordinates of a mode."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from xdsl.ir import SSAValue

from tamale.dialects.cfir.storage import DimOp, PosAccessOp, PosBoundsOp
from tamale.dialects.cin.sets import Intersection, SetExpr, Stored, Union
from tamale.passes.algebra.lattice import driven_by_universe
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.scope import KernelContext, Scope


@dataclass(frozen=True)
class Iterator:
    """A level that is walked: its positions [begin, end) below the current parent."""

    leaf: Stored
    tensor: SSAValue
    level: int
    begin: SSAValue
    end: SSAValue
    unique: bool

    @property
    def name(self) -> str:
        """`A2`: access and level, the stem of generated names."""
        return f"{self.leaf.access}{self.level + 1}"

    def coordinate(self, emit: Emitter, position: SSAValue, hint: str) -> SSAValue:
        value = emit.insert(PosAccessOp(self.tensor, self.level, position)).coordinate
        return emit.named(value, hint)


def make_iterator(kernel: KernelContext, scope: Scope, leaf: Stored) -> Iterator:
    """The walk of `leaf`'s level below its parent's place."""
    emit, level, tensor = kernel.emit, kernel.level(leaf), kernel.tensors[leaf.access]
    parent = scope.parent(leaf.access, level)
    bounds = emit.insert(PosBoundsOp(tensor, level, parent.begin))
    end = bounds.end
    if parent.end is not None:
        last = emit.sub(parent.end, emit.constant(1))
        end = emit.insert(PosBoundsOp(tensor, level, last)).end
    unique = kernel.formats[leaf.access].properties(level).unique
    iterator = Iterator(leaf, tensor, level, bounds.begin, end, unique)
    emit.named(bounds.begin, f"p{iterator.name}_begin")
    emit.named(end, f"p{iterator.name}_end")
    return iterator


def universe_size(kernel: KernelContext, variable: str) -> SSAValue:
    """The dimension size of an index variable, from the first access that has it."""
    for access in (*kernel.accesses.values(), kernel.result):
        if variable in access.indices:
            mode = access.indices.index(variable)
            size = kernel.emit.insert(DimOp(kernel.tensors[access.tensor], mode)).result
            return kernel.emit.named(size, f"{access.tensor}_dim{mode + 1}")
    raise AssertionError(variable)


def bound_visits(
    emit: Emitter,
    domain: SetExpr,
    iterators: Mapping[Stored, Iterator],
    size: Callable[[], SSAValue],
) -> SSAValue:
    """At most how many coordinates of `domain` are visited."""
    match domain:
        case Stored():
            return emit.sub(iterators[domain].end, iterators[domain].begin)
        case Union(sets) if not driven_by_universe(domain):
            total = bound_visits(emit, sets[0], iterators, size)
            for s in sets[1:]:
                total = emit.add(total, bound_visits(emit, s, iterators, size))
            return total
        case Intersection(sets):
            driving = [s for s in sets if not driven_by_universe(s)]
            if not driving:
                return size()
            least = bound_visits(emit, driving[0], iterators, size)
            for s in driving[1:]:
                least = emit.min(least, bound_visits(emit, s, iterators, size))
            return least
        case _:
            return size()
