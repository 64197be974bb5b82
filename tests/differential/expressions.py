"""Random statements of index notation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from tamale.dialects.errors import NotationError
from tamale.dialects.notation.ast import (
    Access,
    Assignment,
    Call,
    Expr,
    Literal,
    Reduce,
    free_variables,
    to_text,
    walk,
)
from tamale.dialects.notation.parser import parse_notation
from tamale.frontend.notation.check import check_notation
from tamale.frontend.notation.reductions import accesses, variables

VARIABLES = ("i", "j", "k", "l", "m")
_TENSORS = ("A", "B", "C", "D", "E")
_SCALARS = ("alpha", "beta", "gamma", "delta")
_ORDERS = ((1, 2, 3, 4), (30, 50, 15, 5))

OPERATORS = {
    "float": ("add",) * 4 + ("mul",) * 5 + ("sub",) * 2 + ("max", "min", "div", "unless"),
    "int": ("add",) * 4 + ("mul",) * 5 + ("sub",) * 2 + ("max", "min", "div", "unless"),
    "bits": ("add",) * 2 + ("mul",) * 2 + ("or", "and", "xor", "unless", "max"),
    "complex": ("add",) * 4 + ("mul",) * 5 + ("sub",) * 2,
}
"""
Kind of statement -> binary operators, more often the more often they are named. Division makes
integers floats, which have no bits.
"""

CONTRACTIONS = ("mul",) * 7 + ("add", "sub")
"""Operators of statements that mostly multiply and sum, whose loops are scheduled."""

UNARY = {
    "float": ("neg", "neg", "abs", "exp"),
    "int": ("neg", "abs"),
    "bits": ("neg",),
    "complex": ("neg",),
}
ASSIGNMENTS = (None,) * 22 + ("add",) * 3 + ("max", "mul")


def random_statement(rng: Random, kind: str) -> Assignment:
    """A statement with a meaning, of a kind: float, int, bits or complex."""
    while True:
        contracts = rng.random() < 0.35
        writer = _Writer(rng, kind, _some(rng, VARIABLES), contracts=contracts)
        statement = writer.statement()
        text = to_text(statement)
        try:
            check_notation(parse_notation(text), text)
        except NotationError:
            continue
        vague = divides(statement.expression) and has_reduced_factor(statement.expression)
        if len(accesses(statement.expression)) <= 5 and not vague:
            return parse_notation(text)


def divides(expression: Expr) -> bool:
    """Whether there may be infinities and NaN."""
    return any(isinstance(node, Call) and node.operator == "div" for node in walk(expression))


def has_reduced_factor(expression: Expr) -> bool:
    """
    Whether a reduction, or an access that repeats an index variable, is multiplied or divided.

    Only the run tells whether it has an entry, so whether it is 0 or NaN where it has none and the
    other factor is NaN depends on the formats.
    """
    products = [n for n in walk(expression) if isinstance(n, Call) and n.operator in ("mul", "div")]
    return any(
        isinstance(node, Reduce)
        or (isinstance(node, Access) and len(set(node.indices)) < len(node.indices))
        for product in products
        for node in walk(product)
    )


def _some(rng: Random, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(names[: rng.choices((0, 1, 2, 3, 4, 5), (1, 12, 38, 32, 12, 5))[0]])


@dataclass
class _Writer:
    """Writes one statement over some index variables."""

    rng: Random
    kind: str
    variables: tuple[str, ...]
    contracts: bool = False
    """Whether mostly products of several operands are summed."""
    orders: dict[str, int] = field(default_factory=dict[str, int])
    """The tensors so far."""

    def statement(self) -> Assignment:
        left = {v for v in self.variables if self.rng.random() < (0.5 if self.contracts else 0.65)}
        weights = (5, 35, 40, 20) if self.contracts else (15, 45, 30, 10)
        expression = self._expression(self.rng.choices((1, 2, 3, 4), weights)[0], left)
        used = variables(expression)
        kept = [v for v in self.variables if v in left]
        indices = [v for v in kept if v in used or self.rng.random() < 0.2]
        if self.rng.random() < 0.25:
            self.rng.shuffle(indices)
        if 0 < len(indices) < 4 and self.rng.random() < 0.06:
            indices.insert(self.rng.randint(0, len(indices)), self.rng.choice(indices))
        operator = self.rng.choice(ASSIGNMENTS)
        if operator == "max" and self.kind == "complex":
            operator = "add"
        return Assignment(Access("Z", tuple(indices)), operator, expression)

    def _expression(self, leaves: int, left: set[str]) -> Expr:
        expression = self._leaf() if leaves == 1 else self._binary(leaves, left)
        if self.rng.random() < 0.07:
            expression = Call(self.rng.choice(UNARY[self.kind]), (expression,))
        inner = [v for v in free_variables(expression) if v not in left]
        if inner and self.rng.random() < 0.2:
            inner = inner[: self.rng.randint(1, len(inner))]
            expression = Reduce(self._reduction(), tuple(inner), expression)
        return expression

    def _reduction(self) -> str:
        if self.kind == "complex" or self.rng.random() < 0.8:
            return "add"
        return self.rng.choice(("max", "min"))

    def _binary(self, leaves: int, left: set[str]) -> Expr:
        operator = self.rng.choice(CONTRACTIONS if self.contracts else OPERATORS[self.kind])
        split = self.rng.randint(1, leaves - 1)
        if operator in ("div", "unless"):
            # A negated zero must not be divided by; what is masked must be zero where it is absent.
            split = leaves - 1
        first = self._access() if operator == "unless" else self._expression(split, left)
        alone = operator in ("div", "unless")
        second = self._leaf() if alone else self._expression(leaves - split, left)
        return Call(operator, (first, second))

    def _leaf(self) -> Expr:
        draw = self.rng.random()
        if draw < 0.08:
            return self._literal()
        if draw < 0.16:
            return Access(self.rng.choice(_SCALARS))
        return self._access()

    def _literal(self) -> Literal:
        if self.kind in ("int", "bits"):
            return Literal(self.rng.choice((1, 2, 3)))
        if self.kind == "complex" and self.rng.random() < 0.5:
            return Literal(2j)
        return Literal(self.rng.choice((2, 0.5, 1.25, 1)))

    def _access(self) -> Expr:
        """A new tensor, or one that is there already."""
        if not self.variables:
            return Access(self.rng.choice(_SCALARS))
        known = [t for t, order in self.orders.items() if order <= len(self.variables)]
        if known and self.rng.random() < 0.15:
            name = self.rng.choice(known)
        else:
            name = _TENSORS[len(self.orders)]
            order = self.rng.choices(*_ORDERS)[0]
            self.orders[name] = min(order, len(self.variables))
        chosen = self.rng.sample(self.variables, self.orders[name])
        if self.rng.random() < 0.7:
            chosen.sort(key=self.variables.index)
        if len(chosen) > 1 and self.rng.random() < 0.08:
            chosen[0] = chosen[1]
        return Access(name, tuple(chosen))
