"""What the level functions of workspaces mean on their arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects.cfir.workspaces import ClearOp, FindOp, InsertOp, SortOp
from tamale.passes.lowering.workspaces import WorkspaceStorage


def clear(workspace: WorkspaceStorage, op: ClearOp) -> Sequence[SSAValue]:
    workspace.clear()
    return ()


def find(workspace: WorkspaceStorage, op: FindOp) -> Sequence[SSAValue]:
    return workspace.find(op.coordinate)


def insert(workspace: WorkspaceStorage, op: InsertOp) -> Sequence[SSAValue]:
    workspace.insert(op.value, op.coordinate, op.place)
    return ()


def sort(workspace: WorkspaceStorage, op: SortOp) -> Sequence[SSAValue]:
    if not workspace.ordered:
        raise PassFailedException(
            f"lower-levels: workspace '{workspace.name}' was not opened as sorted"
        )
    workspace.sort()
    return ()


WORKSPACE_MEANINGS: Mapping[
    type[Operation], Callable[[WorkspaceStorage, Any], Sequence[SSAValue]]
] = {ClearOp: clear, FindOp: find, InsertOp: insert, SortOp: sort}
"""By level function: what gives its results."""
