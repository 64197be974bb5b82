"""
The search for an operand's next entry that can meet the others, from where it stands.

The distance doubles until the coordinate is passed; then the last stretch is bisected. Where the
next entry is near, that costs little more than to walk there. Source: Bentley and Yao, IPL 1976.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.bisection import first_not_below
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.stands import Stand


def seek(emit: Emitter, stand: Stand, others: Sequence[SSAValue]) -> SSAValue:
    """The first position from the operand's on with no smaller coordinate than any of `others`."""
    iterator, one = stand.iterator, emit.constant(1)
    wanted, *rest = others
    for other in rest:
        wanted = emit.named(emit.max(wanted, other), f"{iterator.leaf.variable}_wanted")
    name = f"p{iterator.name}"
    first = emit.variable(INDEX, f"{name}_low", stand.cursor)
    step = emit.variable(INDEX, f"{name}_step", one)
    last = emit.sub(iterator.end, one)

    def behind() -> SSAValue:
        return emit.add(emit.load(first), emit.load(step))

    def passes_on() -> SSAValue:
        position = emit.sub(behind(), one)
        before = iterator.coordinate(emit, emit.min(position, last), "")
        inside = emit.compare("slt", position, iterator.end)
        return emit.and_(inside, emit.compare("slt", before, wanted))

    with emit.loop_while(passes_on):
        emit.store(behind(), first)
        emit.store(emit.add(emit.load(step), emit.load(step)), step)
    end = emit.min(emit.sub(behind(), one), iterator.end)
    found = first_not_below(
        emit, emit.load(first), end, wanted, lambda p: iterator.coordinate(emit, p, "")
    )
    return emit.named(found, f"{name}_found")
