"""
What can be put right below each parent alone, where the order of the whole source is missing.

Two rules, on a level k that hands out positions below others:

*Stamps* serve a level that holds equal coordinates once. They hold for k if

1. no level shares its positions, so that its own coordinate decides;
2. all levels above are full, and entries arrive in ascending order of their coordinates: all
   entries of a parent arrive together;
3. its own coordinate is mode-like: an array over all its values is as large as a few modes.

*Segment sorts* serve a level that must be ordered and shares nothing. They hold for k if

1. it is not the first level: there are parents, and each has a segment;
2. it and the levels that share its positions are the last ones and store their coordinates: all
   that moves is theirs, and the values.

`docs/rationale/conversion-plans.md` says why these are better than to sort all entries.
"""

from __future__ import annotations

from collections.abc import Sequence

from tamale.dialects.format.expressions import Binary, Const, Expr, Var
from tamale.dialects.format.spec import Format
from tamale.passes.algebra.arrival import arrives_in_order
from tamale.passes.levels import storage_kind


def chain_end(format: Format, k: int) -> int:
    """The last of the branchless levels that share the positions of level k."""
    end = k
    while end + 1 < len(format.levels) and format.properties(end + 1).branchless:
        end += 1
    return end


def chain_head(format: Format, k: int) -> int:
    """The level whose positions level k has: itself, or what it shares them with as branchless."""
    while k > 0 and format.properties(k).branchless:
        k -= 1
    return k


def parents_differ(format: Format, k: int) -> bool:
    """Whether no two positions above level k have the same coordinates."""
    heads = (n for n in range(k) if n == 0 or not format.properties(n).branchless)
    return all(
        any(format.properties(j).unique for j in range(n, min(chain_end(format, n) + 1, k)))
        for n in heads
    )


def can_stamp(
    target: Format, expressions: Sequence[Expr], walk: Sequence[tuple[Expr, bool]], k: int
) -> bool:
    """
    Whether a stamp per coordinate of level k finds the equal ones below each parent.

    Args:
        target: the format.
        expressions: its level expressions, over modes.
        walk: the order of the source, see `arrives_in_order`.
        k: a level that hands out positions.
    """
    return (
        0 < k == chain_end(target, k)
        and all(target.properties(n).full for n in range(k))
        and arrives_in_order(walk, [], expressions[:k])
        and is_mode_like(expressions[k])
    )


def can_sort_segments(target: Format, k: int) -> bool:
    """Whether the segments of level k, which hands out positions, can be sorted one by one."""
    chain = range(k, chain_end(target, k) + 1)
    stored = all(storage_kind(target.levels[n].kind).inserts for n in chain)
    return k > 0 and chain.stop == len(target.levels) and stored


def is_mode_like(expression: Expr) -> bool:
    """Whether an expression has no more values than a few modes have coordinates."""
    match expression:
        case Var() | Const():
            return True
        case Binary("+" | "-", a, b):
            return is_mode_like(a) and is_mode_like(b)
        case Binary("/" | "%" | ">>" | "&", a, Const()):
            return is_mode_like(a)
        case _:
            return False
