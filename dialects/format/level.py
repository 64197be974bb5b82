"""One storage level of a format, and the properties that a compiler reasons with."""

from dataclasses import dataclass, fields
from typing import TypeAlias

from tamale.dialects.format.expressions import Expr, to_text

OptionValue: TypeAlias = int | bool | str


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelProperties:
    """
    What holds for the coordinates below each parent position of a level.

    Source: Chou et al., OOPSLA 2018, sec. 3.2; `zeroless`: Chou et al., PLDI 2020.
    """

    full: bool
    """Every coordinate of the level is stored: the level is the universe."""
    ordered: bool
    """Coordinates ascend in position order: the level can be merged with ordered ones."""
    unique: bool
    """No coordinate occurs twice."""
    branchless: bool
    """Exactly one child per parent: one loop serves both levels."""
    compact: bool
    """No gap between the children of consecutive parents: one flat loop over all positions."""
    zeroless: bool = False
    """No explicit zeros are stored: counts need not look at values."""


PROPERTY_NAMES = frozenset(field.name for field in fields(LevelProperties))


@dataclass(frozen=True, slots=True)
class Level:
    """
    `expression : kind(properties)`, one storage level.

    `properties` holds what the line says beyond the kind's defaults, in the kind's order:
    `nonunique` is `("unique", False)`, `per parent` is `("per", "parent")`.
    """

    expression: Expr
    kind: str
    properties: tuple[tuple[str, OptionValue], ...] = ()

    def __str__(self) -> str:
        options = ", ".join(option_text(name, value) for name, value in self.properties)
        return f"{to_text(self.expression)} : {self.kind}" + (f"({options})" if options else "")


def option_text(name: str, value: OptionValue) -> str:
    """
    An option as a format line spells it.

    >>> [option_text("unique", False), option_text("per", "parent"), option_text("width", 4)]
    ['nonunique', 'per parent', 'width = 4']
    """
    match value:
        case bool():
            return name if value else f"non{name}"
        case int():
            return f"{name} = {value}"
        case str():
            return f"{name} {value}"
