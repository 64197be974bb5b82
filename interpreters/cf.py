"""cf: xDSL's functions and `cf.assert`, which ends a kernel with the status of its message."""

from __future__ import annotations

from typing import Any

from xdsl.dialects import cf
from xdsl.interpreter import Interpreter, PythonValues, impl, register_impls
from xdsl.interpreters.cf import CfFunctions

from tamale.dialects.errors import KernelError


@register_impls
class MoreCfFunctions(CfFunctions):
    """Branches and assertions."""

    @impl(cf.AssertOp)
    def run_assert(self, interpreter: Interpreter, op: cf.AssertOp, args: PythonValues) -> Any:
        if not args[0]:
            raise KernelError(f"interpret: {op.msg.data}")
        return ()
