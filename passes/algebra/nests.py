"""
From a statement of index notation to loop nests, as values; `concretize` puts them into cin.

One nest serves the whole statement where the loops of its reductions can run inside the loops of
its result: `y(i) = b(i) - sum(j, A(i,j) * x(j))` is a loop over i that first fills a scalar. That
lies outside of all loops that the reduction does not need: `A(i,j) / sum(k, A(i,k))` sums once for
a row. Where the operands' storage forbids that, a dense result is computed term by term, each with
its own loops; `Z(i,j) = A(i,j) + B(i,j)` as well, where the levels of A and B store different
expressions. A sparse result would need a workspace.

Source: Kjolstad et al., CGO 2019 (where); the splitting into terms is ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from tamale.dialects.cin.scope import level_of
from tamale.dialects.cin.sets import Stored
from tamale.dialects.errors import ScheduleError
from tamale.dialects.format.spec import Format
from tamale.dialects.level_variables import level_variables
from tamale.dialects.notation.ast import Access, Assignment, Expr, to_text
from tamale.dialects.operators import operator_named
from tamale.passes.algebra.derivation import derive_domain
from tamale.passes.algebra.loop_order import (
    Cycle,
    Edge,
    IndexGraph,
    Ordering,
    index_graph,
    loop_order,
)
from tamale.passes.algebra.mixing import check_result, check_sharing, conversion_help
from tamale.passes.algebra.nest_building import Nest, NestBuilder, is_merged
from tamale.passes.algebra.scattering import outside_reductions
from tamale.passes.algebra.simplification import simplify
from tamale.passes.algebra.stored_variables import StoredVariables
from tamale.passes.algebra.terms import (
    accesses_in,
    free_in,
    has_reduction,
    join,
    joined_terms,
    outermost_reductions,
)
from tamale.passes.algebra.ties import Untied, untie
from tamale.passes.algebra.visits import check_visits


@dataclass(frozen=True)
class Part:
    """What one nest computes, `result operator= expression`, and how its loops came into order."""

    operator: str | None
    expression: Expr
    ordering: Ordering


@dataclass(frozen=True)
class Planner:
    """Plans the nests of one statement; `formats` covers its operands and its result."""

    statement: Assignment
    formats: Mapping[str, Format]
    order: tuple[str, ...] | None = None
    """The loops that were asked for, outermost first."""

    def plan(self) -> tuple[Nest, ...]:
        """
        The nests that compute the statement, to be run one after the other.

        Raises:
            ScheduleError: no loops fit every operand.
        """
        return tuple(self._part_nest(part) for part in self.parts())

    def parts(self) -> tuple[Part, ...]:
        """
        The statement as a whole if one nest fits all its operands, else its terms.

        Raises:
            ScheduleError: no loops fit every operand.
        """
        check_result(self.statement, self.formats)
        self._check_order()
        expression = self.untied.expression
        operator, terms = joined_terms(expression)
        try:
            return (self._checked(None, expression),)
        except ScheduleError:
            if len(terms) < 2 or not self._may_split(operator):
                raise
        return tuple(self._term_parts(operator, terms))

    def _check_order(self) -> None:
        """
        Raises:
            ScheduleError: the order that was asked for is not one of all loops.
        """
        if self.order is None:
            return
        accesses = accesses_in(self.untied.expression)
        graph = index_graph(self.untied.result, accesses, self.formats, self.untied.lets)
        loops = graph.loops
        if sorted(self.order) != sorted(loops):
            raise ScheduleError(
                f"concretize: the order {', '.join(self.order)} was asked for, but the loops of  "
                f"{to_text(self.statement)}  are {', '.join(loops)}\n"
                "  help: name each of them once, outermost first"
            )

    def _may_split(self, operator: str) -> bool:
        """
        Whether terms can be joined to the result one by one.

        It has to be dense, and what a term does not visit has to be right already; or else the
        term's levels can be merged with all coordinates.
        """
        if not self.formats[self.statement.result.tensor].all_dense:
            return False
        if not operator_named(operator).counts_absent:
            return True
        return all(
            format.is_permutation and format.properties(k).ordered
            for format in self.formats.values()
            for k in range(len(format.levels))
        )

    def _term_parts(self, operator: str, terms: Sequence[Expr]) -> Iterator[Part]:
        """Plain terms are assigned together if possible, the others joined to them one by one."""
        plain = [term for term in terms if not has_reduction(term)]
        if plain:
            yield from self._plain_parts(operator, plain)
        for term in terms:
            if has_reduction(term):
                yield self._checked(operator, term)

    def _plain_parts(self, operator: str, terms: Sequence[Expr]) -> tuple[Part, ...]:
        """Terms without reductions, assigned together if one nest fits them, else added up."""
        try:
            return (self._checked(None, join(operator, terms)),)
        except ScheduleError:
            if len(terms) < 2 or operator_named(operator).counts_absent:
                raise
        return tuple(self._checked(operator, term) for term in terms)

    def _checked(self, operator: str | None, expression: Expr) -> Part:
        """The part, whose loops fit all its operands."""
        check_sharing(self.statement, accesses_in(expression), self.formats)
        ordering = self._ordering(self.untied.result, operator, expression)
        part = Part(operator, expression, ordering)
        self._part_nest(part)
        return part

    def _part_nest(self, part: Part) -> Nest:
        if isinstance(part.ordering.order, Cycle):
            raise ScheduleError(self._refusal(part.ordering.order))
        lets = {let.variable: let for let in part.ordering.graph.lets}
        nests = NestBuilder(self.statement, self.stored, part.ordering.order, lets)
        nest = nests.build(self.untied.result, part.operator, part.expression)
        check_visits(nest, self.statement, self.stored)
        return nest

    def _ordering(self, result: Access, operator: str | None, expression: Expr) -> Ordering:
        """A loop order under which every inner reduction fits inside the loops around it."""
        graph = index_graph(result, accesses_in(expression), self.formats, self.untied.lets)
        graph = graph.with_edges(nesting_edges(result, operator, expression, graph, self.stored))
        if self.order is not None:
            graph = graph.with_edges(asked_edges(self.order, graph))
        levels = self.stored.in_levels(expression)
        domains = {v: simplify(derive_domain(levels, v, set()), v) for v in graph.loops}
        order = loop_order(graph, domains, self.is_sparse)
        once = self._once(graph)
        if isinstance(order, Cycle) or self.order:
            return Ordering(graph, domains, order)
        reduced = expression.operator if is_merged(expression, operator) else None
        outer = outside_reductions(graph.result, self.formats[result.tensor], reduced)
        if not self._runs_again(result, outer, order, once):
            return Ordering(graph, domains, order)
        stricter = graph.with_edges(_reductions_last(graph, outer, once))
        inside = loop_order(stricter, domains, self.is_sparse)
        if isinstance(inside, Cycle):
            return Ordering(graph, domains, order)
        return Ordering(stricter, domains, inside)

    def _once(self, graph: IndexGraph) -> Set[str]:
        """The variables whose loops do not make what is inside run again."""
        return self.untied.walked | graph.derived

    def _runs_again(
        self, result: Access, outer: Sequence[str], order: Sequence[str], once: Set[str]
    ) -> bool:
        """Whether a reduction has a loop outside of one of the loops `outer` of the result."""
        whole = len(outer) == len(self.formats[result.tensor].levels)
        last = max((order.index(v) for v in (result.indices if whole else outer)), default=-1)
        return any(v not in result.indices and v not in once for v in order[: last + 1])

    def is_sparse(self, leaf: Stored) -> bool:
        """Whether the leaf's level stores only some coordinates."""
        level = level_of(leaf, self.stored.accesses, self.formats)
        return not self.formats[leaf.access].properties(level).full

    @cached_property
    def untied(self) -> Untied:
        """The statement with a variable for each mode of an access."""
        return untie(self.statement, self.formats)

    @cached_property
    def stored(self) -> StoredVariables:
        """The level variables of the statement's accesses."""
        accesses = (self.untied.result, *accesses_in(self.untied.expression))
        return StoredVariables({a.tensor: a for a in accesses}, self.formats)

    def _refusal(self, cycle: Cycle) -> str:
        lines = [f"concretize: no loop order fits every operand of  {to_text(self.statement)}"]
        for access in self.stored.accesses.values():
            format = self.formats[access.tensor]
            if format.all_dense or len(format.levels) < 2:
                continue
            order = level_variables(access, format)
            lines.append(f"  {access.tensor} is stored {' before '.join(order)}: {format}")
        lines.append(f"  cycle: {cycle}")
        lines.append(f"  help: {self._remedy()}")
        return "\n".join(lines)

    def _remedy(self) -> str:
        if self.order is not None:
            return "ask for another order of the loops, or for none"
        for access in accesses_in(self.untied.expression):
            if not self.formats[access.tensor].is_permutation:
                return conversion_help(access)
        return "store one of the tensors in the other order"


def asked_edges(order: Sequence[str], graph: IndexGraph) -> Iterator[Edge]:
    """Edges between successive loops that were asked for, of those that the graph has."""
    loops = [variable for variable in order if variable in graph.loops]
    yield from (Edge(a, b, "order", True) for a, b in pairwise(loops))


def nesting_edges(
    target: Access,
    operator: str | None,
    expression: Expr,
    graph: IndexGraph,
    stored: StoredVariables,
) -> Iterator[Edge]:
    """Edges that keep the loops of inner reductions inside the loops of what surrounds them."""
    variables = set(target.indices)
    body = expression
    if is_merged(expression, operator):
        body, variables = expression.body, variables | set(expression.variables)
    variables |= free_in(body)
    for outside, inside in _nested(body, variables):
        around = [v for v in graph.variables if stored.scope(v) <= outside]
        for inner in graph.variables:
            if stored.scope(inner) <= inside and inner not in around:
                yield from (Edge(outer, inner, "sum", True) for outer in sorted(around))


def _nested(body: Expr, outside: set[str]) -> Iterator[tuple[set[str], set[str]]]:
    """For every reduction inside: the index variables around it, and those and its own."""
    for reduction in outermost_reductions(body):
        inside = outside | set(reduction.variables)
        yield outside, inside
        yield from _nested(reduction.body, inside)


def _reductions_last(graph: IndexGraph, outer: Sequence[str], once: Set[str]) -> Iterator[Edge]:
    for inner in graph.variables:
        if inner not in graph.result and inner not in once:
            yield from (Edge(variable, inner, "result", True) for variable in outer)
