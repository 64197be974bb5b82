"""What may look on between passes."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass


class Observer:
    """Sees the module before the first and after every pass, and changes nothing."""

    def between(self, previous: ModulePass | None, module: ModuleOp) -> None:
        """Takes the module as `previous` left it; as it was read, if None."""

    def printed(self, program: str) -> None:
        """Takes the output for one piece of the input."""

    def finish(self) -> None:
        """After the last piece."""
