"""Which ops hold statements, and that statements are in one of them."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.ir import Operation
from xdsl.traits import OpTrait
from xdsl.utils.exceptions import VerifyException


@dataclass(frozen=True)
class HoldsStatements(OpTrait):
    """A kernel: what names in the statements inside of it mean is written there."""


@dataclass(frozen=True)
class InsideKernel(OpTrait):
    """A statement, which means nothing outside of a kernel."""

    def verify(self, op: Operation) -> None:
        around = op.parent_op()
        while around is not None:
            if around.has_trait(HoldsStatements):
                return
            around = around.parent_op()
        raise VerifyException(
            f"{op.name}: the statement is in no kernel, which would say what its names are"
        )
