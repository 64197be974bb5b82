"""Opening the workspaces of a kernel that are vectors."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import SSAValue

from tamale.dialects import cfir
from tamale.dialects.cfir.workspaces import WorkspaceOp
from tamale.dialects.format.attribute import FormatAttr
from tamale.passes.lowering.scope import KernelContext
from tamale.passes.lowering.universes import universe_size


def open_workspaces(
    kernel: KernelContext, op: cfir.KernelOp, within: Mapping[str, SSAValue]
) -> dict[str, SSAValue]:
    """Name -> the tensor of each workspace that is a vector; `within` others, some of them."""
    tensors: dict[str, SSAValue] = {}
    for workspace in op.vectors:
        size = universe_size(kernel, *workspace.access.indices)
        format = FormatAttr(kernel.formats[workspace.name])
        type = TensorType(kernel.element, [DYNAMIC_INDEX], format)
        end_of = within.get(workspace.name)
        tensor = kernel.emit.insert(WorkspaceOp(workspace, size, type, end_of)).result
        tensors[workspace.name] = kernel.emit.named(tensor, workspace.name)
    return tensors
