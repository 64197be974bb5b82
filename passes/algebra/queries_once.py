"""
Whether a query's statement runs at most once for each element of its result.

Then an element that starts at 0 and gets `op= e` can as well get `= e`. It needs two things: the
loops meet no coordinates twice, and the element tells the coordinates of all loops.
"""

from __future__ import annotations

from tamale.dialects.cin.sets import Stored
from tamale.dialects.format.expressions import Expr, Var, counters, free_variables
from tamale.dialects.format.folding import from_linear, linear
from tamale.dialects.format.invert import facts_of, value_from
from tamale.dialects.format.substitution import substitute
from tamale.dialects.level_variables import in_index_variables, level_variables
from tamale.passes.algebra.queries import Chain, Operand, inlined, is_size


def writes_once(chain: Chain) -> bool:
    """Whether no element of the result is written twice."""
    operand = chain.only_operand
    return operand is not None and meets_once(chain, operand) and _tells_loops(chain, operand)


def walked_levels(chain: Chain, operand: Operand) -> int | None:
    """How many levels of the operand the loops walk, outermost first; None if other loops do."""
    variables = level_variables(operand.access, operand.format)
    name = operand.access.tensor
    for loop, variable in zip(chain.loops, variables, strict=False):
        if loop.variable != variable or loop.domain != Stored(name, variable):
            return None
    return len(chain.loops) if len(chain.loops) <= len(variables) else None


def meets_once(chain: Chain, operand: Operand) -> bool:
    """Whether the loops meet no coordinates of the operand's levels twice."""
    count, format = walked_levels(chain, operand), operand.format
    if count is None:
        return False
    if count == len(format.levels):
        return not operand.has_duplicates
    return all(format.properties(k).unique for k in range(count))


def _tells_loops(chain: Chain, operand: Operand) -> bool:
    """Whether the indices of an element of the result tell the coordinates of all loops."""
    levels = level_expressions(operand)
    walked = levels[: len(chain.loops)]
    facts = facts_of(_targets(chain, operand, levels))
    if any(counters(level) for level in walked):
        # An entry stands in one place, but padding may have the coordinates of an entry.
        if operand.padded or len(walked) < len(levels):
            return False
        walked = [Var(mode) for mode in operand.access.indices]
    return all(value_from(level, facts) is not None for level in walked)


def level_expressions(operand: Operand) -> list[Expr]:
    """The expression of each level in the access's index variables."""
    access, format = operand.access, operand.format
    return [in_index_variables(level.expression, access, format) for level in format.levels]


def _targets(chain: Chain, operand: Operand, levels: list[Expr]) -> list[Expr]:
    """The result's indices over the modes, as far as they are, and up to a constant."""
    variables = level_variables(operand.access, operand.format)
    known = {v: e for v, e in zip(variables, levels, strict=True) if not counters(e)}
    found: list[Expr] = []
    for name in chain.statement.result.indices:
        value = inlined(Var(name), chain.bindings, frozenset(operand.access.indices))
        found.append(_without_sizes(substitute(value, known)))
    return found


def _without_sizes(expression: Expr) -> Expr:
    """The sum without the terms that are the same in every iteration."""
    terms, _ = linear(expression)
    varying = {t: c for t, c in terms.items() if not all(map(is_size, free_variables(t)))}
    return from_linear((varying, 0))
