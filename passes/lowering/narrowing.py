"""The part of a level's walk that belongs to a worker's span."""

from __future__ import annotations

from dataclasses import replace

from xdsl.ir import SSAValue

from tamale.dialects.cfir.ranks import RankOp
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.iterators import Iterator
from tamale.passes.lowering.spans import Edge, Span


def narrowed(emit: Emitter, iterator: Iterator, span: Span) -> Iterator:
    """The part of a walk that belongs to the span, whose next loop it is."""
    first, limit = span.first(), span.limit(emit)
    if iterator.by_coordinate:
        begin = span.at_begin.choose(emit, emit.max(iterator.begin, first), iterator.begin)
        end = span.at_end.choose(emit, emit.min(iterator.end, limit), iterator.end)
    else:
        begin = _rank(emit, iterator, span.at_begin, iterator.begin, first)
        end = _rank(emit, iterator, span.at_end, iterator.end, limit)
    return replace(iterator, begin=begin, end=end, single=False)


def _rank(
    emit: Emitter, iterator: Iterator, edge: Edge, otherwise: SSAValue, coordinate: SSAValue
) -> SSAValue:
    """The position of a coordinate in a walk, at an edge of the span."""
    if edge.told is None:
        return _position(emit, iterator, coordinate) if edge.known else otherwise
    found = emit.variable(INDEX, otherwise.name_hint or iterator.cursor, otherwise)
    with emit.when(edge.told):
        emit.store(_position(emit, iterator, coordinate), found)
    return emit.load(found)


def _position(emit: Emitter, iterator: Iterator, coordinate: SSAValue) -> SSAValue:
    positions = (iterator.begin, iterator.end)
    rank = RankOp(
        iterator.tensor,
        iterator.level,
        iterator.parent,
        positions,
        coordinate,
        iterator.ancestors,
    )
    return emit.insert(rank).position
