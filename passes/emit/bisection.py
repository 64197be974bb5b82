"""The place of a number in a sequence that ascends, by bisection."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

    from tamale.passes.emit.emitter import Emitter


def first_not_below(
    emit: Emitter,
    begin: SSAValue,
    end: SSAValue,
    bound: SSAValue,
    read: Callable[[SSAValue], SSAValue],
) -> SSAValue:
    """The first p in [begin, end) for which `read(p)`, ascending, is not below `bound`; or end."""
    one = emit.constant(1)
    low, high = emit.variable(one.type, "low", begin), emit.variable(one.type, "high", end)
    with emit.loop_while(lambda: emit.compare("slt", emit.load(low), emit.load(high))):
        first, last = emit.load(low), emit.load(high)
        middle = emit.add(first, emit.binary("shr", emit.sub(last, first), one))
        emit.named(middle, "middle")
        below = emit.named(emit.compare("slt", read(middle), bound), "below")
        emit.store(emit.select(below, emit.add(middle, one), first), low)
        emit.store(emit.select(below, last, middle), high)
    return emit.load(low)
