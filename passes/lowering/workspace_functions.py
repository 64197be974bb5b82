"""What the level functions of workspaces mean on their arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects.cfir.workspaces import (
    ClearOp,
    FindOp,
    InsertOp,
    MarkOp,
    SortOp,
    WorkspaceOp,
)
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.result_lists import ResultList
from tamale.passes.lowering.storage import AppendedResult
from tamale.passes.lowering.workspaces import WorkspaceStorage

Entries: TypeAlias = WorkspaceStorage | ResultList
"""A workspace in arrays of its own, or at the end of the result."""


def open_workspace(emit: Emitter, op: WorkspaceOp, within: object) -> Entries:
    """The storage of a workspace; `within` is that of the result whose end it is, if it is one."""
    if op.within is None:
        return WorkspaceStorage(emit, op)
    if not isinstance(within, AppendedResult):
        raise PassFailedException(
            f"lower-levels: workspace '{op.result.name_hint}' is to be the end of a tensor that is "
            "not appended to"
        )
    return ResultList(emit, op, within)


def clear(workspace: Entries, op: ClearOp) -> Sequence[SSAValue]:
    workspace.clear()
    return ()


def find(workspace: Entries, op: FindOp) -> Sequence[SSAValue]:
    return workspace.find(op.coordinate)


def insert(workspace: WorkspaceStorage, op: InsertOp) -> Sequence[SSAValue]:
    workspace.insert(op.value, op.coordinate, op.place)
    return ()


def mark(workspace: ResultList, op: MarkOp) -> Sequence[SSAValue]:
    workspace.mark(op.place)
    return ()


def sort(workspace: Entries, op: SortOp) -> Sequence[SSAValue]:
    if not workspace.ordered:
        raise PassFailedException(
            f"lower-levels: workspace '{workspace.name}' was not opened as sorted"
        )
    workspace.sort()
    return ()


WORKSPACE_MEANINGS: Mapping[
    type[Operation], Callable[[Any, Any], Sequence[SSAValue]]
] = {ClearOp: clear, FindOp: find, InsertOp: insert, MarkOp: mark, SortOp: sort}
"""By level function: what gives its results."""
