"""
The index graph as people draw it: one edge from a variable to another, labelled with its tensors.

Left out is what follows from the rest: an edge of a tensor that two other hard edges of it imply,
and a soft edge beside a hard one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tamale.passes.algebra.loop_order import Edge, IndexGraph


@dataclass(frozen=True)
class DrawnEdge:
    """`source` comes before `target`; `tensors` are stored so."""

    source: str
    target: str
    hard: bool
    tensors: tuple[str, ...]


def drawn_edges(
    graph: IndexGraph, result: str, tensor_of: Mapping[str, str]
) -> tuple[DrawnEdge, ...]:
    """
    The edges to draw, sorted by their variables; in labels, operands come before the result.

    `tensor_of` maps accesses to what their tensor is called: the P's of `P' A P` are one.
    """
    edges = [edge for edge in graph.edges if not _implied(edge, graph)]
    edges.sort(key=lambda e: e.tensor == result)
    hard = {(e.source, e.target) for e in edges if e.hard}
    tensors: dict[tuple[str, str], dict[str, None]] = {}
    for edge in edges:
        ends = edge.source, edge.target
        if edge.hard or ends not in hard:
            name = tensor_of.get(edge.tensor, edge.tensor)
            tensors.setdefault(ends, {})[name] = None
    return tuple(DrawnEdge(*ends, ends in hard, tuple(tensors[ends])) for ends in sorted(tensors))


def _implied(edge: Edge, graph: IndexGraph) -> bool:
    """Whether two hard edges of the same tensor lead from the edge's source to its target."""
    hard = {(e.source, e.target) for e in graph.edges if e.hard and e.tensor == edge.tensor}
    return any(
        (edge.source, between) in hard and (between, edge.target) in hard
        for between in graph.variables
    )
