"""What an absent entry is worth, as an expression."""

from __future__ import annotations

from dataclasses import dataclass

from tamale.dialects.notation.ast import Literal


@dataclass(frozen=True, eq=False)
class Fill(Literal):
    """The value of what has no entry; a number that the user wrote is present everywhere."""


FILL = Fill(0)
