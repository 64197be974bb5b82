"""What the level functions of one level have made so far; they come in an order."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.ir import SSAValue


class NotMadeError(LookupError):
    """A level function needs what another one has to make first."""


class Made(dict[str, "SSAValue"]):
    """Arrays and other values by their names; asking for one that is not made yet is an error."""

    def __missing__(self, name: str) -> SSAValue:
        raise NotMadeError(f"'{name}' is needed here, which no level function before has made")

    def take(self, name: str) -> SSAValue:
        """What is made, which is not there afterwards."""
        value = self[name]
        del self[name]
        return value
