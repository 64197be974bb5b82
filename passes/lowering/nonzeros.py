"""Loops over the entries of a source, and bodies put into them."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack, contextmanager

from xdsl.ir import Block, SSAValue

from tamale.dialects.cfir.storage import DimOp, LoadOp
from tamale.dialects.format.spec import Format
from tamale.passes.emit.emitter import Emitter
from tamale.passes.levels import is_padded
from tamale.passes.lowering.entries import EntryWalk, Reached


def dimension_sizes(emit: Emitter, tensor: SSAValue, format: Format) -> dict[str, SSAValue]:
    """The modes of a tensor -> their dimension sizes."""
    return {
        mode: emit.insert(DimOp(tensor, number)).result for number, mode in enumerate(format.modes)
    }


@contextmanager
def each_entry(walk: EntryWalk, reached: Reached) -> Generator[tuple[list[SSAValue], SSAValue]]:
    """Inserts into the innermost loop: the level coordinates of an entry, and its value."""
    emit, source = walk.emit, walk.format
    loops = walk.loops(len(source.levels), reached)
    with loops as (coordinates, position), ExitStack() as guards:
        value = emit.insert(LoadOp(walk.tensor, position)).value
        value.name_hint = f"{walk.tensor.name_hint or 'A'}_value"
        if is_padded(source):
            guards.enter_context(emit.when(emit.nonzero(value)))
        yield coordinates, value


def inline(emit: Emitter, block: Block, values: list[SSAValue]) -> None:
    """Moves a body to where `emit` stands, with values for its arguments."""
    for argument, value in zip(block.args, values, strict=True):
        if value.name_hint is None:
            value.name_hint = argument.name_hint
        argument.replace_all_uses_with(value)
    for op in list(block.ops):
        op.detach()
        emit.insert(op)
