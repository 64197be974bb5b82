"""What a function that takes tensors, and is to be interpreted, takes and gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from xdsl.dialects import func
from xdsl.dialects.builtin import TensorType

from tamale.dialects.errors import TamaleError
from tamale.frontend.files import read
from tamale.frontend.interop import tensor
from tamale.frontend.tensor import Tensor
from tamale.interpreters.running import ResultType
from tamale.tools.cli.operands import with_dtype


@dataclass(frozen=True)
class Operand:
    """What an operand is called, how it is stored, and what its elements are."""

    name: str
    type: ResultType

    def read(self, path: Path) -> Tensor:
        """
        The operand from a file.

        Raises:
            TamaleError: it cannot be read, or does not fit.
        """
        found, format = tensor(read(path)), self.type.format
        if found.order != format.order:
            raise TamaleError(
                f"interpret: {self.name} has order {format.order}, but '{path}' has {found.order}"
            )
        return with_dtype(found, self.type.dtype.name, path, "interpret").to_format(format)


@dataclass(frozen=True)
class Interface:
    """The operands of a function, in order, and its result."""

    operands: tuple[Operand, ...]
    result: ResultType
    shape: tuple[int, ...] | None
    """The dimension sizes of the result, where they are known before it is computed."""


def interface_of_tensors(
    function: func.FuncOp, formats: Mapping[str, str], shape: tuple[int, ...] | None
) -> Interface:
    """
    What a function of tensors takes and gives; its types tell.

    Raises:
        TamaleError: it does not take tensors alone and give one, or formats are given by flags.
    """
    name, outputs = function.sym_name.data, list(function.function_type.outputs)
    inputs = [(a.name_hint or f"#{k}", a.type) for k, a in enumerate(function.body.block.args)]
    for called, type in (*inputs, *(("the result", type) for type in outputs)):
        if not isinstance(type, TensorType):
            raise TamaleError(f"interpret: {called} of @{name} is of type {type}, not a tensor")
    if len(outputs) != 1:
        raise TamaleError(f"interpret: @{name} returns {len(outputs)} values, not one")
    if formats:
        raise TamaleError(
            f"interpret: -f says how {', '.join(formats)} is stored, but @{name} takes tensors, "
            "whose types say so\n  help: leave -f out"
        )
    result = ResultType.of(outputs[0])
    if shape is not None and len(shape) != result.format.order:
        raise TamaleError(
            f"interpret: the result of @{name} has order {result.format.order}, but --shape has "
            f"{len(shape)} sizes"
        )
    operands = tuple(Operand(called, ResultType.of(type)) for called, type in inputs)
    return Interface(operands, result, shape)
