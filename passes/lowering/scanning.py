"""Edges from counts: the scan between the kernel that counts and the one that fills."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import SSAValue

from tamale.dialects.format.level import Level
from tamale.passes.levels import storage_kind
from tamale.passes.lowering.assembled import AssembledTensor


def count_label(level: Level) -> str | None:
    """The label of the count that a level's edges are made from; None if it asks for more."""
    kind = storage_kind(level.kind)
    asked = [
        aggregate for query in kind.queries(level, (), "own") for aggregate in query.aggregates
    ]
    if not kind.edges or len(asked) != 1 or asked[0].function != "count":
        return None
    return asked[0].label


def make_room(
    tensor: AssembledTensor,
    depth: int,
    arrays: Mapping[tuple[int, str], SSAValue],
    counts: SSAValue,
) -> None:
    """
    Makes all of a tensor but its last coordinates and values.

    Args:
        tensor: nothing of it has been made.
        depth: how many levels there are already.
        arrays: (level, array) -> the arrays of these levels.
        counts: for each of their positions, how many children it has in the level below.
    """
    for (k, array), block in arrays.items():
        tensor.level(k).arrays[array] = tensor.emit.named(block, f"{tensor.name}{k + 1}_{array}")
    emit, format = tensor.emit, tensor.format
    kind, level, parents = tensor.kind(depth), tensor.level(depth), tensor.parents(depth)
    label = count_label(format.levels[depth])
    assert label is not None
    kind.seq_init_edges(level, parents)
    with emit.loop(emit.constant(0), parents, "p") as p:
        kind.seq_insert_edges(level, p, [], {label: emit.as_index(emit.load(counts, p))})
    for k in range(depth, len(format.levels)):
        tensor.kind(k).init_coords(tensor.level(k), tensor.parents(k))
    tensor.init_values(zeroed=False)
