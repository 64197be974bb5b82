"""
The level kind `offset`: the one coordinate that the levels above determine.

| full | ordered | unique | branchless | compact | iterate by | locate | insert | append | arrays |
|---|---|---|---|---|---|---|---|---|---|
| no | yes | yes | yes | no | position | O(1) | yes | no | none |

In DIA, where the levels above store `j - i` and `i`, it gives `j`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tamale.dialects.errors import FormatError
from tamale.dialects.format.invert import facts_of, value_from
from tamale.dialects.format.level import Level, LevelProperties
from tamale.passes.levels.arithmetic import related
from tamale.passes.levels.functions import (
    LevelAssembly,
    LevelStorage,
    StorageKind,
    StoredLevel,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from xdsl.ir import SSAValue

    from tamale.dialects.format.expressions import Expr


class Offset(StorageKind):
    """The child of parent position `p` has position `p` too; its coordinate is computed."""

    name = "offset"
    defaults = LevelProperties(
        full=False, ordered=True, unique=True, branchless=True, compact=False
    )
    alone = None

    def verify_below(self, level: Level, above: Sequence[Level]) -> None:
        if not above or above[-1].kind != "range":
            raise FormatError(
                "computes its coordinate from the levels above, which only a 'range' right above "
                "keeps inside of the dimension"
            )
        if value_from(level.expression, facts_of([outer.expression for outer in above])) is None:
            raise FormatError(
                "stores nothing, but the levels above do not determine its coordinate; "
                "use 'singleton' to store it"
            )

    # Walking

    def pos_bounds(self, level: LevelStorage, parent: SSAValue) -> tuple[SSAValue, SSAValue]:
        return parent, level.emit.add(parent, level.emit.constant(1))

    def pos_access(self, level: LevelStorage, position: SSAValue) -> SSAValue:
        return level.related(_value(level))

    def locate(
        self, level: LevelStorage, parent: SSAValue, coordinate: SSAValue
    ) -> tuple[SSAValue, SSAValue]:
        return parent, level.emit.compare("eq", coordinate, level.related(_value(level)))

    def size_below(self, level: LevelStorage, parents: SSAValue) -> SSAValue:
        return parents

    # Assembly

    def get_pos(
        self, level: LevelAssembly, parent: SSAValue, coordinates: Sequence[SSAValue]
    ) -> SSAValue:
        return parent

    # Stored arrays

    def count(self, level: StoredLevel, parents: int) -> int:
        return parents

    def coordinates(
        self, level: StoredLevel, parents: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        import numpy as np

        return np.arange(parents, dtype=np.int64), related(level, _value(level))


def _value(level: LevelStorage | StoredLevel) -> Expr:
    value = level.relation.value
    assert value is not None, "verify_below"
    return value
