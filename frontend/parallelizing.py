"""Loops that a user asks workers to share, and why they cannot."""

from __future__ import annotations

from collections.abc import Sequence

from tamale.dialects import cin
from tamale.dialects.errors import ScheduleError
from tamale.dialects.notation.ast import to_text
from tamale.frontend.request import Request
from tamale.frontend.stages import Stages
from tamale.frontend.wording import listed
from tamale.passes.partition import cut_of


def require_shared(request: Request, loops: Sequence[str]) -> None:
    """
    Nothing if the kernel of a request has these loops shared, or any if none is named.

    Raises:
        ScheduleError: what forbids it.
        TamaleError: the statement itself is refused.
    """
    kernels = [op for op in Stages(request).module("ocin").walk() if isinstance(op, cin.KernelOp)]
    cut = cut_of(kernels[-1])
    shared = [loop.variable for loop in cut.loops]
    named = f"the loop{'s' * (len(loops) > 1)} of {listed(loops)}" if loops else "the loops"
    where = f"parallelize: {named} of  {to_text(request.statement)}  cannot be shared"
    if not shared:
        raise ScheduleError(f"{where}: {cut.limit}")
    if not loops or set(loops) <= set(shared):
        return
    outermost = f"the loops that workers share are those of {listed(shared)}, from the outermost on"
    reason = f"\n  help: {cut.limit}" if cut.limit is not None else ""
    raise ScheduleError(f"{where}: {outermost}{reason}")
