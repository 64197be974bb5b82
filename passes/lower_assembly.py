"""
`lower-assembly`: assembly -> loops of scf and level functions.

Makes the loops over entries and parents explicit, remaps coordinates, counts counters, sorts lists
and segments. What is left of the assembly dialect are level functions, which lower-levels replaces.
Before / after:

    assembly.for_nonzeros %A for %B0 (%k, %i, %j, %v) { %p = assembly.get_pos %B0 0 (%root, %k) }

    scf.for %i = %c0 to %A_dim1 step %c1 {
      %begin, %end = cfir.pos_bounds %A 1 (%i)
      scf.for %pA2 = %begin to %end step %c1 { ... %p = assembly.get_pos %B0 0 (%root, %k) }
    }

Source: Chou et al., PLDI 2020, sec. 4.2 and 6.2.
"""

from __future__ import annotations

from contextlib import ExitStack

from xdsl.context import Context
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects import assembly
from tamale.dialects.errors import TamaleError
from tamale.dialects.format.attribute import format_of
from tamale.dialects.locations import locate
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.appending import lower_appends
from tamale.passes.lowering.entries import EntryWalk
from tamale.passes.lowering.nonzeros import dimension_sizes, each_entry, inline
from tamale.passes.lowering.remapping import Remapping, Selected, in_modes_of
from tamale.passes.lowering.segments import lower_segments
from tamale.passes.lowering.shared_nonzeros import SharedLoops
from tamale.passes.lowering.sorting import lower_sort


def lower_entries(emit: Emitter, op: assembly.ForNonzerosOp) -> None:
    """The loop over a source's entries."""
    lower_appends(emit, op)
    source = format_of(op.source)
    dims = dimension_sizes(emit, op.source, source)
    remapping = Remapping(emit, source, in_modes_of(format_of(op.target), source), dims)
    selected = None if op.selection is None else Selected(emit, source, op.selection, dims)
    remappings = [remapping] if selected is None else [selected.sides, remapping]
    for each in remappings:
        each.open_arrays()

    def reached(count: int, _: list[SSAValue]) -> None:
        for each in remappings:
            each.reached(count)

    walk = EntryWalk(emit, op.source, source, op.source.name_hint or "A")
    with each_entry(walk, reached) as (coordinates, value), ExitStack() as guards:
        if selected is not None:
            guards.enter_context(emit.when(selected.holds(coordinates)))
        inline(emit, op.body.block, [*remapping.coordinates(coordinates), value])
    for each in remappings:
        each.release()
    Rewriter.erase_op(op)


def lower_parents(emit: Emitter, op: assembly.ForParentsOp) -> None:
    """The loop over the positions above a level."""
    walk = EntryWalk(emit, op.tensor, format_of(op.tensor), op.tensor.name_hint or "B")
    with walk.loops(op.level_index) as (coordinates, position):
        inline(emit, op.body.block, [position, *coordinates])
    Rewriter.erase_op(op)


def lower_op(op: Operation, shared: SharedLoops) -> None:
    function = op
    while not isinstance(function, func.FuncOp):
        parent = function.parent_op()
        assert parent is not None
        function = parent
    emit = Emitter(InsertPoint.before(op), function.body.block, op)
    match op:
        case assembly.ForNonzerosOp() if op.workers > 1:
            shared.lower(emit, op)
        case assembly.ForNonzerosOp():
            lower_entries(emit, op)
        case assembly.ForParentsOp():
            lower_parents(emit, op)
        case assembly.SortOp():
            lower_sort(emit, op)
        case assembly.SortSegmentsOp():
            lower_segments(emit, op)
        case _:
            raise AssertionError(op.name)


class LowerAssemblyPass(ModulePass):
    """Makes the loops of assembly explicit."""

    name = "lower-assembly"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        looping = (
            assembly.ForNonzerosOp,
            assembly.ForParentsOp,
            assembly.SortOp,
            assembly.SortSegmentsOp,
        )
        shared = SharedLoops()
        for inner in [inner for inner in op.walk() if isinstance(inner, looping)]:
            try:
                lower_op(inner, shared)
            except TamaleError as error:
                raise locate(PassFailedException(f"lower-assembly: {error}"), inner) from error
            except PassFailedException as error:
                raise locate(error, inner) from None
