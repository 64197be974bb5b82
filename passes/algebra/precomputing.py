"""
A part of a statement computed first, as somebody asked for.

    Z(i,j) = sum((k,l), A(i,k) * B(k,l) * C(l,j))     the statement
    T(i,l) = sum(k, A(i,k) * B(k,l))                  the part, with the tensor that keeps it

    Z(i,j) = sum(l, T(i,l) * C(l,j))                  what is left of the statement

The part is an expression in the statement, or some of the terms or factors that an operator joins
there. What the part reduces over is no longer reduced over around it: that is possible where
nothing else depends on it, and where the reduction distributes over what is left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tamale.dialects.errors import ScheduleError
from tamale.dialects.notation.ast import (
    Access,
    Assignment,
    Call,
    Expr,
    Literal,
    Reduce,
    free_variables,
    to_text,
)
from tamale.dialects.operators import operator_named
from tamale.passes.algebra.terms import accesses_in, additive_terms, chain, join


def without_part(statement: Assignment, part: Assignment) -> Assignment:
    """
    The statement with a part of it read from the tensor that keeps the part.

    Args:
        statement: what to compute; its reductions are explicit, and it has no operator.
        part: the tensor of the part and the expression in it, likewise.

    Raises:
        ScheduleError: the statement has no such part, or something forbids to compute it first;
            the message says which dependence.
    """
    search = _Search(statement, part)
    search.check_tensor()
    found = search.replaced(statement.expression)
    if found == statement.expression:
        raise search.missing()
    return replace(statement, expression=found)


@dataclass(frozen=True)
class _Search:
    """The places where `statement` has `part`."""

    statement: Assignment
    part: Assignment

    def check_tensor(self) -> None:
        """
        Raises:
            ScheduleError: what keeps the part is not a new tensor with variables of the part.
        """
        result, value = self.part.result, self.part.expression
        accesses = accesses_in(self.statement.expression)
        tensors = {a.tensor for a in (self.statement.result, *accesses)}
        if result.tensor in tensors | variables_in(self.statement):
            raise self._refusal(
                f"the statement has a '{result.tensor}' already", "give the part another name"
            )
        strangers = [v for v in result.indices if v not in free_variables(value)]
        if strangers:
            raise self._refusal(
                f"the part does not depend on {_listed(strangers)}",
                f"leave out {_listed(strangers)}",
            )
        if len(set(result.indices)) < len(result.indices):
            raise self._refusal(
                f"{to_text(result)} repeats a variable", "name each variable once"
            )

    def replaced(self, expression: Expr) -> Expr:
        """The expression with its parts replaced; itself if it has none."""
        here = self._here(expression)
        if here is not None:
            return here
        match expression:
            case Call(operator=operator, arguments=arguments):
                return Call(operator, tuple(self.replaced(each) for each in arguments))
            case Reduce(operator=operator, variables=variables, body=body):
                return Reduce(operator, variables, self.replaced(body))
            case Access() | Literal():
                return expression

    def _here(self, expression: Expr) -> Expr | None:
        """What takes the place of the part at the top of an expression; None if it is not there."""
        value = self.part.expression
        if isinstance(value, Reduce) and isinstance(expression, Reduce):
            rest = _taken(expression.body, value.body, self.part.result)
            return None if rest is None else self._outer_reduction(expression, value, rest)
        if expression == value or _join_alike(expression, value):
            return _taken(expression, value, self.part.result)
        return None

    def _outer_reduction(self, around: Reduce, part: Reduce, rest: Expr) -> Expr:
        """What is left of a reduction whose body has the part's: it reduces the rest."""
        strangers = [v for v in part.variables if v not in around.variables]
        if strangers:
            raise self._not_reduced(strangers)
        if part.operator != around.operator:
            raise self._refusal(
                f"the statement reduces by '{around.operator}', the part by '{part.operator}'",
                f"write the part with '{around.operator}'",
            )
        kept = [v for v in part.variables if v in free_variables(rest)]
        if kept:
            raise self._refusal(
                f"what is left, {to_text(rest)}, depends on {_listed(kept)} as well, which the "
                f"part has reduced over",
                f"keep {_listed(kept)}: {self._with(kept)}",
            )
        joined = isinstance(rest, Call)
        if joined and not (part.operator == "add" and rest.operator == "mul"):
            raise self._refusal(
                f"a reduction by '{part.operator}' does not distribute over '{rest.operator}' in "
                f"{to_text(around)}",
                f"keep {_listed(part.variables)}: {self._with(part.variables)}",
            )
        left = tuple(v for v in around.variables if v not in part.variables)
        return Reduce(around.operator, left, rest) if left else rest

    def missing(self) -> ScheduleError:
        """Why there is no such part."""
        value = self.part.expression
        if isinstance(value, Reduce):
            body = Assignment(self.part.result, None, value.body)
            search = _Search(self.statement, body)
            if search.replaced(self.statement.expression) != self.statement.expression:
                return self._not_reduced(value.variables)
        return self._refusal(
            "the statement has no such part",
            "name an expression of it, or terms or factors that one operator joins there",
        )

    def _not_reduced(self, variables: Sequence[str]) -> ScheduleError:
        return self._refusal(
            f"the statement does not reduce over {_listed(variables)} there: each value of "
            f"{_listed(variables)} needs one of its own",
            f"keep {_listed(variables)}: {self._with(variables)}",
        )

    def _with(self, variables: Sequence[str]) -> str:
        """The part as it would be with some more variables in its tensor."""
        result, value = self.part.result, self.part.expression
        kept = replace(result, indices=(*result.indices, *variables))
        body = value.body if isinstance(value, Reduce) else value
        return to_text(Assignment(kept, None, body))

    def _refusal(self, fact: str, help: str) -> ScheduleError:
        return ScheduleError(
            f"precompute: {to_text(self.part)}  cannot be computed before  "
            f"{to_text(self.statement)}\n  {fact}\n  help: {help}"
        )


def _taken(expression: Expr, value: Expr, by: Access) -> Expr | None:
    """
    An expression with `value`, all of it or some of the terms that join it, replaced; None if it
    does not have that.
    """
    if expression == value:
        return by
    operator = _joining(expression.operator) if isinstance(expression, Call) else None
    if operator is None:
        return None
    terms = _terms(operator, expression)
    places = list[int]()
    for wanted in _terms(operator, value):
        found = (n for n, term in enumerate(terms) if term == wanted and n not in places)
        place = next(found, None)
        if place is None:
            return None
        places.append(place)
    first = min(places)
    left = [by if n == first else t for n, t in enumerate(terms) if n == first or n not in places]
    return join(operator, left)


def _join_alike(expression: Expr, value: Expr) -> bool:
    """Whether one operator joins the terms of both."""
    if not (isinstance(expression, Call) and isinstance(value, Call)):
        return False
    return _joining(expression.operator) == _joining(value.operator)


def _joining(operator: str) -> str | None:
    """The operator that joins terms in any order, None for others; differences are sums."""
    if operator in ("add", "sub"):
        return "add"
    known = operator_named(operator)
    return operator if known.commutative and known.associative else None


def _terms(operator: str, expression: Expr) -> list[Expr]:
    return additive_terms(expression) if operator == "add" else chain(operator, expression)


def variables_in(statement: Assignment) -> set[str]:
    """Every index variable that a statement names."""
    accesses = (statement.result, *accesses_in(statement.expression))
    return {variable for access in accesses for variable in access.indices}


def _listed(variables: Sequence[str]) -> str:
    return ", ".join(variables)
