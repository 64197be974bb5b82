"""
From a statement of index notation to loop nests, as values; `concretize` puts them into cin.

One nest serves the whole statement where the loops of its reductions can run inside the loops of
its result: `y(i) = b(i) - sum(j, A(i,j) * x(j))` is a loop over i that first fills a scalar. Where
the operands' storage forbids that, a dense result is computed term by term, each with its own
loops. A sparse result would need a workspace.

Source: Kjolstad et al., CGO 2019 (where); the splitting into terms is ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeGuard

from tamale.dialects.cin.sets import SetExpr, Stored
from tamale.dialects.errors import ScheduleError
from tamale.dialects.format.spec import Format
from tamale.dialects.notation.ast import Access, Assignment, Call, Expr, Reduce, to_text, walk
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
from tamale.passes.algebra.simplification import simplify


@dataclass(frozen=True)
class Loop:
    """`forall variable in domain: body`."""

    variable: str
    domain: SetExpr
    body: Nest


@dataclass(frozen=True)
class Where:
    """`consumer where producer`, through a scalar."""

    workspace: str
    consumer: Nest
    producer: Nest


Nest: TypeAlias = Loop | Where | Assignment


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

    def plan(self) -> tuple[Nest, ...]:
        """
        The nests that compute the statement, to be run one after the other.

        Raises:
            ScheduleError: no loop order fits every operand.
        """
        return tuple(
            self._nest(self.statement.result, part.operator, part.expression, self._loops(part))
            for part in self.parts()
        )

    def parts(self) -> tuple[Part, ...]:
        """
        The statement as a whole if one loop order fits it, else its terms.

        Raises:
            ScheduleError: no loop order fits every operand.
        """
        fused = self._part(None, self.statement.expression)
        operator, terms = joined_terms(self.statement.expression)
        splits = len(terms) > 1 and self.formats[self.statement.result.tensor].all_dense
        if not isinstance(fused.ordering.order, Cycle) or not splits:
            self._loops(fused)
            return (fused,)
        return tuple(self._term_parts(operator, terms))

    def _term_parts(self, operator: str, terms: Sequence[Expr]) -> Iterator[Part]:
        """Plain terms are assigned together, the others joined to them one by one."""
        plain = [term for term in terms if not has_reduction(term)]
        if plain:
            yield self._part(None, join(operator, plain))
        for term in terms:
            if has_reduction(term):
                yield self._part(operator, term)

    def _part(self, operator: str | None, expression: Expr) -> Part:
        ordering = self._ordering(self.statement.result, operator, expression)
        return Part(operator, expression, ordering)

    def _loops(self, part: Part) -> tuple[str, ...]:
        order = part.ordering.order
        if isinstance(order, Cycle):
            raise ScheduleError(self._refusal(order))
        return order

    def _ordering(self, result: Access, operator: str | None, expression: Expr) -> Ordering:
        """A loop order under which every inner reduction fits inside the loops around it."""
        operands = [a for a in dict.fromkeys(walk(expression)) if isinstance(a, Access)]
        graph = index_graph(result, operands, self.formats).with_edges(
            nesting_edges(result, operator, expression)
        )
        domains = {v: simplify(derive_domain(expression, v, set()), v) for v in graph.variables}
        order = loop_order(graph, domains, self.is_sparse)
        if isinstance(order, Cycle) or not self._scatters(result, order):
            return Ordering(graph, domains, order)
        stricter = graph.with_edges(_reductions_last(graph))
        inside = loop_order(stricter, domains, self.is_sparse)
        if isinstance(inside, Cycle):
            return Ordering(graph, domains, order)
        return Ordering(stricter, domains, inside)

    def _scatters(self, result: Access, order: Sequence[str]) -> bool:
        """Whether a result that appends lies inside a reduction."""
        if self.formats[result.tensor].all_dense:
            return False
        last = max((order.index(v) for v in result.indices), default=-1)
        return any(v not in result.indices for v in order[: last + 1])

    def is_sparse(self, leaf: Stored) -> bool:
        """Whether the leaf's level stores only some coordinates."""
        format = self.formats[leaf.access]
        access = next(a for a in self._accesses() if a.tensor == leaf.access)
        return not format.properties(format.level_of_mode[access.indices.index(leaf.variable)]).full

    def _accesses(self) -> Iterator[Access]:
        yield self.statement.result
        yield from (a for a in walk(self.statement.expression) if isinstance(a, Access))

    def _nest(
        self,
        target: Access,
        operator: str | None,
        expression: Expr,
        order: Sequence[str],
        bound: tuple[str, ...] = (),
    ) -> Nest:
        """Loops over the free variables of `target op= expression` that are not bound outside."""
        body, merged = expression, operator
        variables = set(target.indices)
        if is_merged(expression, operator):
            body, merged = expression.body, expression.operator
            variables |= set(expression.variables)
        variables |= free_in(body)
        loops = [v for v in order if v in variables and v not in bound]
        nest = self._innermost(target, merged, body, order, (*bound, *loops))
        for depth in reversed(range(len(loops))):
            outside = (*bound, *loops[:depth])
            domain = derive_domain(expression, loops[depth], dict.fromkeys(outside).keys())
            nest = Loop(loops[depth], domain, nest)
        return nest

    def _innermost(
        self,
        target: Access,
        operator: str | None,
        body: Expr,
        order: Sequence[str],
        bound: tuple[str, ...],
    ) -> Nest:
        """The statement itself, behind a workspace per reduction that it contains."""
        inner = list(dict.fromkeys(outermost_reductions(body)))
        names = self._workspace_names(len(inner), bound)
        for reduction, name in zip(inner, names, strict=True):
            body = substitute_expression(body, reduction, Access(name))
        nest: Nest = Assignment(target, operator, body)
        for reduction, name in reversed(list(zip(inner, names, strict=True))):
            producer = self._nest(Access(name), reduction.operator, reduction, order, bound)
            nest = Where(name, nest, producer)
        return nest

    def _workspace_names(self, count: int, bound: Sequence[str]) -> list[str]:
        """Names of scalars that clash with nothing; deeper ones carry the loop's variable."""
        taken = {a.tensor for a in self._accesses()} | set(bound)
        depth = "".join(bound[len(self.statement.result.indices) :])
        names: list[str] = []
        for k in range(count):
            name = "t" + depth + (str(k + 1) if count > 1 else "")
            while name in taken:
                name += "_"
            taken.add(name)
            names.append(name)
        return names

    def _refusal(self, cycle: Cycle) -> str:
        lines = [f"concretize: no loop order fits every operand of  {to_text(self.statement)}"]
        for access in dict.fromkeys(self._accesses()):
            format = self.formats[access.tensor]
            if format.all_dense or len(access.indices) < 2:
                continue
            order = [access.indices[mode] for mode in format.mode_order]
            lines.append(f"  {access.tensor} is stored {' before '.join(order)}: {format}")
        lines.append(f"  cycle: {cycle}")
        lines.append("  help: store one of the tensors in the other order")
        return "\n".join(lines)


def is_merged(expression: Expr, operator: str | None) -> TypeGuard[Reduce]:
    """Whether `target operator= expression` is a reduction that accumulates right in the target."""
    return isinstance(expression, Reduce) and operator in (None, expression.operator)


def nesting_edges(target: Access, operator: str | None, expression: Expr) -> Iterator[Edge]:
    """Edges that keep the loops of inner reductions inside the loops of what surrounds them."""
    variables = set(target.indices)
    body = expression
    if is_merged(expression, operator):
        body, variables = expression.body, variables | set(expression.variables)
    variables |= free_in(body)
    yield from _inner_edges(body, variables)


def _inner_edges(body: Expr, outside: set[str]) -> Iterator[Edge]:
    for reduction in outermost_reductions(body):
        for inner in reduction.variables:
            yield from (Edge(outer, inner, "sum", True) for outer in sorted(outside))
        yield from _inner_edges(reduction.body, outside | set(reduction.variables))


def _reductions_last(graph: IndexGraph) -> Iterator[Edge]:
    for inner in graph.variables:
        if inner not in graph.result:
            yield from (Edge(outer, inner, "result", True) for outer in graph.result)


def outermost_reductions(expression: Expr) -> Iterator[Reduce]:
    """The reductions in `expression` that no other one contains."""
    if isinstance(expression, Reduce):
        yield expression
    elif isinstance(expression, Call):
        for argument in expression.arguments:
            yield from outermost_reductions(argument)


def has_reduction(expression: Expr) -> bool:
    return any(isinstance(node, Reduce) for node in walk(expression))


def free_in(expression: Expr) -> set[str]:
    """The index variables used outside of reductions that bind them."""
    match expression:
        case Access(indices=indices):
            return set(indices)
        case Reduce(variables=variables, body=body):
            return free_in(body) - set(variables)
        case Call(arguments=arguments):
            return set[str]().union(*(free_in(a) for a in arguments))
        case _:
            return set()


def substitute_expression(expression: Expr, old: Expr, new: Expr) -> Expr:
    if expression == old:
        return new
    if isinstance(expression, Call):
        arguments = tuple(substitute_expression(a, old, new) for a in expression.arguments)
        return Call(expression.operator, arguments)
    return expression


def joined_terms(expression: Expr) -> tuple[str, list[Expr]]:
    """The operator that joins the top of an expression, and its terms; sums include differences."""
    match expression:
        case Call(operator=name) if name not in ("add", "sub", "neg"):
            if operator_named(name).reduction_identity is None:
                return name, [expression]
            return name, _chain(name, expression)
        case _:
            return "add", additive_terms(expression)


def _chain(name: str, expression: Expr) -> list[Expr]:
    match expression:
        case Call(operator=operator, arguments=arguments) if operator == name:
            return [term for argument in arguments for term in _chain(name, argument)]
        case _:
            return [expression]


def additive_terms(expression: Expr, *, negative: bool = False) -> list[Expr]:
    """The terms that `+`, `-` and unary minus join, signs moved inside sums."""
    match expression:
        case Call(operator="add", arguments=(a, b)):
            return additive_terms(a, negative=negative) + additive_terms(b, negative=negative)
        case Call(operator="sub", arguments=(a, b)):
            return additive_terms(a, negative=negative) + additive_terms(b, negative=not negative)
        case Call(operator="neg", arguments=(a,)):
            return additive_terms(a, negative=not negative)
        case Reduce(operator="add", variables=variables, body=body) if negative:
            return [Reduce("add", variables, Call("neg", (body,)))]
        case _:
            return [Call("neg", (expression,)) if negative else expression]


def join(operator: str, terms: Sequence[Expr]) -> Expr:
    """The terms joined by an operator, negative ones of a sum subtracted."""
    total = terms[0]
    for term in terms[1:]:
        match term:
            case Call(operator="neg", arguments=(inner,)) if operator == "add":
                total = Call("sub", (total, inner))
            case _:
                total = Call(operator, (total, term))
    return total
