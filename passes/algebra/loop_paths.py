"""
Which loops lie around each other, in the nest of a statement with loops in a certain order.

The loops of `B(i,j) = A(i,j) / sum(k, A(i,k))` are those of i and j, and that of k inside of i
alone: a reduction lies outside of all loops that it does not need (`nest_building.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from tamale.dialects.notation.ast import Access, Expr
from tamale.passes.algebra.nest_building import is_merged
from tamale.passes.algebra.terms import free_in, outermost_reductions


@dataclass(frozen=True)
class LoopPath:
    """Loops inside of each other, outermost first, of which the last ones are a reduction's own."""

    around: tuple[str, ...]
    own: tuple[str, ...]
    expression: Expr
    """What the own ones are for: the whole, or a reduction."""


def loop_paths(
    target: Access, operator: str | None, expression: Expr, order: Sequence[str]
) -> tuple[LoopPath, ...]:
    """The loops of `target operator= expression`, and then those of every reduction inside."""
    body, reduced = expression, set[str]()
    if is_merged(expression, operator):
        body, reduced = expression.body, set(expression.variables)
    inner = _bound_in(body)
    own = tuple(v for v in order if v not in inner or v in {*target.indices, *reduced})
    return tuple(_paths(LoopPath((), own, expression), body, order))


def _paths(path: LoopPath, body: Expr, order: Sequence[str]) -> Iterator[LoopPath]:
    yield path
    loops = (*path.around, *path.own)
    for reduction in dict.fromkeys(outermost_reductions(body)):
        free = free_in(reduction)
        needed = (k for k, v in enumerate(loops, 1) if v in free and k > len(path.around))
        depth = max(needed, default=len(path.around))
        own = tuple(v for v in order if v in reduction.variables)
        yield from _paths(LoopPath(loops[:depth], own, reduction), reduction.body, order)


def _bound_in(body: Expr) -> Collection[str]:
    """The variables of the reductions in an expression."""
    found = set[str]()
    for reduction in outermost_reductions(body):
        found |= {*reduction.variables, *_bound_in(reduction.body)}
    return found
