"""
Where the loops of a kernel are: coordinates of variables, positions of accesses, workspaces.

A position is looked up from the coordinates of the levels, not carried along, so that the order of
loops and what they locate make no difference to what is found.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tamale.dialects.cin.sets import Stored, set_text
from tamale.dialects.level_variables import level_variables
from tamale.dialects.notation.ast import Access, to_text
from tamale.dialects.operators import Number
from tamale.frontend.levels import level_range
from tamale.interpreters.counting import WorkCounter
from tamale.interpreters.expressions import NotReachedError, Part
from tamale.interpreters.memory import InterpretationFailure
from tamale.interpreters.results import identity
from tamale.interpreters.stored import StoredTensor
from tamale.passes.levels import is_padded


@dataclass
class Workspace:
    """What a producer leaves for its consumer: a value for each place that it wrote."""

    access: Access
    start: Number
    """The value of places that were not written."""
    values: dict[tuple[int, ...], Number] = field(default_factory=dict[tuple[int, ...], Number])
    present: set[tuple[int, ...]] = field(default_factory=set[tuple[int, ...]])


@dataclass(frozen=True)
class Operand:
    """A named use of a stored tensor."""

    access: Access
    tensor: StoredTensor

    @property
    def variables(self) -> tuple[str, ...]:
        """Its level variables, outermost first."""
        return level_variables(self.access, self.tensor.format)


class Place:
    """A point in the loops of one kernel; `Coordinates` for the set expressions there."""

    def __init__(
        self,
        operands: Mapping[str, Operand],
        sizes: Mapping[str, int],
        counters: Sequence[WorkCounter],
        *,
        located: bool,
    ) -> None:
        self.operands, self.sizes, self.counters = operands, sizes, counters
        self.located = located
        """Whether loops have to say that they locate full levels; else those are just there."""
        self.coordinates: dict[str, int] = {}
        self.reached: set[Stored] = set()
        """The levels that an enclosing loop walks or locates."""
        self.duplicates: dict[str, list[int]] = {}
        """Access -> the one position to look at, where several have the same coordinates."""
        self.workspaces: dict[str, Workspace] = {}

    # Coordinates of set expressions

    def universe(self, variable: str) -> range:
        if variable in self.sizes:
            return range(self.sizes[variable])
        for operand in self.operands.values():
            if variable in operand.variables:
                k = operand.variables.index(variable)
                low, size = level_range(operand.tensor.format, operand.tensor.shape, k)
                return range(low, low + size)
        raise InterpretationFailure(f"interpret: nothing tells the size of '{variable}'")

    def stored(self, leaf: Stored) -> Sequence[int]:
        if leaf.access in self.workspaces:
            return self._of_workspace(leaf)
        operand = self._operand(leaf.access)
        k = operand.variables.index(leaf.variable)
        if any(v not in self.coordinates for v in operand.variables[:k]):
            return self._full_level(operand, k)
        children = operand.tensor.levels[k].children
        below = [children.get(p, {}) for p in self.positions(operand, k)]
        return sorted(below[0]) if len(below) == 1 else sorted({c for each in below for c in each})

    def stores(self, leaf: Stored, coordinate: int) -> bool:
        if leaf.access in self.workspaces:
            return coordinate in self._of_workspace(leaf)
        operand = self._operand(leaf.access)
        k = operand.variables.index(leaf.variable)
        if leaf.variable in self.coordinates:  # Walked outside, and now known to be there or not.
            return bool(self.positions(operand, k + 1))
        if any(v not in self.coordinates for v in operand.variables[:k]):
            return coordinate in self._full_level(operand, k)
        children = operand.tensor.levels[k].children
        return any(coordinate in children.get(p, ()) for p in self.positions(operand, k))

    def _of_workspace(self, leaf: Stored) -> Sequence[int]:
        workspace = self.workspaces[leaf.access]
        k = workspace.access.indices.index(leaf.variable)
        above = [self.coordinates[v] for v in workspace.access.indices[:k]]
        return sorted({place[k] for place in workspace.present if [*place[:k]] == above})

    def _full_level(self, operand: Operand, k: int) -> range:
        """A level whose parents are not known yet: it can be asked if it stores everything."""
        format = operand.tensor.format
        if not format.properties(k).full:
            leaf = Stored(operand.access.tensor, operand.variables[k])
            raise InterpretationFailure(
                f"interpret: '{set_text(leaf)}' is asked for before the levels above it"
            )
        low, size = level_range(format, operand.tensor.shape, k)
        return range(low, low + size)

    # Accesses

    def _operand(self, name: str) -> Operand:
        if name not in self.operands:
            raise InterpretationFailure(f"interpret: '{name}' names no access of the kernel")
        return self.operands[name]

    def positions(self, operand: Operand, levels: int) -> list[int]:
        """The positions in the first `levels` levels at the current coordinates."""
        if levels == len(operand.variables) and operand.access.tensor in self.duplicates:
            return self.duplicates[operand.access.tensor]
        positions = [0]
        for k in range(levels):
            children, own = operand.tensor.levels[k].children, self.coordinates
            coordinate = own[operand.variables[k]]
            positions = [q for p in positions for q in children.get(p, {}).get(coordinate, ())]
        return positions

    def read(self, access: Access) -> Part:
        """The value of an access; duplicates are added up."""
        for counter in self.counters:
            counter.read()
        name = access.tensor
        if name in self.workspaces:
            return self._read_workspace(self.workspaces[name], access)
        if name not in self.operands and name in self.coordinates and not access.indices:
            return Part(self.coordinates[name], present=True, fill=None)
        operand = self._operand(name)
        for k, variable in enumerate(operand.variables):
            given = not self.located and operand.tensor.format.properties(k).full
            if not given and Stored(name, variable) not in self.reached:
                message = (
                    f"interpret: {to_text(access)} is read, but no loop around it walks or "
                    f"locates '{name}.{variable}'"
                )
                raise NotReachedError(message, 0)
        found = self.positions(operand, len(operand.variables))
        total: Any = sum(operand.tensor.load(p).item() for p in found)
        return Part(total, bool(found), 0 if access.indices else None)

    def _read_workspace(self, workspace: Workspace, access: Access) -> Part:
        place = tuple(self.coordinates[v] for v in access.indices)
        value = workspace.values.get(place, workspace.start)
        return Part(value, place in workspace.present, fill=0)

    def has_entry(self, access: Access) -> bool:
        """Whether an access has an entry; a padded tensor, or a workspace, where it is not 0."""
        part = self.read(access)
        operand = self.operands.get(access.tensor)
        unpadded = operand is not None and not is_padded(operand.tensor.format)
        return part.present if unpadded else part.value != 0

    def width(self, access: Access) -> int:
        """How many positions an access has below the levels that are reached."""
        if access.tensor in self.workspaces:
            return len(self.workspaces[access.tensor].present)
        operand = self._operand(access.tensor)
        reached = [Stored(access.tensor, v) in self.reached for v in operand.variables]
        depth = reached.index(False) if False in reached else len(reached)
        positions = self.positions(operand, depth)
        for level in operand.tensor.levels[depth:]:
            positions = np.flatnonzero(np.isin(level.owners, positions)).tolist()
        return len(positions)


def workspace_for(access: Access, operator: str | None, dtype: np.dtype[Any]) -> Workspace:
    """An empty workspace that statements with `operator` accumulate into."""
    return Workspace(access, 0 if operator is None else identity(operator, dtype))
