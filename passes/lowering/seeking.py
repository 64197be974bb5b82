"""
The search for an operand's next entry that can meet the others, from where it stands.

The distance doubles until the coordinate is passed; then the last stretch is bisected. Where the
next entry is near, that costs little more than to walk there. Source: Bentley and Yao, IPL 1976.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.stands import Stand


def seek(emit: Emitter, stand: Stand, others: Sequence[SSAValue]) -> SSAValue:
    """The first position from the operand's on with no smaller coordinate than any of `others`."""
    iterator, one = stand.iterator, emit.constant(1)
    wanted, *rest = others
    for other in rest:
        wanted = emit.max(wanted, other)
    emit.named(wanted, f"{iterator.leaf.variable}_wanted") if rest else None
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
    high = emit.variable(INDEX, f"{name}_high", emit.min(emit.sub(behind(), one), iterator.end))
    with emit.loop_while(lambda: emit.compare("slt", emit.load(first), emit.load(high))):
        low, top = emit.load(first), emit.load(high)
        middle = emit.named(emit.binary("shr", emit.add(low, top), one), f"{name}_middle")
        before = emit.compare("slt", iterator.coordinate(emit, middle, ""), wanted)
        emit.store(emit.select(before, emit.add(middle, one), low), first)
        emit.store(emit.select(before, top, middle), high)
    return emit.load(first, hint=f"{name}_found")
