"""The arguments of a function whose tensors become sizes and arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, Block, SSAValue

from tamale.dialects.format.attribute import tensor_format
from tamale.dialects.format.spec import Format
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.emit.upstream import array_type
from tamale.passes.lowering.storage import OperandStorage, array_element, level_arrays


@dataclass(frozen=True)
class Signature:
    """Adds arguments to the entry block of a function, in the documented order."""

    emit: Emitter
    block: Block

    def argument(self, type: Attribute, hint: str) -> SSAValue:
        """One more argument, the last."""
        argument = self.block.insert_arg(type, len(self.block.args))
        argument.name_hint = hint
        return argument

    def dims(self, name: str, format: Format) -> list[SSAValue]:
        """The sizes of a tensor, mode by mode."""
        return [self.argument(INDEX, f"{name}_dim{mode + 1}") for mode in range(format.order)]

    def operand(self, tensor: SSAValue) -> OperandStorage:
        """Everything that a tensor is stored in."""
        type = cast("TensorType[Attribute]", tensor.type)
        format, name = tensor_format(type), tensor.name_hint or "T"
        dims = self.dims(name, format)
        arrays = {
            (k, array): self.argument(
                array_type(array_element(format, k, array)), f"{name}{k + 1}_{array}"
            )
            for k, array in level_arrays(format)
        }
        values = self.argument(array_type(type.element_type), f"{name}_vals")
        return OperandStorage(self.emit, format, dims, arrays, values)
