"""Whether there is anything to choose for a statement: what its kernel may depend on sizes for."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from tamale.dialects.cin.sets import Intersection, SetExpr, Stored
from tamale.dialects.format.spec import Format
from tamale.dialects.level_variables import level_variables
from tamale.dialects.notation.ast import Access, Assignment, Reduce, free_variables
from tamale.passes.algebra.derivation import derive_domain
from tamale.passes.algebra.seeking import may_be_sought
from tamale.passes.algebra.simplification import simplify
from tamale.passes.algebra.terms import (
    accesses_in,
    has_reduction,
    outermost_reductions,
    repeats_variables,
)


def is_scheduled(statement: Assignment, formats: Mapping[str, Format]) -> bool:
    """
    Whether the order of loops decides how much work there is: sparse operands are contracted, or
    loops run a reduction again and again that is only a part of the expression.
    """
    if not has_reduction(statement.expression) or repeats_variables(statement):
        return False
    if len(sparse_operands(statement, formats)) > 1 or _may_run_again(statement):
        return True
    return not formats[statement.result.tensor].all_dense


def _may_run_again(statement: Assignment) -> bool:
    """Whether a reduction inside needs some of the loops around, but not all."""
    expression = statement.expression
    body = expression.body if isinstance(expression, Reduce) else expression
    loops = {*statement.result.indices, *free_variables(body)}
    needed = [loops.intersection(free_variables(r)) for r in outermost_reductions(body)]
    return any(0 < len(variables) < len(loops) for variables in needed)


def has_choices(statement: Assignment, formats: Mapping[str, Format]) -> bool:
    """
    Whether sizes could decide: it is scheduled, entries of one operand may have to be searched for
    those of others, or one of several tensors is to be converted.
    """
    if is_scheduled(statement, formats) or _may_be_unequal(statement, formats):
        return True
    result = statement.result
    sparse = sparse_operands(statement, formats)
    stored = sparse if formats[result.tensor].all_dense else [*sparse, result]
    orders = [level_variables(access, formats[access.tensor]) for access in stored]
    return any(not _agree(one, other) for one, other in combinations(orders, 2))


def _may_be_unequal(statement: Assignment, formats: Mapping[str, Format]) -> bool:
    """Whether loops stay with coordinates that several operands store, maybe one of them few."""
    accesses = {access.tensor: access for access in accesses_in(statement.expression)}

    def could_be_sought(domain: SetExpr) -> bool:
        if not isinstance(domain, Stored):
            return False
        format, access = formats[domain.access], accesses[domain.access]
        levels = level_variables(access, format)
        stored = domain.variable in levels
        return stored and may_be_sought(format.properties(levels.index(domain.variable)))

    for variable in {v for access in accesses.values() for v in access.indices}:
        domain = simplify(derive_domain(statement.expression, variable, set()), variable)
        met = domain.sets if isinstance(domain, Intersection) else ()
        if sum(map(could_be_sought, met)) > 1:
            return True
    return False


def sparse_operands(statement: Assignment, formats: Mapping[str, Format]) -> list[Access]:
    """The accesses on the right that are not all dense."""
    return [a for a in accesses_in(statement.expression) if not formats[a.tensor].all_dense]


def _agree(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two orders have what they share in the same order."""
    shared = [variable for variable in one if variable in other]
    return shared == [variable for variable in other if variable in shared]
