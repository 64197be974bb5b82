"""A request at every level of the compiler, each made once and only when asked for."""

from __future__ import annotations

from functools import cached_property

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import PassFailedException

from tamale.backends.cpp.printer import print_cpp
from tamale.dialects.errors import ScheduleError
from tamale.frontend.building import build_module
from tamale.frontend.explaining import explain
from tamale.frontend.request import Request
from tamale.passes.pipeline import Pipeline

STAGES = {
    "tin": "",
    "cin": "concretize,simplify-domains",
    "ocin": "concretize,simplify-domains,insert-workspaces,iterate-locate",
    "cfir": "concretize,simplify-domains,insert-workspaces,iterate-locate,build-lattices",
    "mlir": "compute",
}
"""Stage -> the passes that lead to it."""


class Stages:
    """The stages of one request."""

    def __init__(self, request: Request) -> None:
        self.request = request

    def module(self, stage: str) -> ModuleOp:
        """A fresh module of the stage."""
        module = build_module(self.request)
        if STAGES[stage]:
            try:
                Pipeline(STAGES[stage]).run(module)
            except PassFailedException as error:
                raise ScheduleError(str(error)) from error
        return module

    def text(self, stage: str) -> str:
        """The stage as text that `tamale-opt` reads."""
        return str(self.module(stage))

    @cached_property
    def cpp(self) -> str:
        """The C++ of the kernel."""
        return print_cpp(self.module("mlir"))

    def explain(self) -> str:
        """Why the kernel looks as it does."""
        return explain(self)
