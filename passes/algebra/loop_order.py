"""
The order of loops: a topological order of the index graph, with stated tie-breaks.

The graph has a node per level variable: an index variable, or the expression that a level stores.
Index variables that no level stores are nodes too, and come as soon as the levels that tell them
have. An edge `i -> j (A)` says that A stores i before j: it is
*hard* where A's level of j has to be walked below a position of i (a sparse level, or a result
that appends), and *soft* where both orders work but this one is contiguous.

Among the variables that no hard edge holds back, the next loop is, in this order:

1. one whose domain intersects two or more operand levels, at least one of them sparse: it culls
work
   early; of these the one with more sparse levels;
2. one that does not run ahead of the result's own order;
3. the one that violates the fewest soft edges;
4. the one written first.

Source: the guide (Yan et al., CGO 2026, for the graph and the first rule).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import NamedTuple

from tamale.dialects.cin.sets import Intersection, SetExpr, Stored, Union, leaves
from tamale.dialects.format.expressions import Expr, free_variables
from tamale.dialects.format.spec import Format
from tamale.dialects.level_variables import derived_modes, level_variables
from tamale.dialects.notation.ast import Access


@dataclass(frozen=True)
class Edge:
    """`source` comes before `target`, because `tensor` is stored so."""

    source: str
    target: str
    tensor: str
    hard: bool


@dataclass(frozen=True)
class Tie:
    """`variable` is equal to `first`: they are the modes of an access that repeats `first`."""

    variable: str
    first: str


@dataclass(frozen=True)
class Derived:
    """An index variable that `access` tells by an expression over its level variables."""

    variable: str
    value: Expr
    access: str
    tie: Tie | None = None
    """What it is for, if it serves a tie."""

    @property
    def guards(self) -> bool:
        """Whether it lets pass only where its value is 0, since two variables are equal there."""
        return self.tie is not None and self.tie.variable != self.variable


@dataclass(frozen=True)
class IndexGraph:
    """Variables in the order written, and the edges of every access."""

    variables: tuple[str, ...]
    edges: tuple[Edge, ...]
    result: tuple[str, ...] = ()
    """The result's variables in the order of its levels."""
    lets: tuple[Derived, ...] = ()
    """The variables that have no loop."""

    @property
    def derived(self) -> frozenset[str]:
        """The names of `lets`."""
        return frozenset(let.variable for let in self.lets)

    @property
    def loops(self) -> tuple[str, ...]:
        """The variables that have a loop."""
        return tuple(v for v in self.variables if v not in self.derived)

    def with_edges(self, extra: Iterable[Edge]) -> IndexGraph:
        return replace(self, edges=(*self.edges, *extra))


@dataclass(frozen=True)
class Cycle:
    """Hard edges that no loop order satisfies, head to tail."""

    edges: tuple[Edge, ...]

    def __str__(self) -> str:
        return ", ".join(f"{e.source} -> {e.target} ({e.tensor})" for e in self.edges)


@dataclass(frozen=True)
class Ordering:
    """How loops came into order: what constrains them, the set of each, and the outcome."""

    graph: IndexGraph
    domains: Mapping[str, SetExpr]
    order: tuple[str, ...] | Cycle

    @property
    def loops(self) -> tuple[str, ...]:
        """The variables with a loop in the order that was found."""
        assert isinstance(self.order, tuple)
        return tuple(v for v in self.order if v not in self.graph.derived)


class Rank(NamedTuple):
    """What decides between variables that could come next, the smallest first: a field per rule."""

    culled: int
    """Sparse levels that meet in its intersection, negated."""
    runs_ahead: bool
    """Whether it comes before a variable that the result's storage puts first."""
    violations: int
    """Soft edges that it goes against."""
    written: int
    """Its place in the statement."""


def access_edges(access: Access, format: Format) -> list[Edge]:
    """The edges of an operand: hard into every level that has to be walked."""
    variables = level_variables(access, format)
    edges: list[Edge] = []
    for k, target in enumerate(variables):
        walked = not format.properties(k).full or format.stored_modes[k] is None
        sources = variables[:k] if walked else variables[max(k - 1, 0) : k]
        edges.extend(Edge(source, target, access.tensor, walked) for source in sources)
    return edges


def result_edges(access: Access, format: Format) -> list[Edge]:
    """The edges of a result: hard out of every level that it appends to, soft in its tail."""
    variables, tail = level_variables(access, format), format.tail
    edges: list[Edge] = []
    for k, target in enumerate(variables):
        appended, located = variables[: min(k, tail)], variables[max(k - 1, tail) : k]
        edges.extend(Edge(source, target, access.tensor, True) for source in appended)
        edges.extend(Edge(source, target, access.tensor, False) for source in located)
    return edges


def index_graph(
    result: Access,
    operands: Sequence[Access],
    formats: Mapping[str, Format],
    ties: Sequence[Derived] = (),
) -> IndexGraph:
    """
    The index graph of a statement; variables in order of appearance, left side first.

    `ties` binds the variables that are equal to others. They count as written beside those, since
    the sooner it is known where they are equal the less there is to do.
    """
    levels = {a: level_variables(a, formats[a.tensor]) for a in (result, *operands)}
    present = {access.tensor for access in levels}
    ties = [tie for tie in ties if tie.access in present]
    used = {variable for variables in levels.values() for variable in variables}
    used |= {v for tie in ties for v in (tie.variable, *free_variables(tie.value))}
    named = _named(levels, ties)
    edges = result_edges(result, formats[result.tensor])
    for access in operands:
        edges.extend(access_edges(access, formats[access.tensor]))
    lets = (*_derived(operands, formats, used), *ties)
    for let in lets:
        needed = (v for v in named if v in free_variables(let.value))
        edges.extend(Edge(v, let.variable, let.access, True) for v in needed)
    variables = tuple(v for v in named if v in used)
    return IndexGraph(variables, tuple(dict.fromkeys(edges)), levels[result], lets)


def _named(levels: Mapping[Access, Sequence[str]], ties: Sequence[Derived]) -> dict[str, None]:
    """Every variable in the order written, tied ones right after what they are tied to."""
    beside: dict[str, dict[str, None]] = {}
    for tie in ties:
        if tie.tie is not None:
            beside.setdefault(tie.tie.first, {})[tie.tie.variable] = None
    named = (v for access, own in levels.items() for v in (*access.indices, *own))
    written = [w for v in named for w in (v, *beside.get(v, ()))]
    return dict.fromkeys((*written, *(tie.variable for tie in ties)))


def _derived(
    operands: Sequence[Access], formats: Mapping[str, Format], used: Set[str]
) -> Iterator[Derived]:
    """The index variables in use that an operand tells by an expression, each once."""
    found: set[str] = set()
    for access in operands:
        for mode in derived_modes(access, formats[access.tensor]):
            if mode.variable in used and mode.variable not in found:
                found.add(mode.variable)
                yield Derived(mode.variable, mode.value, access.tensor)


def loop_order(
    graph: IndexGraph, domains: Mapping[str, SetExpr], is_sparse: Callable[[Stored], bool]
) -> tuple[str, ...] | Cycle:
    """The loop order by the rules above, or a cycle of hard edges if there is none."""
    remaining, placed = list(graph.variables), list[str]()
    while remaining:
        ready = [v for v in remaining if not held_back(v, graph, placed)]
        if not ready:
            return _find_cycle(graph, remaining)
        told = [v for v in ready if v in graph.derived]
        best = next(iter(told), None) or min(
            ready, key=lambda v: rank(v, graph, placed, domains, is_sparse)
        )
        remaining.remove(best)
        placed.append(best)
    return tuple(placed)


def held_back(variable: str, graph: IndexGraph, placed: Sequence[str]) -> bool:
    """Whether a hard edge puts another variable before this one that is not placed yet."""
    return any(e.hard and e.target == variable and e.source not in placed for e in graph.edges)


def rank(
    variable: str,
    graph: IndexGraph,
    placed: Sequence[str],
    domains: Mapping[str, SetExpr],
    is_sparse: Callable[[Stored], bool],
) -> Rank:
    """How `variable` fares by the rules if it comes right after `placed`."""
    soft = sum(not e.hard and e.target == variable and e.source not in placed for e in graph.edges)
    return Rank(
        -culled_levels(domains[variable], is_sparse),
        _runs_ahead(variable, graph.result, placed),
        soft,
        graph.variables.index(variable),
    )


def culled_levels(domain: SetExpr, is_sparse: Callable[[Stored], bool]) -> int:
    """How many sparse levels meet in an intersection of two or more operand levels."""
    match domain:
        case Intersection(sets):
            stored = [leaf for s in sets for leaf in leaves(s)]
            inner = max(culled_levels(s, is_sparse) for s in sets)
            own = sum(map(is_sparse, stored)) if len(stored) > 1 else 0
            return max(inner, own)
        case Union(sets):
            return max(culled_levels(s, is_sparse) for s in sets)
        case _:
            return 0


def _runs_ahead(variable: str, result: Sequence[str], placed: Sequence[str]) -> bool:
    """Whether a result variable would come before one that its storage puts first."""
    if variable not in result:
        return False
    return any(before not in placed for before in result[: result.index(variable)])


def _find_cycle(graph: IndexGraph, remaining: Sequence[str]) -> Cycle:
    """Walks hard edges backwards among the remaining variables until one repeats."""
    path: list[Edge] = []
    seen = [remaining[0]]
    while True:
        edge = next(
            e for e in graph.edges if e.hard and e.target == seen[-1] and e.source in remaining
        )
        path.append(edge)
        if edge.source in seen:
            first = seen.index(edge.source)
            return Cycle(tuple(reversed(path[first:])))
        seen.append(edge.source)
