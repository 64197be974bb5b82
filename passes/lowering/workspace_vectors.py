"""Opening the workspaces of a kernel that are vectors."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import SSAValue

from tamale.dialects import cfir
from tamale.dialects.cfir.workspaces import WorkspaceOp
from tamale.dialects.format.attribute import FormatAttr
from tamale.passes.lowering.scope import KernelContext
from tamale.passes.lowering.universes import universe_size


def with_workspaces(
    kernel: KernelContext, op: cfir.KernelOp, in_place: Container[str]
) -> KernelContext:
    """The kernel with a tensor for each workspace that is a vector; some are the result's end."""
    tensors, result = dict[str, SSAValue](), kernel.tensors[op.target.data.tensor]
    for workspace in op.vectors:
        size = universe_size(kernel, *workspace.access.indices)
        format = FormatAttr(kernel.formats[workspace.name])
        type = TensorType(kernel.element, [DYNAMIC_INDEX], format)
        end_of = result if workspace.name in in_place else None
        tensor = kernel.emit.insert(WorkspaceOp(workspace, size, type, end_of)).result
        tensors[workspace.name] = kernel.emit.named(tensor, workspace.name)
    return replace(kernel, tensors={**kernel.tensors, **tensors})
