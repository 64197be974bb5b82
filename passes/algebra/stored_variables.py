"""Which variables the accesses of a statement are stored by, and what they tell about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from tamale.dialects.format.expressions import Expr as LevelExpr
from tamale.dialects.format.expressions import Var, counters, free_variables
from tamale.dialects.format.spec import Format
from tamale.dialects.level_variables import in_index_variables, level_variables
from tamale.dialects.notation.ast import Access, Call, Expr, Literal, Reduce


@dataclass(frozen=True)
class StoredVariables:
    """The level variables of named accesses."""

    accesses: Mapping[str, Access]
    formats: Mapping[str, Format]

    def of(self, access: Access) -> tuple[str, ...]:
        """The level variables of an access; a workspace has none."""
        format = self.formats.get(access.tensor)
        return () if format is None else level_variables(access, format)

    def scope(self, variable: str) -> frozenset[str]:
        """The index variables that a loop over `variable` tells about."""
        return self._scopes.get(variable, frozenset((variable,)))

    def is_plain(self, variable: str) -> bool:
        """Whether it is an index variable."""
        return self.scope(variable) == frozenset((variable,))

    @cached_property
    def _scopes(self) -> dict[str, frozenset[str]]:
        scopes: dict[str, frozenset[str]] = {}
        for access, variable, expression in self._levels:
            if not isinstance(expression, Var):
                counted = bool(counters(expression))
                scopes[variable] = (
                    frozenset(access.indices) if counted else free_variables(expression)
                )
        return scopes

    @cached_property
    def private(self) -> frozenset[str]:
        """The level variables of counters: they number the entries of one access."""
        return frozenset(v for _, v, expression in self._levels if counters(expression))

    @cached_property
    def _levels(self) -> tuple[tuple[Access, str, LevelExpr], ...]:
        """Access, level variable and expression of every level."""
        return tuple(
            (access, variable, in_index_variables(level.expression, access, format))
            for access in self.accesses.values()
            if (format := self.formats.get(access.tensor)) is not None
            for variable, level in zip(self.of(access), format.levels, strict=True)
        )

    def in_levels(self, expression: Expr) -> Expr:
        """
        `expression` over level variables, in which domains are derived.

        `sum(j, A(i,j))` with A in BCSR is `sum((j,j_div_3,j_mod_3), A(i_div_2,j_div_3,..))`.
        """
        match expression:
            case Access():
                return replace(expression, indices=self.of(expression))
            case Literal():
                return expression
            case Call(arguments=arguments):
                return replace(expression, arguments=tuple(map(self.in_levels, arguments)))
            case Reduce(variables=variables, body=body):
                inside = tuple(
                    v
                    for v in dict.fromkeys((*variables, *self._scopes))
                    if self.scope(v) & set(variables)
                )
                return replace(expression, variables=inside, body=self.in_levels(body))
