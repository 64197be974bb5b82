"""
`assembly.stamp` and `assembly.rank` inside of a loop over entries that come parent by parent.

Both keep an array over the coordinates of one level, however many parents there are: stamps say
below which parent a coordinate was met last, ranks where the coordinates of the parent at hand are.
Neither is cleared from one parent to the next.

Source: privatised workspaces; Chou et al., PLDI 2020, sec. 5 leaves the size of `W` open.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from tamale.dialects.assembly import ForNonzerosOp, RankOp, StampOp
from tamale.dialects.cfir.storage import DimOp, PosAccessOp, PosBoundsOp
from tamale.dialects.format.attribute import tensor_format
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.emit.upstream import element_type
from tamale.passes.levels import storage_kind
from tamale.passes.lowering.level_context import LevelNumbers, level_numbers
from tamale.passes.lowering.storage import WIDTHS

NO_PARENT = -1
"""A position that no parent has."""


def lower_stamp(emit: Emitter, loop: ForNonzerosOp, op: StampOp) -> None:
    """Replaces the op by a look at an array; `emit` inserts before the loop."""
    numbers = _numbers(emit, loop, op)
    parents = _workspace(emit, loop, numbers, "last_parent", INDEX)
    with emit.loop(emit.constant(0), numbers.size, "c") as c:
        emit.store(emit.constant(NO_PARENT), parents, c)
    with emit.at(InsertPoint.before(op)):
        place = _from_low(emit, op.coordinate, numbers)
        new = emit.compare("ne", emit.load(parents, place), op.parent_pos)
        emit.store(op.parent_pos, parents, place)
    new.name_hint = op.result.name_hint
    Rewriter.replace_op(op, [], [new])


def lower_rank(emit: Emitter, loop: ForNonzerosOp, op: RankOp) -> None:
    """Replaces the op by a look at an array that is written anew for each parent."""
    numbers = _numbers(emit, loop, op)
    ranks = _workspace(emit, loop, numbers, "rank", WIDTHS[tensor_format(op.tensor_type).pos])
    last = emit.variable(INDEX, "ranked_parent", emit.constant(NO_PARENT))
    with emit.at(InsertPoint.before(op)):
        with emit.when(emit.compare("ne", op.parent_pos, emit.load(last))):
            _write_ranks(emit, op, numbers, ranks)
            emit.store(op.parent_pos, last)
        position = emit.as_index(emit.load(ranks, _from_low(emit, op.coordinates[-1], numbers)))
    position.name_hint = op.position.name_hint
    Rewriter.replace_op(op, [], [position])


def _write_ranks(emit: Emitter, op: RankOp, numbers: LevelNumbers, ranks: SSAValue) -> None:
    """The positions of all coordinates below the parent."""
    k, format = op.level_index, tensor_format(op.tensor_type)
    asks = storage_kind(format.levels[k].kind).asks_ancestors
    above = list(op.coordinates[:-1]) if asks else []
    bounds = emit.insert(PosBoundsOp(op.tensor, k, op.parent_pos, above))
    with emit.loop(bounds.begin, bounds.end, "p") as p:
        coordinate = emit.insert(PosAccessOp(op.tensor, k, p, above)).coordinate
        rank = emit.cast(p, element_type(ranks))
        emit.store(rank, ranks, _from_low(emit, coordinate, numbers))


def _numbers(emit: Emitter, loop: ForNonzerosOp, op: StampOp | RankOp) -> LevelNumbers:
    """How many coordinates the level has, and from where on."""
    format = tensor_format(cast(TensorType[Attribute], op.tensor.type))
    dims = [emit.insert(DimOp(loop.source, n)).result for n in range(format.order)]
    return level_numbers(emit, format, dims, op.level_index)


def _workspace(
    emit: Emitter, loop: ForNonzerosOp, numbers: LevelNumbers, hint: str, element: Attribute
) -> SSAValue:
    """An array over the level's coordinates that lives as long as the loop."""
    array = emit.allocate(element, emit.max(numbers.size, emit.constant(1)), hint)
    with emit.at(InsertPoint.after(loop)):
        emit.free(array)
    return array


def _from_low(emit: Emitter, coordinate: SSAValue, numbers: LevelNumbers) -> SSAValue:
    """A coordinate counted from the level's smallest."""
    if numbers.low is emit.constant(0):
        return coordinate
    return emit.sub(coordinate, numbers.low)
