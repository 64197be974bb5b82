"""
Whether level coordinates are computed anew in each pass over the entries, or once and kept.

A pass computes what it needs of the level coordinates. Plain arithmetic is cheaper to repeat than
to store and read back, long expressions such as Morton codes may not be. The rule: per entry, if
the operations of all passes but the first are more than OPERATIONS_PER_WORD times the words of a
list of the entries, the entries are listed first, with the level coordinates of the target. What
the source stores itself costs nothing.

`docs/rationale/conversion-plans.md` has the measurement behind the number.
"""

from __future__ import annotations

from collections.abc import Sequence

from tamale.dialects.format.expressions import Binary, Expr, subexpressions
from tamale.dialects.format.spec import Format
from tamale.passes.conversion.lists import level_expressions

OPERATIONS_PER_WORD = 10
"""So many operations take about as long as to write a word, and to read it again."""


def repeated_operations(source: Format, target: Format, passes: Sequence[int]) -> int:
    """
    Per entry, the operations that are done again for level coordinates known from an earlier pass.

    Args:
        source: what is converted.
        target: into what.
        passes: for each level of the target, in how many passes its coordinates are needed.
    """
    stored = set(level_expressions(source, target.modes))
    expressions = level_expressions(target, target.modes)
    return sum(
        operations(level.expression) * (count - 1)
        for level, expression, count in zip(target.levels, expressions, passes, strict=True)
        if count > 1 and expression not in stored
    )


def operations(expression: Expr) -> int:
    """How many operators an expression has; a let is computed once."""
    own = isinstance(expression, Binary)
    return own + sum(operations(part) for part in subexpressions(expression))


def is_cheaper_listed(source: Format, target: Format, passes: Sequence[int]) -> bool:
    """Whether to list the entries first, going by the cost of level coordinates alone."""
    words = len(target.levels) + 1
    return repeated_operations(source, target, passes) > OPERATIONS_PER_WORD * words
