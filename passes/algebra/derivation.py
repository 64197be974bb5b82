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
from dataclasses import dataclass, replace

from tamale.dialects.cin.sets import (
    EMPTY,
    Complement,
    Intersection,
    SetExpr,
    Stored,
    Union,
    Universe,
    leaves,
    parse_set,
)
from tamale.dialects.notation.ast import Access, Call, Expr, Literal, Reduce, walk
from tamale.dialects.operators import Number, Operator, operator_named
from tamale.passes.algebra.fills import is_fill, number


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
    if operator.domain is not None:
        return 0
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
    if fill_value(expression) == 0:
        return domain
    everywhere = not _uses_fill(expression, variable) and isinstance(domain, Universe)
    return domain if everywhere else _selector(domain, variable)


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


def derive(expression: Expr, variable: str, bound: Set[str]) -> SetExpr:
    """
    The set expression of `expression` for `variable`, as written.

    Nothing is simplified yet; only `(a & b) & c` is `a & b & c`, where no set is named twice.
    """
    return _Derivation(variable, tuple(bound)).derive(expression)


@dataclass(frozen=True)
class _Derivation:
    """The rules at one loop; `complemented` says that a complement is around the expression."""

    variable: str
    bound: tuple[str, ...]
    complemented: bool = False

    def derive(self, expression: Expr) -> SetExpr:
        match expression:
            case Access():
                return self._access(expression)
            case Call() if is_fill(expression):
                return EMPTY if number(expression) == 0 else Universe(self.variable)
            case Literal():
                return Universe(self.variable)
            case Reduce():
                return self._reduction(expression)
            case Call(operator=name, arguments=arguments):
                return self._call(operator_named(name), arguments)

    def _access(self, access: Access) -> SetExpr:
        indices = access.indices
        if self.variable in indices:
            return Stored(access.tensor, self.variable)
        if self.complemented and indices:
            # Resolved already: all or nothing at this variable.
            return Stored(access.tensor, max(indices, key=self.bound.index))
        return Universe(self.variable)

    def _reduction(self, reduction: Reduce) -> SetExpr:
        domain = self.derive(reduction.body)
        identity = operator_named(reduction.operator).reduction_identity
        if fill_value(reduction.body) == identity:
            return domain
        inside = self.variable in reduction.variables or set(reduction.variables) & set(self.bound)
        return _selector(domain, self.variable) if inside else domain

    def _call(self, operator: Operator, arguments: tuple[Expr, ...]) -> SetExpr:
        if operator.domain is not None:
            return self._own(own_domain(operator.domain), arguments)
        sets = [self.derive(a) for a in arguments]
        needed = [
            fill_value(a) is not None and fill_value(a) == operator.annihilator(k)
            for k, a in enumerate(arguments)
        ]
        if len(sets) == 1:
            return sets[0]
        if not any(needed):
            return _join(Union, sets)
        bounds = [
            s if n else _selector(s, self.variable) for s, n in zip(sets, needed, strict=True)
        ]
        return _join(Intersection, bounds)

    def _own(self, template: SetExpr, arguments: tuple[Expr, ...]) -> SetExpr:
        """An operator's own domain; arguments that it does not name only select the case."""
        named = {argument_number(leaf) for leaf in leaves(template)}
        others = [self.derive(a) for k, a in enumerate(arguments) if k not in named]
        selectors = [_selector(s, self.variable) for s in others if not isinstance(s, Universe)]
        return _join(Intersection, [self._instantiate(template, arguments), *selectors])

    def _instantiate(self, template: SetExpr, arguments: tuple[Expr, ...]) -> SetExpr:
        """An operator's own domain, with its arguments' sets put in."""
        match template:
            case Stored():
                return self.derive(arguments[argument_number(template)])
            case Union(sets) | Intersection(sets):
                return type(template)(tuple(self._instantiate(s, arguments) for s in sets))
            case Complement(inner):
                return self._complement(inner, arguments)
            case _:
                return template

    def _complement(self, inner: SetExpr, arguments: tuple[Expr, ...]) -> SetExpr:
        """Nothing is excluded yet where an operand is resolved further inside: `S | U`."""
        used = [arguments[argument_number(leaf)] for leaf in leaves(inner)]
        if all(self._is_known(argument) for argument in used):
            inside = replace(self, complemented=True)
            return Complement(inside._instantiate(inner, arguments))
        return _selector(self._instantiate(inner, arguments), self.variable)

    def _is_known(self, expression: Expr) -> bool:
        """Whether every operand has a level at this loop, or only levels at loops outside."""
        return all(
            self.variable in node.indices or set(node.indices) <= set(self.bound)
            for node in walk(expression)
            if isinstance(node, Access)
        )


def own_domain(text: str) -> SetExpr:
    """An operator's own domain; the leaves are its arguments."""
    return parse_set(re.sub(r"\b([a-z])\b", r"\1.x", text))


def argument_number(leaf: Stored) -> int:
    """The number of the argument that a leaf of `own_domain` stands for."""
    return ord(leaf.access) - ord("a")


def _selector(domain: SetExpr, variable: str) -> SetExpr:
    """A set that bounds nothing, but whose entries select a case."""
    return domain if isinstance(domain, Universe) else _join(Union, [domain, Universe(variable)])


def _join(kind: type[Union] | type[Intersection], sets: Sequence[SetExpr]) -> SetExpr:
    """The union or intersection, flat; sets that are named twice once."""
    flat: dict[SetExpr, None] = {}
    for s in sets:
        flat |= dict.fromkeys(s.sets if isinstance(s, kind) else (s,))
    return next(iter(flat)) if len(flat) == 1 else kind(tuple(flat))
