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
      %scattered = %far > 4
    }

Source: figures in `docs/rationale/prefetching.md`.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects import scf
from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue

from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.prefetch_scatters.limits import is_inside
from tamale.passes.prefetch_scatters.scatters import Scatter

WINDOW = 8
"""How many entries before: as many streams a processor surely keeps apart, of two arrays each."""
NEAR = 4
"""How far apart coordinates may be whose places share a cache line, or are in the next."""
SHARE = 16
"""Of so many entries, one that is far from all before it is worth asking ahead for all."""


@dataclass(frozen=True)
class Rule:
    """How far ahead places are asked for, and when."""

    distance: int
    """In entries."""
    least: int
    """How many entries there must be at least."""
    samples: int
    """How many of them are looked at; 0: coordinates may be near."""


def emit_rule(
    emit: Emitter,
    rule: Rule,
    scatter: Scatter,
    outermost: scf.ForOp,
    positions: tuple[SSAValue, SSAValue],
) -> SSAValue:
    """Whether asking ahead pays; `emit` stands before the outermost loop over `positions`."""
    begin, end = positions
    count = emit.named(emit.sub(end, begin), "entries")
    streams = [load.memref for load in scatter.streams]
    if not rule.samples or any(is_inside(stream, outermost) for stream in streams):
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
            near = _emit_near(emit, streams, position)
            with emit.when(emit.xor(emit.load(near), emit.true())):
                emit.store(emit.add(emit.load(far), emit.constant(1)), far)
        limit = emit.constant(rule.samples // SHARE)
        emit.store(emit.compare("sgt", emit.load(far), limit), scattered)
    return emit.load(scattered)


def _emit_near(emit: Emitter, streams: list[SSAValue], position: SSAValue) -> SSAValue:
    """Whether one of the entries before a position is near in all coordinates, as a variable."""
    near = emit.variable(i1, "near", emit.constant(0, i1))
    with emit.loop(emit.constant(1), emit.constant(WINDOW + 1), "d") as back:
        before = emit.sub(position, back)
        close = emit.true()
        for stream in streams:
            here, there = (emit.as_index(emit.load(stream, p)) for p in (position, before))
            apart = emit.sub(emit.max(here, there), emit.min(here, there))
            is_close = emit.compare("slt", apart, emit.constant(NEAR))
            close = is_close if stream is streams[0] else emit.and_(close, is_close)
        emit.store(emit.or_(emit.load(near), close), near)
    return near

