"""
Operators that index notation may call, and what the compiler may conclude from their properties.

An operator is a value of `Operator`: its algebraic properties decide which coordinates a loop
must visit (see `passes/algebra/derivation.py`), `evaluate` gives its meaning on numbers, and `emit`
builds the IR that computes it. New operators are declared with `declare_operator` and then work in
every kernel; nothing in the compiler names one.

Source: Henry and Hsu et al., OOPSLA 2021 (properties), Chou et al., OOPSLA 2018.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from tamale.dialects.errors import TamaleError

Number: TypeAlias = "int | float | complex | bool"
Value: TypeAlias = Any  # an SSA value; this module is importable without xDSL
LOWEST, HIGHEST = -math.inf, math.inf
ABSENT = "absent"
"""The operator whose calls have a value, their argument, but no entry: what folding leaves "
"behind."""


@dataclass(frozen=True)
class Operator:
    """
    An element-wise operator.

    `identities[k]` is the value that, as argument k, gives the other argument back;
    `annihilators[k]` the value that, as argument k, decides the result alone (and is the result).
    `LOWEST` and `HIGHEST` stand for the smallest and largest value of the element type. `domain`,
    a set expression over argument names `a`, `b`, ..., overrides the derived coordinates, for
    example `a & ~b`.
    """

    name: str
    arity: int
    evaluate: Callable[..., Number]
    emit: Callable[..., Value]
    identities: tuple[Number | None, ...] = ()
    annihilators: tuple[Number | None, ...] = ()
    commutative: bool = False
    associative: bool = False
    domain: str | None = None
    inexact: bool = False
    """Whether integers become floats, as in NumPy."""

    @property
    def reduction_identity(self) -> Number | None:
        """The value a reduction starts from, or None where the operator cannot reduce."""
        reduces = self.arity == 2 and self.commutative and self.associative
        return self.identities[0] if reduces and self.identities else None

    def identity(self, argument: int) -> Number | None:
        return self.identities[argument] if self.identities else None

    def annihilator(self, argument: int) -> Number | None:
        return self.annihilators[argument] if self.annihilators else None

    def apply(self, *values: Number) -> Number:
        """The operator on numbers; NaN where it has no value."""
        try:
            return self.evaluate(*values)
        except (ArithmeticError, TypeError, ValueError):
            return math.nan


def _divide(a: Number, b: Number) -> Number:
    if b == 0:
        return math.nan if a == 0 else math.copysign(math.inf, abs(a))
    return a / b


def _emit(name: str) -> Callable[..., Value]:
    """The emitter that forwards to the arithmetic method of that name."""

    def emit(build: Any, *values: Value) -> Value:
        return getattr(build, name)(*values)

    return emit


_BUILTIN = (
    Operator(
        "add", 2, lambda a, b: a + b, _emit("add"), (0, 0), commutative=True, associative=True
    ),
    Operator("sub", 2, lambda a, b: a - b, _emit("sub"), (None, 0)),
    Operator(
        "mul",
        2,
        lambda a, b: a * b,
        _emit("mul"),
        (1, 1),
        (0, 0),
        commutative=True,
        associative=True,
    ),
    Operator("div", 2, _divide, _emit("div"), (None, 1), (0, None), inexact=True),
    Operator("neg", 1, lambda a: -a, _emit("neg")),
    Operator("abs", 1, abs, _emit("abs")),
    Operator("sqrt", 1, math.sqrt, _emit("sqrt"), inexact=True),
    Operator("exp", 1, math.exp, _emit("exp"), inexact=True),
    Operator(
        "max",
        2,
        max,
        _emit("max"),
        (LOWEST, LOWEST),
        (HIGHEST, HIGHEST),
        commutative=True,
        associative=True,
    ),
    Operator(
        "min",
        2,
        min,
        _emit("min"),
        (HIGHEST, HIGHEST),
        (LOWEST, LOWEST),
        commutative=True,
        associative=True,
    ),
    Operator("and", 2, lambda a, b: a & b, _emit("and_"), (-1, -1), (0, 0), True, True),
    Operator("or", 2, lambda a, b: a | b, _emit("or_"), (0, 0), (-1, -1), True, True),
    Operator("xor", 2, lambda a, b: a ^ b, _emit("xor"), (0, 0), (), True, True),
    # The value of `a` wherever `b` stores nothing: GraphBLAS's complemented mask.
    Operator(ABSENT, 1, lambda a: a, lambda build, a: a),
    Operator("unless", 2, lambda a, b: a, lambda build, a, b: a, (None, 0), domain="a & ~b"),
)

_operators: dict[str, Operator] = {operator.name: operator for operator in _BUILTIN}


def operator_named(name: str) -> Operator:
    """The declared operator `name`; a `TamaleError` lists the known ones otherwise."""
    if name not in _operators:
        known = ", ".join(sorted(_operators))
        raise TamaleError(f"operators: '{name}' is not declared; known operators: {known}")
    return _operators[name]


def declare_operator(operator: Operator) -> None:
    """Makes `operator` callable in index notation. Declaring a name twice is an error."""
    if operator.name in _operators:
        raise TamaleError(f"operators: '{operator.name}' is already declared")
    if any(
        len(values) not in (0, operator.arity)
        for values in (operator.identities, operator.annihilators)
    ):
        raise TamaleError(
            f"operators: '{operator.name}' takes {operator.arity} arguments, but its identities or "
            "annihilators are of another number"
        )
    _operators[operator.name] = operator


def withdraw_operator(name: str) -> None:
    """Forgets a declared operator (for tests and interactive sessions)."""
    _operators.pop(name, None)


def declared_operators() -> dict[str, int]:
    """Name -> number of arguments, for the notation parser."""
    return {name: operator.arity for name, operator in _operators.items()}


def is_builtin_operator(name: str) -> bool:
    """Whether the operator comes with tamale."""
    return any(operator.name == name for operator in _BUILTIN)
