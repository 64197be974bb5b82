"""Sizes that are multiplied: none may be more than memory could hold."""

from __future__ import annotations

from xdsl.ir import SSAValue

from tamale.passes.emit.emitter import Emitter

LARGEST_COUNT = 1 << 60
"""More positions than this are an error before anything is multiplied further."""


def check_product(emit: Emitter, count: SSAValue, size: SSAValue) -> None:
    """Ends the kernel with "size overflow" if `count` times `size` is more than `LARGEST_COUNT`."""
    limit, one = emit.constant(LARGEST_COUNT), emit.constant(1)
    if count is one:
        emit.check(emit.compare("sle", size, limit), "size overflow")
        return
    room = emit.div(limit, emit.max(size, one))
    emit.check(emit.compare("sle", count, room), "size overflow")
