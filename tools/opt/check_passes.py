"""`--check-passes`: the first pass that changes what the module computes is an error."""

from __future__ import annotations

import sys
from argparse import Namespace

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from tamale.dialects.errors import TamaleError
from tamale.dialects.lazy import load
from tamale.dialects.locations import locate
from tamale.tools.opt.reproducer import write_reproducer


class MiscompilationError(TamaleError):
    """A pass has changed what a function computes."""


class PassCheck:
    """Checks every piece of the input, from the parser to the last pass."""

    def __init__(self, args: Namespace) -> None:
        self._args = args
        self._start = ""
        """The last module that can be run by itself: functions of arrays have no samples."""
        self._since: list[str] = []
        """The passes that ran since."""

    def between(self, previous: ModulePass | None, module: ModuleOp) -> None:
        """
        Runs the module as `previous` left it; as it was read, if there is none.

        Raises:
            MiscompilationError: a function gives something else than before.
        """
        if previous is None:
            # The interpreters are loaded only where they are asked for.
            self._checker = load("tamale.interpreters.checking:PassChecker")(module)
            for reason in self._checker.skipped:
                print(f"check-passes: not checked: {reason}", file=sys.stderr)
            self._start, self._since = str(module), []
            return
        self._since.append(str(previous))
        difference = self._checker.after(previous.name, module)
        if difference is not None:
            only = Namespace(**{**vars(self._args), "passes": ",".join(self._since)})
            how = write_reproducer(only, self._start)
            error = MiscompilationError(f"{difference}\n  {how}")
            raise locate(error, _function(module, difference.function))
        takes_tensors = load("tamale.interpreters.running:takes_tensors")
        if all(map(takes_tensors, _functions(module))):
            self._start, self._since = str(module), []


def _function(module: ModuleOp, name: str) -> Operation:
    """The function called so; the module if a pass has taken it out."""
    return next((op for op in _functions(module) if op.sym_name.data == name), module)


def _functions(module: ModuleOp) -> list[func.FuncOp]:
    return [op for op in module.walk() if isinstance(op, func.FuncOp)]
