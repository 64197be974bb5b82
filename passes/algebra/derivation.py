"""
Which coordinates of an index variable an expression needs, from its operators' properties.

    A[i, j]         A.i, A.j        its levels; U.k for a variable that it does not use (broadcast)
    a + b           union           more precisely, by the declared properties of the operator:
    a * b           intersection    an annihilator equal to the fill makes an argument necessary,
                                    else every argument's coordinates are needed
    sum(j, a)       that of a       if reducing fills gives the fill; else the universe

Outside the derived set the expression has its fill value, which is zero for every set that is not
the universe. Source: the guide; Henry and Hsu et al., OOPSLA 2021.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from tamale.dialects.cin.sets import (
    Complement,
    Intersection,
    SetExpr,
    Stored,
    Union,
    Universe,
    parse_set,
)
from tamale.dialects.notation.ast import Access, Call, Expr, Literal, Reduce
from tamale.dialects.operators import Number, Operator, operator_named


def fill_value(expression: Expr) -> Number | None:
    """The value where no operand has an entry; None if it is not one constant."""
    match expression:
        case Access(indices=indices):
            return 0 if indices else None
        case Literal(value=value):
            return value
        case Reduce(operator=name, body=body):
            fill = fill_value(body)
            operator = operator_named(name)
            if fill is None:
                return None
            idempotent = operator.apply(fill, fill) == fill
            return fill if idempotent else None
        case Call(operator=name, arguments=arguments):
            return _call_fill(operator_named(name), [fill_value(a) for a in arguments])


def _call_fill(operator: Operator, fills: list[Number | None]) -> Number | None:
    for k, fill in enumerate(fills):
        if fill is not None and fill == operator.annihilator(k):
            return fill
    known = [fill for fill in fills if fill is not None]
    return operator.apply(*known) if len(known) == len(fills) else None


def derive_domain(expression: Expr, variable: str, bound: Set[str]) -> SetExpr:
    """
    The coordinates of `variable` at which the result of a kernel has to be computed.

    `bound` are the variables of the loops outside; results have fill 0, so an expression with
    another fill is computed everywhere.
    """
    domain = derive(expression, variable, bound)
    if fill_value(expression) == 0 or not _uses_fill(expression, variable):
        return domain
    return _selector(domain, variable)


def _uses_fill(expression: Expr, variable: str) -> bool:
    """Whether some access could lack an entry at a coordinate of `variable`."""
    match expression:
        case Access(indices=indices):
            return variable in indices
        case Literal():
            return False
        case Reduce(body=body):
            return _uses_fill(body, variable)
        case Call(arguments=arguments):
            return any(_uses_fill(a, variable) for a in arguments)


def derive(
    expression: Expr, variable: str, bound: Set[str], *, complemented: bool = False
) -> SetExpr:
    """
    The set expression of `expression` for `variable`, as written.

    Nothing is simplified yet; only `(a & b) & c` is `a & b & c`, where no set is named twice.
    """
    match expression:
        case Access(tensor=name, indices=indices):
            if variable in indices:
                return Stored(name, variable)
            if complemented and indices and set(indices) <= set(bound):
                # Resolved already: all or nothing at this variable.
                return Stored(name, max(indices, key=list(bound).index))
            return Universe(variable)
        case Literal():
            return Universe(variable)
        case Reduce(operator=name, variables=variables, body=body):
            domain = derive(body, variable, bound, complemented=complemented)
            identity = operator_named(name).reduction_identity
            safe = fill_value(body) == identity
            reduced_here_or_outside = variable in variables or set(variables) & set(bound)
            return _selector(domain, variable) if not safe and reduced_here_or_outside else domain
        case Call(operator=name, arguments=arguments):
            return _derive_call(
                operator_named(name), arguments, variable, bound, complemented=complemented
            )


def _derive_call(
    operator: Operator,
    arguments: tuple[Expr, ...],
    variable: str,
    bound: Set[str],
    *,
    complemented: bool,
) -> SetExpr:
    if operator.domain is not None:
        template = parse_set(re.sub(r"\b([a-z])\b", r"\1.x", operator.domain))
        return _instantiate(template, arguments, variable, bound, complemented=complemented)
    sets = [derive(a, variable, bound, complemented=complemented) for a in arguments]
    needed = [
        fill_value(a) is not None and fill_value(a) == operator.annihilator(k)
        for k, a in enumerate(arguments)
    ]
    if len(sets) == 1:
        return sets[0]
    if not any(needed):
        return _join(Union, sets)
    bounds = [s if n else _selector(s, variable) for s, n in zip(sets, needed, strict=True)]
    return _join(Intersection, bounds)


def _selector(domain: SetExpr, variable: str) -> SetExpr:
    """A set that bounds nothing, but whose entries select a case."""
    return domain if isinstance(domain, Universe) else _join(Union, [domain, Universe(variable)])


def _join(kind: type[Union] | type[Intersection], sets: Sequence[SetExpr]) -> SetExpr:
    """The union or intersection, flat; sets that are named twice once."""
    flat: dict[SetExpr, None] = {}
    for s in sets:
        flat |= dict.fromkeys(s.sets if isinstance(s, kind) else (s,))
    return next(iter(flat)) if len(flat) == 1 else kind(tuple(flat))


def _instantiate(
    template: SetExpr,
    arguments: tuple[Expr, ...],
    variable: str,
    bound: Set[str],
    *,
    complemented: bool,
) -> SetExpr:
    """An operator's own domain, with its arguments' sets put in."""
    match template:
        case Stored(access=name):
            argument = arguments[ord(name) - ord("a")]
            return derive(argument, variable, bound, complemented=complemented)
        case Union(sets) | Intersection(sets):
            return type(template)(
                tuple(
                    _instantiate(s, arguments, variable, bound, complemented=complemented)
                    for s in sets
                )
            )
        case Complement(inner):
            return Complement(_instantiate(inner, arguments, variable, bound, complemented=True))
        case _:
            return template
