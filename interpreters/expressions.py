"""
Expressions of index notation at one point: a value, whether there is an entry, and the value where
there is none.

`docs/rationale/exact-structure.md` has the rules; an annihilator of an absent entry wins over NaN.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Protocol

from tamale.dialects import operators
from tamale.dialects.cin.sets import SetExpr, Stored, Universe, belongs, parse_set
from tamale.dialects.notation.ast import Access, Call, Expr, Literal, to_text
from tamale.dialects.operators import Number, Operator, operator_named
from tamale.interpreters.memory import InterpretationFailure


@dataclass(frozen=True)
class Part:
    """A subexpression; `fill` is its value where nothing has an entry, None if not one constant."""

    value: Number
    present: bool
    fill: Number | None

    @property
    def stored(self) -> bool:
        """Whether a sparse result gets an entry from it."""
        return self.present or self.fill != 0


class NotReachedError(InterpretationFailure):
    """A subexpression reads where no loop has led; its value may yet turn out not to matter."""

    def __init__(self, message: str, fill: Number | None) -> None:
        super().__init__(message)
        self.fill = fill


class Reader(Protocol):
    """What accesses are worth at the current coordinates."""

    def read(self, access: Access) -> Part:
        """
        The value of an access, or the coordinate that a name stands for.

        Raises:
            NotReachedError: no loop around walks or locates a level of the access.
        """
        ...

    def has_entry(self, access: Access) -> bool:
        """Whether an access has an entry; a padded tensor has one where its value is not 0."""
        ...

    def width(self, access: Access) -> int:
        """How many positions an access has below the levels that have a coordinate."""
        ...


def evaluate(expression: Expr, reader: Reader) -> Part:
    """The meaning of an expression at the reader's coordinates."""
    match expression:
        case Literal(value=value):
            return Part(value, present=True, fill=value)
        case Access():
            return reader.read(expression)
        case Call(operator=operators.WIDTH, arguments=(Access() as access,)):
            width = reader.width(access)
            return Part(width, present=width > 0, fill=0)
        case Call(operator=operators.MAP, arguments=(entry, mapped)):
            present = _has_entry(entry, reader)
            value = evaluate(mapped, reader).value if present else 0
            return Part(value, present, fill=0)
        case Call(operator=operators.ABSENT, arguments=(argument,)):
            value = evaluate(argument, reader).value
            return Part(value, present=False, fill=value)
        case Call(operator=name, arguments=arguments):
            parts = [_argument(argument, reader) for argument in arguments]
            return _call(operator_named(name), parts)
        case _:
            raise InterpretationFailure(
                f"interpret: {to_text(expression)} is a reduction without a loop"
            )


def _has_entry(expression: Expr, reader: Reader) -> bool:
    if isinstance(expression, Access):
        return reader.has_entry(expression)
    return evaluate(expression, reader).value != 0


def _argument(expression: Expr, reader: Reader) -> Part | NotReachedError:
    try:
        return evaluate(expression, reader)
    except NotReachedError as error:
        return error


def _call(operator: Operator, arguments: Sequence[Part | NotReachedError]) -> Part:
    fill = _fill(operator, [argument.fill for argument in arguments])
    parts = [part for part in arguments if isinstance(part, Part)]
    if len(parts) < len(arguments):
        if fill is not None and not any(_present(operator, p) for p in _completions(arguments)):
            return Part(fill, present=False, fill=fill)
        unknown = next(a for a in arguments if isinstance(a, NotReachedError))
        raise NotReachedError(str(unknown), fill)
    present = _present(operator, parts)
    if not present and fill is not None:
        return Part(fill, present=False, fill=fill)
    return Part(operator.apply(*(part.value for part in parts)), present, fill)


def _completions(arguments: Sequence[Part | NotReachedError]) -> Iterator[Sequence[Part]]:
    """What the arguments may be, each of those that are not reached there or not."""
    either = [
        [argument]
        if isinstance(argument, Part)
        else [Part(0, present=present, fill=argument.fill) for present in (True, False)]
        for argument in arguments
    ]
    yield from product(*either)


def _present(operator: Operator, parts: Sequence[Part]) -> bool:
    if operator.domain is not None:

        def is_member(leaf: Stored | Universe) -> bool:
            return isinstance(leaf, Universe) or parts[ord(leaf.access) - ord("a")].present

        return belongs(_domain(operator.domain), is_member)
    needed = [
        part
        for k, part in enumerate(parts)
        if part.fill is not None and part.fill == operator.annihilator(k)
    ]
    return all(p.present for p in needed) if needed else any(p.present for p in parts)


@lru_cache
def _domain(text: str) -> SetExpr:
    """`a & ~b`, over arguments, as a set expression; its variable means nothing."""
    return parse_set(re.sub(r"\b([a-z])\b", r"\1.x", text))


def _fill(operator: Operator, fills: Sequence[Number | None]) -> Number | None:
    if operator.domain is not None:
        return 0
    for k, fill in enumerate(fills):
        if fill is not None and fill == operator.annihilator(k):
            return fill
    known = [fill for fill in fills if fill is not None]
    return operator.apply(*known) if len(known) == len(fills) else None
