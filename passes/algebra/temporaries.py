"""
Which parts of a statement are computed first, into temporaries of their own.

1. *Reductions inside* an expression, as in `A(i,j) + sum(k, B(i,k) * C(k,j))`, where the loops of
   one nest would have to run all of it for every coordinate around.
2. *Factors of a product* that is reduced: `sum((k,l), A(i,k) * B(k,l) * C(l,j))` is
   `sum(l, T(i,l) * C(l,j))` with `T(i,l) = sum(k, A(i,k) * B(k,l))`: products distribute over sums.
3. *Terms of a union* of more sparse operands than one nest should merge: the cases grow as a power
   of their number.
4. *Sums that are factors*, as in `sum(k, (A(i,k) + B(i,k)) * (C(k,j) + D(k,j)))`: they would be
   merged again for each coordinate around, in as many cases as both have together.

1 and 2 are done where sparse operands are contracted, and the estimated cost of all parts together
is `BETTER` than that of one nest, or no nest of loops can run the whole; 4 if it is `ABOUT` the
same. A temporary is dense if
every loop that computes it runs over everything, and nothing is summed, so that it has an entry
everywhere, else sparse: a sum over a mode of size 0 has no entry.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations
from math import inf
from typing import Any

from tamale.dialects.cin.sets import SetExpr, Stored, Universe, leaves
from tamale.dialects.format.named import dense_format
from tamale.dialects.format.spec import Format
from tamale.dialects.format.statistics import Statistics
from tamale.dialects.level_variables import level_variables
from tamale.dialects.notation.ast import Access, Assignment, Expr, Reduce, free_variables
from tamale.dialects.operators import operator_named
from tamale.passes.algebra.derivation import derive_domain
from tamale.passes.algebra.estimates import COMBINED, Estimates, estimates_of
from tamale.passes.algebra.lattice import driven_by_universe
from tamale.passes.algebra.schedules import Schedule, Scheduler, target_format
from tamale.passes.algebra.simplification import simplify, substitute_all
from tamale.passes.algebra.terms import (
    accesses_in,
    additive_terms,
    chain,
    has_reduction,
    join,
    joined_terms,
    outermost_reductions,
    repeats_variables,
    substitute_expression,
)

BETTER, ABOUT = 1.5, 0.8
"""How many of the steps with temporaries one nest has to take so that they are better."""
ALIKE = 1.1
"""Of splits whose steps differ by less, the first one is taken."""
MOST_FACTORS = 4
"""Of products of more, the cheapest two are multiplied first, and then considered again."""
MOST_CASES = 30
"""About how many cases one nest may merge."""


@dataclass(frozen=True)
class Plan:
    """Statements to run one after the other, the last one the statement itself, and their cost."""

    statements: tuple[Assignment, ...]
    formats: Mapping[str, Format]
    """Of all operands, temporaries and the result."""
    cost: float
    statistics: Mapping[str, Statistics]
    """How large operands and temporaries are, as far as that is known or estimated."""


@dataclass(frozen=True)
class Part:
    """What could be computed first, and what it is to be replaced by."""

    value: Expr
    replaced: Expr
    """A part of the statement's expression."""
    by: Expr
    """What takes its place: it has the temporary."""
    temporary: Access
    better: float = BETTER
    """By how much the steps of one nest have to exceed those with the temporary."""


@dataclass(frozen=True)
class Splitter:
    """Splits statements; `formats` covers operands, results and temporaries."""

    formats: Mapping[str, Format]
    statistics: Mapping[str, Statistics]
    """How large operands are, as far as that is known, and temporaries, as estimated."""
    unappendable: str | None = None
    """The result whose levels cannot be appended to; those of temporaries can."""
    schedules: dict[Hashable, Schedule | None] = field(default_factory=dict[Hashable, Any])
    """What is known already: parts of statements come again and again."""

    def plan(self, statement: Assignment) -> Plan | None:
        """The statements to run; None if no loops can run the statement, or it needs no split."""
        if repeats_variables(statement):
            return None
        terms = self._merged_terms(statement.expression)
        if terms is not None:
            return self._in_halves(statement, *terms)
        return self._best(statement) if any(self._parts(statement.expression)) else None

    # Unions

    def _merged_terms(self, expression: Expr) -> tuple[str, list[Expr]] | None:
        """The operator and terms of a union that is too large."""
        operator, terms = joined_terms(expression)
        if operator_named(operator).counts_absent and operator not in ("max", "min"):
            return None
        cases = 1
        for term in terms:
            cases *= 2 * self._sparse_levels(term) + 1
        return (operator, terms) if len(terms) > 2 and cases > MOST_CASES else None

    def _sparse_levels(self, term: Expr) -> int:
        """The most levels of one operand of a term that have to be merged."""
        formats = [self.formats[a.tensor] for a in accesses_in(term)]
        sparse = [sum(not f.properties(k).full for k in range(len(f.levels))) for f in formats]
        return max(sparse, default=0)

    def _in_halves(self, statement: Assignment, operator: str, terms: list[Expr]) -> Plan | None:
        """Each half of the terms first, then the two together."""
        middle = (len(terms) + 1) // 2
        statements: list[Assignment] = []
        splitter, halves = self, list[Expr]()
        for half in (terms[:middle], terms[middle:]):
            value = join(operator, half)
            whole = len(half) == 1 and not outermost_reductions(value)
            if whole or self._may_lack(statement, value):
                halves.append(value)
                continue
            temporary = Access(splitter._fresh(), free_variables(value))
            first = Assignment(temporary, None, value)
            known = {**splitter.formats, temporary.tensor: splitter._formats_of(first)[0]}
            splitter = replace(splitter, formats=known)
            inner = splitter.plan(first) or splitter._alone(first)
            statements += inner.statements
            estimates = splitter._estimates(first)
            together = sum(estimates.entries(access.tensor) for access in accesses_in(value))
            estimated = splitter._estimated(first, together)
            statistics = {**inner.statistics, temporary.tensor: estimated}
            splitter = replace(splitter, formats=inner.formats, statistics=statistics)
            halves.append(temporary)
        last = replace(statement, expression=join(operator, halves))
        return Plan((*statements, last), splitter.formats, 0.0, splitter.statistics)

    def _may_lack(self, statement: Assignment, value: Expr) -> bool:
        """Whether a scalar, which always has its entry, would give a sparse result more entries."""
        dense = self.formats[statement.result.tensor].all_dense
        return not dense and not free_variables(value) and bool(self._sparse(value))

    # Contractions

    def _best(self, statement: Assignment, limit: float = inf) -> Plan | None:
        """
        The cheapest plan, as far as it costs less than `limit`; None if no nests can run the
        statement. Splits have to be better than the whole, but not than each other.
        """
        whole, best = self._whole(statement), None
        for part in self._parts(statement.expression):
            bound = limit / part.better if whole is None else min(limit, whole.cost) / part.better
            if best is not None:
                bound = min(bound, best.cost / ALIKE)
            split = self._computed_first(statement, part, bound)
            better = split is not None and (whole is None or split.cost * part.better < whole.cost)
            if split is not None and better and (best is None or split.cost * ALIKE < best.cost):
                best = split
        return best or whole

    def _whole(self, statement: Assignment) -> Plan | None:
        schedule = self._schedule(statement)
        return None if schedule is None else self._alone(statement, schedule.cost)

    def _alone(self, statement: Assignment, cost: float = 0.0) -> Plan:
        """The statement with nothing computed first."""
        return Plan((statement,), self.formats, cost, self.statistics)

    def _schedule(self, statement: Assignment) -> Schedule | None:
        used = [statement.result, *accesses_in(statement.expression)]
        names = {access.tensor for access in used}
        key = (
            statement,
            frozenset((name, self.formats[name]) for name in names),
            frozenset((name, s) for name, s in self.statistics.items() if name in names),
        )
        if key not in self.schedules:
            appendable = statement.result.tensor != self.unappendable
            scheduler = Scheduler(statement, self.formats, self.statistics, appendable=appendable)
            self.schedules[key] = scheduler.best()
        return self.schedules[key]

    def _parts(self, expression: Expr) -> Iterator[Part]:
        """What could be computed first, if it contracts sparse operands."""
        name = self._fresh()
        if isinstance(expression, Reduce):
            factors = chain("mul", expression.body)
            yield from self._sums(factors, name)
            if len(factors) > MOST_FACTORS:
                yield from self._cheapest_of(self._factors(expression, factors, (2,), name))
            else:
                yield from self._factors(expression, factors, range(2, len(factors)), name)
            expression = expression.body
        for reduction in outermost_reductions(expression):
            temporary = Access(name, free_variables(reduction))
            if temporary.indices and self._contracts(reduction):
                yield Part(reduction, reduction, temporary, temporary)

    def _factors(
        self, reduction: Reduce, factors: Sequence[Expr], counts: Iterable[int], name: str
    ) -> Iterator[Part]:
        """Some of the factors of a product that is summed; `counts` says how many."""
        if reduction.operator != "add":
            return
        for count in counts:
            for chosen in combinations(range(len(factors)), count):
                inside = [factors[k] for k in chosen]
                rest = [f for k, f in enumerate(factors) if k not in chosen]
                outside = {v for factor in rest for v in free_variables(factor)}
                own = {v for factor in inside for v in free_variables(factor)} - outside
                summed = tuple(v for v in reduction.variables if v in own)
                left = tuple(v for v in reduction.variables if v not in own)
                value = Reduce("add", summed, join("mul", inside))
                temporary = Access(name, free_variables(value))
                if not summed or not temporary.indices or not self._contracts(value):
                    continue
                if any(_only_widens(inside, k, summed) for k in range(count)):
                    continue
                product = join("mul", [temporary, *rest])
                by = Reduce("add", left, product) if left else product
                yield Part(value, reduction, by, temporary)

    def _sums(self, factors: Sequence[Expr], name: str) -> Iterator[Part]:
        """The factors that are sums of sparse operands, met again for each entry of another."""
        for factor in factors:
            own = free_variables(factor)
            others = [other for other in factors if not set(free_variables(other)) <= set(own)]
            is_sum = len(additive_terms(factor)) > 1 and not has_reduction(factor)
            if own and is_sum and self._contracts(factor) and any(map(self._sparse, others)):
                temporary = Access(name, own)
                yield Part(factor, factor, temporary, temporary, ABOUT)

    def _sparse(self, expression: Expr) -> list[Access]:
        """The sparse operands of an expression."""
        return [a for a in accesses_in(expression) if not self.formats[a.tensor].all_dense]

    def _contracts(self, expression: Expr) -> bool:
        """Whether two or more sparse operands meet."""
        return len(self._sparse(expression)) > 1

    def _cheapest_of(self, parts: Iterable[Part]) -> Iterator[Part]:
        """The part that is computed at the least cost, of those that can be."""
        found = [(step[1].cost, part) for part in parts if (step := self._step(part)) is not None]
        if found:
            yield min(found, key=lambda pair: pair[0])[1]

    def _step(self, part: Part) -> tuple[Splitter, Schedule] | None:
        """How a part is computed as a whole: with its temporary in the best of its formats."""
        first = Assignment(part.temporary, None, part.value)
        splitters = [
            replace(self, formats={**self.formats, part.temporary.tensor: format})
            for format in self._formats_of(first)
        ]
        found = [(s, schedule) for s in splitters if (schedule := s._schedule(first)) is not None]
        return min(found, key=lambda pair: pair[1].cost, default=None)

    def _computed_first(self, statement: Assignment, part: Part, limit: float) -> Plan | None:
        """The statement after a part of it, if that costs less than `limit`."""
        name = part.temporary.tensor
        first = Assignment(part.temporary, None, part.value)
        step = self._step(part)
        if step is None:
            return None
        splitter, schedule = step
        inner = splitter._best(first) if schedule.cost < limit else None
        if inner is None:
            return None
        estimated = splitter._estimated(first, schedule.runs / COMBINED)
        rest = substitute_expression(statement.expression, part.replaced, part.by)
        statistics = {**inner.statistics, name: estimated}
        after = replace(self, formats=inner.formats, statistics=statistics)
        outer = after._best(replace(statement, expression=rest), limit - inner.cost)
        if outer is None:
            return None
        statements = (*inner.statements, *outer.statements)
        return Plan(statements, outer.formats, inner.cost + outer.cost, outer.statistics)

    def _estimated(self, first: Assignment, inserted: float) -> Statistics:
        """How large a temporary will be that gets so many entries at the most."""
        temporary, estimates = first.result, self._estimates(first)
        everything = estimates.everywhere(temporary.indices)
        dense = self.formats[temporary.tensor].all_dense
        entries = everything if dense else min(inserted, everything)
        sizes = [estimates.sizes.get(v) for v in temporary.indices]
        return Statistics(
            tuple(None if size is None else int(size) for size in sizes),
            (*[None] * (len(sizes) - 1), max(round(entries), 1)),
        )

    def _estimates(self, statement: Assignment) -> Estimates:
        return estimates_of(statement, self.formats, self.statistics)

    # Temporaries

    def _fresh(self) -> str:
        name, number = "T", 2
        while name in self.formats:
            name, number = f"T{number}", number + 1
        return name

    def _formats_of(self, first: Assignment) -> Sequence[Format]:
        """The formats that a temporary could have."""
        indices = first.result.indices
        operands = accesses_in(first.expression)
        if any(map(self._is_everywhere, additive_terms(first.expression))):
            return (dense_format(len(indices)),)
        sparse = next(
            (f for a in operands if not (f := self.formats[a.tensor]).all_dense),
            dense_format(len(indices)),
        )
        widths = dense_format(len(indices)).with_widths(pos=sparse.pos, crd=sparse.crd)
        if len(indices) != 2:
            return (target_format(first.result, widths, self._natural(first)),)
        estimates = self._estimates(first)
        entries = max(estimates.entries(a.tensor) for a in operands)
        return tuple(
            target_format(
                first.result, widths, order, rows=estimates.keeps_rows(order[0], entries)
            )
            for order in permutations(indices)
        )

    def _natural(self, first: Assignment) -> tuple[str, ...]:
        """The order in which the operands of a statement are stored, as far as it goes."""
        indices = first.result.indices
        stored = [
            v
            for a in accesses_in(first.expression)
            if not self.formats[a.tensor].all_dense and self.formats[a.tensor].is_permutation
            for v in level_variables(a, self.formats[a.tensor])
        ]
        return tuple(v for v in dict.fromkeys((*stored, *indices)) if v in indices)

    def _is_everywhere(self, term: Expr) -> bool:
        """Whether a term has an entry at every point, whatever operands store and sizes are."""
        variables = free_variables(term)
        return not has_reduction(term) and all(
            self._runs_over_everything(term, v) for v in variables
        )

    def _runs_over_everything(self, expression: Expr, variable: str) -> bool:
        domain = simplify(derive_domain(expression, variable, set()), variable)
        full: dict[Stored, SetExpr] = {
            leaf: Universe(variable)
            for leaf in leaves(domain)
            if self.formats[leaf.access].all_dense
        }
        return driven_by_universe(substitute_all(domain, full, variable))


def _only_widens(factors: Sequence[Expr], k: int, summed: Sequence[str]) -> bool:
    """Whether a factor takes no part in a sum, and the others do not have all its variables."""
    others = {v for n, factor in enumerate(factors) if n != k for v in free_variables(factor)}
    own = set(free_variables(factors[k]))
    return not own & set(summed) and not own <= others
