"""What kernels and conversions share: a module at a stage, its text, its C++."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException, PassFailedException

from tamale.backends.cpp.printer import print_cpp
from tamale.dialects.errors import KernelError, TamaleError
from tamale.dialects.timing import measured
from tamale.passes.pipeline import Pipeline

SHARING = ("plan-conversion", "partition")
"""The passes that are told how many workers there are."""


def with_threads(name: str, threads: int) -> str:
    """A pass, with the number of workers if it is told."""
    return f"{name}{{threads={threads}}}" if name in SHARING and threads > 1 else name


class ModuleStages(ABC):
    """One thing at every level of the compiler, each made only when asked for."""

    refusal: ClassVar[type[TamaleError]]
    """The error that users get where a pass refuses."""

    @abstractmethod
    def module(self, stage: str) -> ModuleOp:
        """A fresh module of the stage."""

    def run(self, passes: Sequence[str], module: ModuleOp) -> None:
        """
        Runs passes, some with options, on the module.

        Raises:
            TamaleError: of type `refusal`, with what the pass says.
        """
        try:
            with measured("load passes"):
                pipeline = Pipeline(",".join(passes))
            pipeline.run(module, verify=False)
        except PassFailedException as error:
            raise self.refusal(str(error)) from error

    def text(self, stage: str) -> str:
        """The stage as text that `tamale-opt` reads."""
        return str(self.module(stage))

    @cached_property
    def cpp(self) -> str:
        """The C++ that is compiled."""
        try:
            module = self.module("mlir")
            with measured("print C++"):
                return print_cpp(module)
        except DiagnosticException as error:
            raise KernelError(str(error)) from error
