"""Tensors that ops hand to each other, and what all functions know about the run."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from xdsl.interpreter import InterpreterFunctions

from tamale.interpreters.meant import MeantTensor
from tamale.interpreters.memory import InterpretationFailure
from tamale.interpreters.stored import StoredTensor


@dataclass
class TensorFunctions(InterpreterFunctions):
    """Shared by the functions of the dialects that have tensors."""

    shape: tuple[int, ...] | None = None
    """The dimension sizes of the function's result, where no operand tells them."""

    def result_shape(self, order: int) -> tuple[int, ...]:
        """
        The dimension sizes of a result that the function returns.

        Raises:
            InterpretationFailure: they are not known.
        """
        if self.shape is None or len(self.shape) != order:
            raise InterpretationFailure(
                "interpret: the dimension sizes of the result have to be given"
            )
        return self.shape


def stored(value: Any, what: str) -> StoredTensor:
    """
    A tensor with a storage.

    Raises:
        InterpretationFailure: it has none yet; `what` wants to walk it.
    """
    if isinstance(value, StoredTensor):
        return value
    kind = "is only meant" if isinstance(value, MeantTensor) else "is under assembly"
    raise InterpretationFailure(f"interpret: {what} walks a tensor that {kind}, not stored")
