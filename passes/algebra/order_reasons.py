"""
Why the loops stand in their order: the rules of `loop_order`, replayed over its outcome.

The order itself is decided there; nothing here chooses.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from tamale.dialects.cin.sets import Stored
from tamale.passes.algebra.loop_order import Edge, IndexGraph, Ordering, held_back, rank


class Rule(Enum):
    """What made a variable the next loop; the last four are the tie-breaks, as `Rank` has them."""

    LAST = "last"
    FORCED = "forced"
    CULLS = "culls"
    RESULT_ORDER = "result order"
    SOFT_EDGES = "soft edges"
    WRITTEN_FIRST = "written first"


TIE_BREAKS = (Rule.CULLS, Rule.RESULT_ORDER, Rule.SOFT_EDGES, Rule.WRITTEN_FIRST)


@dataclass(frozen=True)
class Choice:
    """A loop, the rule that put it there, and what it was chosen over."""

    variable: str
    rule: Rule
    over: tuple[str, ...]
    """The other variables that could have come next."""
    held: tuple[Edge, ...]
    """For a forced choice: the hard edges that hold the others back."""


def explain_order(ordering: Ordering, is_sparse: Callable[[Stored], bool]) -> tuple[Choice, ...]:
    """The reason for each loop of an order that was found, outermost first; lets need none."""
    order = ordering.order
    assert isinstance(order, tuple)
    lets = ordering.graph.derived
    return tuple(
        _explain(variable, [v for v in order[k:] if v not in lets], ordering, order[:k], is_sparse)
        for k, variable in enumerate(order)
        if variable not in lets
    )


def _explain(
    variable: str,
    remaining: Sequence[str],
    ordering: Ordering,
    placed: Sequence[str],
    is_sparse: Callable[[Stored], bool],
) -> Choice:
    graph = ordering.graph
    over = tuple(v for v in remaining[1:] if not held_back(v, graph, placed))
    if len(remaining) == 1:
        return Choice(variable, Rule.LAST, (), ())
    if not over:
        return Choice(variable, Rule.FORCED, (), _holding(remaining, graph))
    own = rank(variable, graph, placed, ordering.domains, is_sparse)
    rival = min(rank(v, graph, placed, ordering.domains, is_sparse) for v in over)
    decided = next(k for k in range(len(own)) if own[k] != rival[k])
    return Choice(variable, TIE_BREAKS[decided], over, ())


def _holding(remaining: Sequence[str], graph: IndexGraph) -> tuple[Edge, ...]:
    """For each variable that waits: the hard edges from one that it waits for."""
    hard = [e for e in graph.edges if e.hard and e.source in remaining]
    waits_for = {e.target: e.source for e in reversed(hard)}
    return tuple(
        e for v in remaining[1:] for e in hard if e.target == v and e.source == waits_for[v]
    )
