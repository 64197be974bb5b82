"""How much room a result needs: known before the loops, or found out loop by loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from xdsl.ir import Operation, SSAValue

from tamale.dialects import cfir
from tamale.dialects.cfir.storage import CountOp
from tamale.dialects.cin.sets import Stored
from tamale.dialects.level_variables import level_variables
from tamale.passes.algebra.entry_bounds import Bound, Count, Size, Total, entry_bound
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.assembling import Assembler, Group
from tamale.passes.lowering.scope import KernelContext
from tamale.passes.lowering.statements import appends_entries
from tamale.passes.lowering.universes import universe_size

FIRST_ROOM = 64
MOST = 1 << 24
"""Room for more entries than that is made for what is stored, not for what may be."""


def group_bound(op: cfir.KernelOp, kernel: KernelContext, variable: str) -> Bound | None:
    """A bound on the entries that all loops of `variable` make together; None if there is none."""
    parts: dict[Bound, None] = {}
    for lattice, outside in _lattices(op, ()):
        if lattice.index_var.data != variable or not appends_entries(lattice, kernel.result):
            continue

        def walked_once(leaf: Stored, outside: tuple[str, ...] = outside) -> bool:
            if leaf.access in kernel.vectors:
                return False
            variables = level_variables(kernel.accesses[leaf.access], kernel.formats[leaf.access])
            return set(outside) <= set(variables[: kernel.level(leaf)])

        sized = any(variable in access.indices for access in kernel.accesses.values())
        bound = entry_bound(lattice.domain.data, walked_once, outermost=sized and not outside)
        if bound is None:
            return None
        summands = bound.parts if isinstance(bound, Total) and not bound.least else (bound,)
        parts |= dict.fromkeys(summands)
    return Total(tuple(parts)) if parts else None


def _lattices(
    op: Operation, outside: tuple[str, ...]
) -> Iterator[tuple[cfir.LatticeOp, tuple[str, ...]]]:
    """Every lattice below `op`, with the variables of those around it."""
    for region in op.regions:
        for inner in region.block.ops:
            if isinstance(inner, cfir.LatticeOp):
                yield inner, outside
                yield from _lattices(inner, (*outside, inner.index_var.data))
            else:
                yield from _lattices(inner, outside)


def emit_bound(kernel: KernelContext, bound: Bound) -> SSAValue:
    """The bound as a number."""
    emit = kernel.emit
    match bound:
        case Count(leaf):
            level = kernel.level(leaf)
            count = emit.insert(CountOp(kernel.tensors[leaf.access], level)).count
            return emit.named(count, f"{leaf.access}{level + 1}_count")
        case Size(variable):
            return universe_size(kernel, variable)
        case Total(parts, least):
            values = [emit_bound(kernel, part) for part in parts]
            total = values[0]
            for value in values[1:]:
                total = emit.min(total, value) if least else emit.add(total, value)
            return total


@dataclass(frozen=True)
class Room:
    """The first room of an appended group."""

    entries: SSAValue
    """How many it gets at the most, or first of all."""
    most: int | None = None
    """Room for more is found out by growing: the bound may lie far above what is stored."""

    def size(self, emit: Emitter, results: SSAValue | None = None) -> SSAValue:
        """For how many entries to make room where so many results will be in it, else one."""
        if self.most is None:
            return self.entries
        most = emit.constant(self.most)
        return emit.min(self.entries, most if results is None else emit.mul(most, results))


Visits: TypeAlias = Callable[[str], SSAValue | None]
"""How many entries the lists of a variable will be given, at the most, if that can be counted."""


def emit_rooms(
    op: cfir.KernelOp, kernel: KernelContext, assembler: Assembler, visits: Visits
) -> tuple[list[Room], list[Group]]:
    """The first room of every appended group, and the groups that may outgrow it."""
    rooms: list[Room] = []
    grown: list[Group] = []
    for group in assembler.groups:
        if group.dense:
            continue
        variable = assembler.filling_loop(group)
        bound = group_bound(op, kernel, variable)
        if bound is None:
            grown.append(group)
            visited = visits(variable)
            first = Room(kernel.emit.constant(FIRST_ROOM))
            rooms.append(first if visited is None else Room(visited, MOST))
            continue
        rooms.append(Room(emit_bound(kernel, bound)))
    return rooms, grown
