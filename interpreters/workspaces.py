"""cfir's workspaces: lists of entries that remember what may be done with them next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.dialects.builtin import i1
from xdsl.interpreter import Interpreter, PythonValues, impl, register_impls

from tamale.dialects.cfir import workspaces as cfir
from tamale.dialects.format.attribute import tensor_format
from tamale.dialects.format.spec import Format
from tamale.interpreters.appended import AppendedResult
from tamale.interpreters.level_functions import appended, numbers
from tamale.interpreters.memory import InterpretationFailure, plain, scalar
from tamale.interpreters.runtime import TensorFunctions


class EntryList:
    """The entries of a vector in the order of their insertion, or sorted."""

    def __init__(self, format: Format, size: int, *, ordered: bool) -> None:
        self.format, self.shape = format, (size,)
        self.ordered, self.closed = ordered, False
        self.coordinates: list[int] = []
        self.values: list[Any] = []

    # As a tensor

    def count(self, k: int) -> int:
        return len(self.coordinates)

    def pos_bounds(self, k: int, parent: int, ancestors: Sequence[int]) -> tuple[int, int]:
        return 0, len(self.coordinates)

    def pos_access(self, k: int, position: int, ancestors: Sequence[int]) -> int:
        self._check_position(position)
        return self.coordinates[position]

    def pos_found(self, k: int, position: int) -> bool:
        self._check_position(position)
        return True

    def coord_bounds(self, k: int, parent: int, ancestors: Sequence[int]) -> tuple[int, int]:
        return 0, self.shape[0]

    def locate(
        self, k: int, parent: int, coordinate: int, ancestors: Sequence[int]
    ) -> tuple[int, bool]:
        return self.find(coordinate)

    def load(self, position: int) -> Any:
        self._check_position(position)
        return self.values[position]

    def store(self, position: int, value: Any) -> None:
        self._check_position(position)
        self.values[position] = value

    # As a workspace

    def clear(self) -> None:
        """Takes all entries out."""
        self.coordinates, self.values, self.closed = [], [], False

    def find(self, coordinate: int) -> tuple[int, bool]:
        """The position of a coordinate's entry, and whether it has one."""
        if not 0 <= coordinate < self.shape[0]:
            raise InterpretationFailure(
                f"interpret: coordinate {coordinate} of a workspace of {self.shape[0]}"
            )
        self._check_open("searched")
        found = coordinate in self.coordinates
        return (self.coordinates.index(coordinate) if found else -1), found

    def insert(self, value: Any, coordinate: int, place: int) -> None:
        """A further entry, where the search for its coordinate has ended."""
        if place != coordinate or self.find(coordinate)[1]:
            raise InterpretationFailure(
                f"interpret: an entry at {coordinate} is inserted into a workspace after a search "
                f"that ended at {place}{' and found it' * (place == coordinate)}"
            )
        self.coordinates.append(coordinate)
        self.values.append(value)

    def sort(self) -> None:
        """Orders the entries by their coordinates."""
        if not self.ordered:
            raise InterpretationFailure("interpret: a workspace that keeps no order is sorted")
        entries = dict(sorted(zip(self.coordinates, self.values, strict=True)))
        self.coordinates, self.values, self.closed = [*entries], [*entries.values()], True

    def _check_open(self, what: str) -> None:
        if self.closed:
            raise InterpretationFailure(f"interpret: a workspace is {what} after it was sorted")

    def _check_position(self, position: int) -> None:
        if not 0 <= position < len(self.coordinates):
            raise InterpretationFailure(
                f"interpret: position {position} of a workspace of {len(self.coordinates)} entries"
            )


class ResultEnd:
    """The entries at the end of a result that were appended since the list was cleared."""

    def __init__(self, result: AppendedResult, size: int, *, ordered: bool) -> None:
        self.result, self.shape, self.ordered, self.closed = result, (size,), ordered, False
        self.last = len(result.format.levels) - 1
        self.group = next(reversed(result.groups))
        self.begin = 0
        self.marks: dict[int, int] = {}

    def clear(self) -> None:
        """Begins at the end of the result."""
        self.begin, self.marks, self.closed = self.result.position(self.group), {}, False

    def find(self, coordinate: int) -> tuple[int, bool]:
        """The position of a coordinate's entry, and whether it has one."""
        if self.closed:
            raise InterpretationFailure("interpret: a workspace is searched after it was sorted")
        if not 0 <= coordinate < self.shape[0]:
            raise InterpretationFailure(
                f"interpret: coordinate {coordinate} of a workspace of {self.shape[0]}"
            )
        self._check_marks()
        return self.marks.get(coordinate, -1), coordinate in self.marks

    def mark(self, place: int) -> None:
        """Lets the entry that is appended next be found."""
        self._check_marks()
        self.marks[place] = self.result.position(self.group)

    def sort(self) -> None:
        """Orders the entries by their coordinates."""
        if not self.ordered:
            raise InterpretationFailure("interpret: a workspace that keeps no order is sorted")
        self._check_marks()
        column = self.result.coordinates[self.last]
        entries = sorted((column[p], self.result.load(p)) for p in self._positions())
        for position, (coordinate, value) in zip(self._positions(), entries, strict=True):
            column[position], self.result.values[position] = coordinate, value
        self.closed = True

    def _positions(self) -> range:
        return range(self.begin, self.result.position(self.group))

    def _check_marks(self) -> None:
        """All entries since the list was cleared were marked, with their coordinates."""
        column = self.result.coordinates[self.last]
        found = {column.get(p): p for p in self._positions()}
        if not self.closed and found != self.marks:
            raise InterpretationFailure(
                f"interpret: {found} are the entries of a result, but {self.marks} were marked"
            )


@register_impls
class WorkspaceFunctions(TensorFunctions):
    """Opening a workspace, entries that come in, and their order."""

    @impl(cfir.WorkspaceOp)
    def run_workspace(
        self, interpreter: Interpreter, op: cfir.WorkspaceOp, args: PythonValues
    ) -> Any:
        if op.within is not None:
            size, result = args
            ordered = op.ordered is not None
            return (ResultEnd(appended(result), plain(size), ordered=ordered),)
        format = tensor_format(op.result.type)
        return (EntryList(format, plain(args[0]), ordered=op.ordered is not None),)

    @impl(cfir.ClearOp)
    def run_clear(self, interpreter: Interpreter, op: cfir.ClearOp, args: PythonValues) -> Any:
        args[0].clear()
        return ()

    @impl(cfir.FindOp)
    def run_find(self, interpreter: Interpreter, op: cfir.FindOp, args: PythonValues) -> Any:
        position, found = args[0].find(plain(args[1]))
        return (*numbers(position), scalar(found, i1), args[1])

    @impl(cfir.InsertOp)
    def run_insert(self, interpreter: Interpreter, op: cfir.InsertOp, args: PythonValues) -> Any:
        tensor, coordinate, place, value = args
        tensor.insert(plain(value), plain(coordinate), plain(place))
        return ()

    @impl(cfir.MarkOp)
    def run_mark(self, interpreter: Interpreter, op: cfir.MarkOp, args: PythonValues) -> Any:
        args[0].mark(plain(args[1]))
        return ()

    @impl(cfir.SortOp)
    def run_sort(self, interpreter: Interpreter, op: cfir.SortOp, args: PythonValues) -> Any:
        args[0].sort()
        return ()
