"""A request at every level of the compiler, each made once and only when asked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException, PassFailedException

from tamale.backends.cpp.printer import print_cpp
from tamale.dialects.errors import KernelError, ScheduleError
from tamale.frontend.building import build_module
from tamale.frontend.explaining import explain
from tamale.frontend.request import Request
from tamale.passes.insert_conversions import converts
from tamale.passes.pipeline import Pipeline
from tamale.passes.pipelines import ONLY_IN_CONVERSIONS, STAGES, TABLE


class Stages:
    """The stages of one request."""

    def __init__(self, request: Request) -> None:
        self.request = request

    def module(self, stage: str) -> ModuleOp:
        """A fresh module of the stage."""
        module = build_module(self.request)
        road, last = TABLE.expand("compute"), STAGES[stage]
        if last is None:
            return module
        self._insert_conversions(module)
        rest = road[1 : road.index(last) + 1]
        if not converts(module):
            rest = tuple(name for name in rest if name not in ONLY_IN_CONVERSIONS)
        self._run(rest, module)
        return module

    def converted(self) -> ModuleOp:
        """A fresh module of tin in which the kernel's operands are converted where they must be."""
        module = self.module("tin")
        self._insert_conversions(module)
        return module

    def _insert_conversions(self, module: ModuleOp) -> None:
        options = "" if self.request.conversions else "{forbid=true}"
        self._run([f"insert-conversions{options}"], module)

    def _run(self, passes: Sequence[str], module: ModuleOp) -> None:
        try:
            Pipeline(",".join(passes)).run(module, verify=False)
        except PassFailedException as error:
            raise ScheduleError(str(error)) from error

    def text(self, stage: str) -> str:
        """The stage as text that `tamale-opt` reads."""
        return str(self.module(stage))

    @cached_property
    def cpp(self) -> str:
        """The C++ of the kernel."""
        try:
            return print_cpp(self.module("mlir"))
        except DiagnosticException as error:
            raise KernelError(str(error)) from error

    def explain(self) -> str:
        """Why the kernel looks as it does."""
        return explain(self)
