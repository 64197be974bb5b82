"""
Whether asking ahead pays: many entries, whose coordinates are not near those just before.

Neighbouring coordinates lead to places that follow one another. A stencil, whose few diagonals are
visited side by side, is written as so many streams, and those the processor asks for by itself. So
a few entries, spread over all of them, are looked at where there are many:

    %scattered = memref.alloca() : memref<i1>
    scf.if %many {
      scf.for %s = 0 to 64 {                            an entry %p
        scf.for %d = 1 to 9 {                           one of those before it
          %near or= |crd[%p] - crd[%p - %d]| < 4
        }
        %far += not %near
      }
      %scattered = %far > 64 / share
    }

Source: figures in `docs/rationale/prefetching.md`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter

WINDOW = 8
"""How many entries before: as many streams a processor surely keeps apart, of two arrays each."""
NEAR = 4
"""How far apart coordinates may be whose places share a cache line, or are in the next."""

CoordinateAt = Callable[[SSAValue], SSAValue]
"""Emits what the coordinate at a position is, as index."""


@dataclass(frozen=True)
class Rule:
    """How far ahead places are asked for, and when."""

    distance: int
    """In entries."""
    least: int
    """How many entries there must be at least."""
    samples: int
    """How many of them are looked at; 0: coordinates may be near."""
    share: int
    """Of so many entries, more than one must be far from all before it."""


def emit_rule(
    emit: Emitter,
    rule: Rule,
    coordinates: Sequence[CoordinateAt],
    positions: tuple[SSAValue, SSAValue],
) -> SSAValue:
    """Whether asking ahead pays, in a loop over `positions`: their first one, and their end."""
    begin, end = positions
    count = emit.named(emit.sub(end, begin), "entries")
    if not rule.samples:
        return emit.compare("sge", count, emit.constant(rule.least))
    least = max(rule.least, WINDOW + 1)
    scattered = emit.variable(i1, "scattered", emit.constant(0, i1))
    with emit.when(emit.compare("sge", count, emit.constant(least))):
        step = emit.div(emit.sub(count, emit.constant(WINDOW)), emit.constant(rule.samples))
        step.name_hint = "step"
        first = emit.add(begin, emit.constant(WINDOW))
        far = emit.variable(INDEX, "far", emit.constant(0))
        with emit.loop(emit.constant(0), emit.constant(rule.samples), "s") as sample:
            position = emit.named(emit.add(first, emit.mul(sample, step)), "p")
            near = _emit_near(emit, coordinates, position)
            with emit.when(emit.xor(emit.load(near), emit.true())):
                emit.store(emit.add(emit.load(far), emit.constant(1)), far)
        limit = emit.constant(rule.samples // rule.share)
        emit.store(emit.compare("sgt", emit.load(far), limit), scattered)
    return emit.load(scattered)


def _emit_near(
    emit: Emitter, coordinates: Sequence[CoordinateAt], position: SSAValue
) -> SSAValue:
    """Whether one of the entries before a position is near in all coordinates, as a variable."""
    near = emit.variable(i1, "near", emit.constant(0, i1))
    with emit.loop(emit.constant(1), emit.constant(WINDOW + 1), "d") as back:
        before = emit.sub(position, back)
        close: SSAValue | None = None
        for coordinate in coordinates:
            here, there = coordinate(position), coordinate(before)
            apart = emit.sub(emit.max(here, there), emit.min(here, there))
            is_close = emit.compare("slt", apart, emit.constant(NEAR))
            close = is_close if close is None else emit.and_(close, is_close)
        assert close is not None
        emit.store(emit.or_(emit.load(near), close), near)
    return near
