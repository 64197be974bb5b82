"""
`prefetch-scatters`: the last form -> the last form.

Asks for the places ahead of time that counters lead to, where a loop scatters entries in the order
of another format. Before / after, of csr to csc:

    scf.for %p = %begin to %end step %c1 {
      %j = memref.load %crd[%p]
      %q = memref.load %pos[%j]
      memref.store %q_next, %pos[%j]
      memref.store %value, %vals[%q]
    }

    scf.if %scattered {
      scf.for %p = %begin to %end step %c1 {
        %ahead = arith.minsi %p + 32, %last
        %j_ahead = memref.load %crd[%ahead]
        %q_ahead = memref.load %pos[%j_ahead]
        memref.prefetch %vals[%q_ahead], write, locality<3>, data
        ...
      }
    } else {
      scf.for %p = %begin to %end step %c1 { ... }
    }

`%last` is the last of all positions, not of this row. What few entries take is in the cache anyway,
and what coordinates next to one another lead to is written in order: `%scattered` looks for that.
`scatters.py` says which loops are meant, `limits.py` how far ahead there is something to load,
`emit/nearness.py` whether it pays.
Source: Mowry, Lam and Gupta, ASPLOS 1992; Ainsworth and Jones, CGO 2017, for indirect references.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from xdsl.context import Context
from xdsl.dialects import func, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint

from tamale.dialects.memref import ASCENDING, PrefetchOp
from tamale.dialects.walking import is_inside, walk_ops
from tamale.passes.emit.emitter import Emitter
from tamale.passes.emit.nearness import Rule, emit_rule
from tamale.passes.prefetch_scatters.limits import Limit, limit_of
from tamale.passes.prefetch_scatters.scatters import Scatter, scatter_of

SHARE = 16
"""Of so many entries, one that is far from all before it is worth asking ahead for all."""


def prefetch_ahead(emit: Emitter, scatter: Scatter, limit: Limit, rule: Rule) -> None:
    """Puts prefetches at the start of a loop's body; where they do not pay, the loop stays."""
    loop, (position, *_) = scatter.loop, scatter.loop.body.block.args
    with emit.at(InsertPoint.before(limit.outermost), loop):
        begin, end = limit.emit(emit)
        last = emit.named(emit.sub(end, emit.constant(1)), "last")
        streams = [load.memref for load in scatter.streams]
        if any(is_inside(stream, limit.outermost) for stream in streams):
            rule = replace(rule, samples=0)
        coordinates = [partial(_coordinate_at, emit, stream) for stream in streams]
        pays = emit_rule(emit, rule, coordinates, (begin, end))
    with emit.at(InsertPoint.before(loop), loop):
        asking, as_it_was = emit.choice(pays)
        with emit.filling(as_it_was):
            emit.insert(loop.clone())
        with emit.filling(asking):
            loop.detach()
            emit.insert(loop)
    with emit.at(InsertPoint.at_start(loop.body.block), loop):
        later = emit.min(emit.add(position, emit.constant(rule.distance)), last)
        meant: dict[SSAValue, SSAValue] = {position: later}
        for op in scatter.slice:
            clone = emit.insert(op.clone(meant))
            for result, original in zip(clone.results, op.results, strict=True):
                result.name_hint = original.name_hint and f"{original.name_hint}_ahead"
        for store in scatter.stores:
            places = [meant.get(index, index) for index in store.indices]
            emit.insert(PrefetchOp(store.memref, places, is_write=True))


def _coordinate_at(emit: Emitter, stream: SSAValue, position: SSAValue) -> SSAValue:
    return emit.as_index(emit.load(stream, position))


def prefetch_in(function: func.FuncOp, rule: Rule) -> None:
    """Puts prefetches into all loops of a function that they are for."""
    emit = Emitter(InsertPoint.at_start(function.body.block), function.body.block)
    for loop in [inner for inner in walk_ops(function) if isinstance(inner, scf.ForOp)]:
        scatter = scatter_of(loop)
        limit = None if scatter is None else limit_of(loop)
        if scatter is not None and limit is not None:
            prefetch_ahead(emit, scatter, limit, rule)
    for op in walk_ops(function):
        op.attributes.pop(ASCENDING, None)


@dataclass(frozen=True)
class PrefetchScattersPass(ModulePass):
    """Asks ahead of time for the places that counters lead to."""

    name = "prefetch-scatters"

    distance: int = 32
    """How many entries ahead: enough for memory to answer, few enough to stay in the cache."""
    least: int = 1 << 16
    """From how many entries on: fewer fit into the caches that answer within a few cycles."""
    samples: int = 64
    """How many entries are looked at, whether they are near those just before; 0: none."""

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for function in op.ops:
            if isinstance(function, func.FuncOp) and function.body.blocks:
                prefetch_in(function, Rule(self.distance, self.least, self.samples, SHARE))
