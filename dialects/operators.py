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
import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from tamale.dialects.errors import TamaleError

Number: TypeAlias = "int | float | complex | bool"
Value: TypeAlias = Any  # an SSA value; this module is importable without xDSL
LOWEST, HIGHEST = -math.inf, math.inf
MAP = "map"
"""`map(a, v)`: v where a has an entry, or is a number other than 0; else 0."""
WIDTH = "width"
"""`width(A(i,j))`: how many entries A has at the loops' position, over levels without a loop."""
ABSENT = "absent"
"""The operator whose calls have a value, their argument, but no entry: what folding leaves "
"behind."""
INTERNAL = frozenset({ABSENT, MAP, WIDTH})
"""Operators of the IR that index notation does not have."""


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
    evaluate: Callable[..., Any]
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

    @property
    def counts_absent(self) -> bool:
        """Whether an entry that is not stored, a 0, changes what the operator reduces to."""
        return self.reduction_identity != 0

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


def _real(a: Number) -> float:
    """What numbers are ordered by; complex ones have no order."""
    if isinstance(a, complex):
        raise TypeError(f"{a} has no order")
    return a


def _maximum(a: Number, b: Number) -> Number:
    """NaN if either is NaN, as in NumPy."""
    return a + b if a != a or b != b else max(a, b, key=_real)


def _minimum(a: Number, b: Number) -> Number:
    """NaN if either is NaN, as in NumPy."""
    return a + b if a != a or b != b else min(a, b, key=_real)


def _divide(a: Number, b: Number) -> Number:
    """Division by IEEE rules: by zero it is an infinity, or NaN for zero."""
    if b != 0:
        return a / b
    if a == 0 or isinstance(a, complex) or isinstance(b, complex):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def _and(a: int, b: int) -> int:
    return a & b


def _or(a: int, b: int) -> int:
    return a | b


def _xor(a: int, b: int) -> int:
    return a ^ b


def _first(a: Number, b: Number | None = None) -> Number:
    return a


def _map(a: Number, v: Number) -> Number:
    return v if a != 0 else 0


def _emit(name: str) -> Callable[..., Value]:
    """The emitter that forwards to the arithmetic method of that name."""

    def emit(build: Any, *values: Value) -> Value:
        return getattr(build, name)(*values)

    return emit


def _emit_first(build: Any, a: Value, b: Value = None) -> Value:
    return a


def _reducer(
    name: str,
    evaluate: Callable[..., Any],
    method: str,
    identity: Number,
    annihilator: Number | None = None,
) -> Operator:
    """A commutative, associative operator of two arguments."""
    annihilators = () if annihilator is None else (annihilator, annihilator)
    return Operator(
        name, 2, evaluate, _emit(method), (identity, identity), annihilators, True, True
    )


_BUILTIN = (
    _reducer("add", operator.add, "add", 0),
    _reducer("mul", operator.mul, "mul", 1, 0),
    _reducer("max", _maximum, "max", LOWEST, HIGHEST),
    _reducer("min", _minimum, "min", HIGHEST, LOWEST),
    _reducer("and", _and, "and_", -1, 0),
    _reducer("or", _or, "or_", 0, -1),
    _reducer("xor", _xor, "xor", 0),
    Operator("sub", 2, operator.sub, _emit("sub"), (None, 0)),
    Operator("div", 2, _divide, _emit("div"), (None, 1), (0, None), inexact=True),
    Operator("neg", 1, operator.neg, _emit("neg")),
    Operator("abs", 1, abs, _emit("abs")),
    Operator("sqrt", 1, math.sqrt, _emit("sqrt"), inexact=True),
    Operator("exp", 1, math.exp, _emit("exp"), inexact=True),
    Operator(ABSENT, 1, _first, _emit_first),
    Operator(MAP, 2, _map, _emit(MAP), annihilators=(0, 0)),
    Operator(WIDTH, 1, _first, _emit(WIDTH)),
    # The value of `a` wherever `b` stores nothing: GraphBLAS's complemented mask.
    Operator("unless", 2, _first, _emit_first, (None, 0), (0, None), domain="a & ~b"),
)

_operators: dict[str, Operator] = {declared.name: declared for declared in _BUILTIN}


def operator_named(name: str) -> Operator:
    """The declared operator `name`; a `TamaleError` lists the known ones otherwise."""
    if name not in _operators:
        known = ", ".join(sorted(declared_operators()))
        raise TamaleError(f"operators: '{name}' is not declared; known operators: {known}")
    return _operators[name]


def declare_operator(declared: Operator) -> None:
    """Makes `declared` callable in index notation. Declaring a name twice is an error."""
    if declared.name in _operators:
        raise TamaleError(f"operators: '{declared.name}' is already declared")
    if any(
        len(values) not in (0, declared.arity)
        for values in (declared.identities, declared.annihilators)
    ):
        raise TamaleError(
            f"operators: '{declared.name}' takes {declared.arity} arguments, but its identities or "
            "annihilators are of another number"
        )
    _operators[declared.name] = declared


def withdraw_operator(name: str) -> None:
    """Forgets a declared operator (for tests and interactive sessions)."""
    _operators.pop(name, None)


def declared_operators(*, internal: bool = False) -> dict[str, int]:
    """Name -> number of arguments, for the notation parser; IR may also use internal ones."""
    return {
        name: declared.arity
        for name, declared in _operators.items()
        if internal or name not in INTERNAL
    }


def is_builtin_operator(name: str) -> bool:
    """Whether the operator comes with tamale."""
    return any(declared.name == name for declared in _BUILTIN)
