"""
Iteration lattices by derivatives.

    lattice(P): for each leaf x of P:  C = simplify(P[x := empty]);  edge P -> C;  lattice(C)

The points in topological order are the loops, one after the other as operands run out; restricted
to the points below one of them they are that loop's ordered cases. Complement and universe are
part of the algebra, so `b & ~a` is driven by b alone and xor never walks the universe.

Source: Kjolstad et al., OOPSLA 2017, sec. 5 (lattices); the derivative form and the complement
are this project's (`docs/rationale/lattices.md`).
"""

from __future__ import annotations

from collections.abc import Callable, Set
from functools import lru_cache

from tamale.dialects.cin.sets import (
    EMPTY,
    Complement,
    Empty,
    Intersection,
    SetExpr,
    Stored,
    Union,
    Universe,
    belongs,
    leaves,
    set_text,
)
from tamale.dialects.errors import TamaleError
from tamale.passes.algebra.simplification import (
    complement,
    covers_universe,
    intersection,
    substitute,
    union,
)

MAX_LEAVES = 8


@lru_cache(maxsize=1024)
def points(top: SetExpr, variable: str) -> tuple[SetExpr, ...]:
    """
    The points of the lattice of a canonical domain, each before those below it.

    Raises:
        TamaleError: more than `MAX_LEAVES` operands meet in one loop; there would be 2^k cases.
    """
    if len(leaves(top)) > MAX_LEAVES:
        raise TamaleError(
            f"build-lattices: {len(leaves(top))} sparse operands meet in the loop of '{variable}'; "
            f"at most {MAX_LEAVES} are merged at once\n  help: compute the expression in parts"
        )
    finished: dict[SetExpr, None] = {}

    def visit(point: SetExpr) -> None:
        if isinstance(point, Empty) or point in finished:
            return
        for leaf in leaves(point):
            visit(substitute(point, leaf, EMPTY, variable))
        finished[point] = None

    visit(top)
    return tuple(reversed(finished))


def holds(expression: SetExpr, present: Set[Stored]) -> bool:
    """Whether a coordinate belongs to the set, given the leaves that have an entry there."""
    return belongs(expression, lambda leaf: isinstance(leaf, Universe) or leaf in present)


def produces(point: SetExpr) -> bool:
    """Whether a coordinate at which exactly the point's leaves have an entry belongs to the set."""
    return holds(point, frozenset(leaves(point)))


def guard(point: SetExpr, variable: str) -> SetExpr:
    """The condition of a point's case: all its leaves are present."""
    present = leaves(point)
    if not present:
        return Universe(variable)
    return present[0] if len(present) == 1 else Intersection(present)


def driven_by_universe(expression: SetExpr) -> bool:
    """Whether only walking the universe finds every coordinate of the set."""
    match expression:
        case Universe() | Complement():
            return True
        case Stored() | Empty():
            return False
        case Union(sets):
            return any(driven_by_universe(s) for s in sets)
        case Intersection(sets):
            return all(driven_by_universe(s) for s in sets)


def open_complements(
    expression: SetExpr, variable: str, exact: Callable[[Stored], bool]
) -> SetExpr:
    """
    The domain to visit where some operands below a complement are not resolved yet.

    Being present at an outer coordinate does not mean being present inside, so `~S` is exact only
    if every leaf of S is (`exact`). Otherwise it is opened to `S | U`: it bounds nothing, and S
    selects the case inside which `~S` is taken.
    """
    match expression:
        case Complement(inner):
            opened = open_complements(inner, variable, exact)
            if all(exact(leaf) for leaf in leaves(inner)):
                return complement(opened, variable)
            return opened if covers_universe(opened) else union([opened, Universe(variable)])
        case Union(sets):
            return union(open_complements(s, variable, exact) for s in sets)
        case Intersection(sets):
            return intersection([open_complements(s, variable, exact) for s in sets], variable)
        case _:
            return expression


def points_text(domain: SetExpr, variable: str) -> str:
    """
    The points in order; those that only skip coordinates in brackets.

    >>> from tamale.dialects.cin.sets import parse_set
    >>> points_text(parse_set("A.i & ~B.i"), "i")
    '[A.i & ~B.i]  A.i'
    """
    texts = ((produces(point), set_text(point)) for point in points(domain, variable))
    return "  ".join(text if made else f"[{text}]" for made, text in texts)
