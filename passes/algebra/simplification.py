"""
Set expressions in canonical form.

    S & U = S        S & empty = empty    S | empty = S
    ~empty = U       ~U = empty           ~~S = S
    S & S = S        S | S = S            S | (S & T) = S  if T names nothing that S does not

Nested unions and intersections are flattened; a universe in a union comes last and keeps the
others as case selectors: `A.i | U.i` visits everything and knows where A has an entry. For the
same reason absorption only drops what leaves no leaf behind: in `A.i | A.i & B.i` B decides which
case runs. Every function returns a set that denotes the same coordinates as its argument.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tamale.dialects.cin.sets import (
    EMPTY,
    Complement,
    Empty,
    Intersection,
    SetExpr,
    Stored,
    Union,
    Universe,
    leaves,
)


def simplify(expression: SetExpr, variable: str) -> SetExpr:
    """The canonical form of a domain of `variable`."""
    match expression:
        case Union(sets):
            return union(simplify(s, variable) for s in sets)
        case Intersection(sets):
            return intersection([simplify(s, variable) for s in sets], variable)
        case Complement(inner):
            return complement(simplify(inner, variable), variable)
        case _:
            return expression


def union(sets: Iterable[SetExpr]) -> SetExpr:
    """The union of canonical sets, canonical."""
    parts = [s for s in _flat(sets, Union) if not isinstance(s, Empty)]
    kept = _absorb(list(dict.fromkeys(parts)), Intersection)
    kept.sort(key=lambda s: isinstance(s, Universe))
    if not kept:
        return EMPTY
    return kept[0] if len(kept) == 1 else Union(tuple(kept))


def intersection(sets: Iterable[SetExpr], variable: str) -> SetExpr:
    """The intersection of canonical sets, canonical."""
    parts = list(dict.fromkeys(_flat(sets, Intersection)))
    if any(isinstance(s, Empty) for s in parts):
        return EMPTY
    kept = _absorb([s for s in parts if not isinstance(s, Universe)], Union)
    if not kept:
        return Universe(variable)
    return kept[0] if len(kept) == 1 else Intersection(tuple(kept))


def complement(expression: SetExpr, variable: str) -> SetExpr:
    """The complement of a canonical set, canonical."""
    if isinstance(expression, Empty):
        return Universe(variable)
    if covers_universe(expression):
        return EMPTY
    return expression.set if isinstance(expression, Complement) else Complement(expression)


def covers_universe(expression: SetExpr) -> bool:
    """Whether a canonical set is the universe, with or without selectors."""
    match expression:
        case Universe():
            return True
        case Union(sets):
            return any(covers_universe(s) for s in sets)
        case Intersection(sets):
            return all(covers_universe(s) for s in sets)
        case _:
            return False


def substitute(expression: SetExpr, leaf: Stored, by: SetExpr, variable: str) -> SetExpr:
    """`expression` with every occurrence of `leaf` replaced, canonical."""
    return substitute_all(expression, {leaf: by}, variable)


def substitute_all(
    expression: SetExpr,
    replacements: Mapping[Stored, SetExpr],
    variable: str,
    *,
    below_complements: bool = True,
) -> SetExpr:
    """`expression` with leaves replaced, canonical; on request only outside of complements."""

    def replaced(part: SetExpr) -> SetExpr:
        match part:
            case Stored():
                return replacements.get(part, part)
            case Union(sets):
                return union(map(replaced, sets))
            case Intersection(sets):
                return intersection(map(replaced, sets), variable)
            case Complement(inner) if below_complements:
                return complement(replaced(inner), variable)
            case _:
                return part

    return replaced(expression)


def _flat(sets: Iterable[SetExpr], kind: type[Union] | type[Intersection]) -> list[SetExpr]:
    flat: list[SetExpr] = []
    for s in sets:
        flat.extend(s.sets if isinstance(s, kind) else (s,))
    return flat


def _absorb(sets: list[SetExpr], other: type[Union] | type[Intersection]) -> list[SetExpr]:
    """Drops `S op T` beside `S` when all its leaves are also leaves of `S`."""
    return [s for s in sets if not any(_absorbs(t, s, other) for t in sets if t is not s)]


def _absorbs(small: SetExpr, large: SetExpr, kind: type[Union] | type[Intersection]) -> bool:
    if not isinstance(large, kind) or small not in large.sets:
        return False
    return set(leaves(large)) <= set(leaves(small))
