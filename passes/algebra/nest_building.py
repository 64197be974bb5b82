"""
Nests as values, and how one is built around a statement once the order of its loops is known.

A loop runs over a level variable. It belongs where all index variables that its level tells about
are loops: `j_sub_i` inside a reduction over j, `i_div_2` around it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeGuard

from tamale.dialects.cin.sets import SetExpr
from tamale.dialects.format.expressions import Expr as LevelExpr
from tamale.dialects.notation.ast import Access, Assignment, Expr, Reduce
from tamale.passes.algebra.derivation import derive_domain
from tamale.passes.algebra.loop_order import Derived
from tamale.passes.algebra.mixing import check_loop
from tamale.passes.algebra.stored_variables import StoredVariables
from tamale.passes.algebra.terms import (
    free_in,
    outermost_reductions,
    substitute_expression,
)


@dataclass(frozen=True)
class Loop:
    """`forall variable in domain: body`."""

    variable: str
    domain: SetExpr
    body: Nest


@dataclass(frozen=True)
class Let:
    """`let variable = value: body`, an index variable that `access` stores by other expressions."""

    variable: str
    value: LevelExpr
    access: str
    body: Nest
    guards: bool = False
    """Whether the body runs only where the value is 0."""


@dataclass(frozen=True)
class Where:
    """`consumer where producer`, through a scalar."""

    workspace: str
    consumer: Nest
    producer: Nest


Nest: TypeAlias = Loop | Let | Where | Assignment


@dataclass(frozen=True)
class NestBuilder:
    """Builds the nests of parts of one statement."""

    statement: Assignment
    stored: StoredVariables
    order: Sequence[str]
    """Loops and lets, outermost first."""
    lets: Mapping[str, Derived]

    def build(
        self,
        target: Access,
        operator: str | None,
        expression: Expr,
        bound: tuple[str, ...] = (),
        workspaces: tuple[str, ...] = (),
    ) -> Nest:
        """
        Loops over the free variables of `target op= expression` that are not bound outside, in the
        producers of some workspaces.
        """
        body, merged = expression, operator
        variables = set(target.indices)
        if is_merged(expression, operator):
            body, merged = expression.body, expression.operator
            variables |= set(expression.variables)
        variables |= free_in(body)
        loops = [v for v in self.order if self._scope(v) <= variables and v not in bound]
        if merged is None and any(v in self.stored.private for v in loops):
            # Slots may repeat a coordinate, in padding or as duplicates.
            merged = "add"
        domains = [
            self._domain(v, expression, (*bound, *loops[:depth])) for depth, v in enumerate(loops)
        ]
        inner = self._inner(body, (*bound, *loops), workspaces)
        workspaces = (*workspaces, *(name for _, name in inner))
        for reduction, name in inner:
            body = substitute_expression(body, reduction, Access(name))
        nest: Nest = Assignment(target, merged, body)
        for depth in range(len(loops), -1, -1):
            outside = (*bound, *loops[:depth])
            for reduction, name in reversed(inner):
                if depth == self._depth(reduction, loops):
                    producer = self.build(
                        Access(name), reduction.operator, reduction, outside, workspaces
                    )
                    nest = Where(name, nest, producer)
            if depth:
                nest = self._loop(loops[depth - 1], domains[depth - 1], nest)
        return nest

    def _loop(self, variable: str, domain: SetExpr | None, body: Nest) -> Nest:
        if domain is not None:
            return Loop(variable, domain, body)
        let = self.lets[variable]
        return Let(variable, let.value, let.access, body, let.guards)

    def _depth(self, reduction: Reduce, loops: Sequence[str]) -> int:
        """How many loops have to be outside of a reduction, which runs no more often than that."""
        free = free_in(reduction)
        return max((k for k, v in enumerate(loops, 1) if self._scope(v) & free), default=0)

    def _scope(self, variable: str) -> frozenset[str]:
        """The index variables that a loop or let tells about; a guard belongs to what it ties."""
        let = self.lets.get(variable)
        if let is not None and let.tie is not None:
            return frozenset((let.tie.variable,))
        return self.stored.scope(variable)

    def _domain(self, variable: str, expression: Expr, outside: tuple[str, ...]) -> SetExpr | None:
        """What the loop of a variable visits; None for one that has no loop."""
        if variable in self.lets:
            return None
        levels = self.stored.in_levels(expression)
        domain = derive_domain(levels, variable, dict.fromkeys(outside).keys())
        check_loop(variable, domain, self.statement, self.stored)
        return domain

    def _inner(
        self, body: Expr, bound: Sequence[str], workspaces: Sequence[str]
    ) -> list[tuple[Reduce, str]]:
        """The reductions that an expression contains, each with a workspace of its own."""
        inner = list(dict.fromkeys(outermost_reductions(body)))
        names = self._workspace_names(len(inner), bound, workspaces)
        return list(zip(inner, names, strict=True))

    def _workspace_names(
        self, count: int, bound: Sequence[str], workspaces: Sequence[str]
    ) -> list[str]:
        """Names of scalars that clash with nothing; deeper ones carry the loops' variables."""
        taken = {*self.stored.accesses, *self.order, *workspaces}
        depth = "".join(v for v in bound if v not in self.statement.result.indices)
        names: list[str] = []
        for k in range(count):
            name = "t" + depth + (str(k + 1) if count > 1 else "")
            while name in taken:
                name += "_"
            taken.add(name)
            names.append(name)
        return names


def is_merged(expression: Expr, operator: str | None) -> TypeGuard[Reduce]:
    """Whether `target operator= expression` is a reduction that accumulates right in the target."""
    return isinstance(expression, Reduce) and operator in (None, expression.operator)
