"""A request at every level of the compiler, each made once and only when asked for."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from tamale.dialects.errors import ScheduleError
from tamale.frontend.building import build_module
from tamale.frontend.explaining import explain
from tamale.frontend.module_stages import ModuleStages, with_threads
from tamale.frontend.request import Request
from tamale.passes.insert_conversions import converts
from tamale.passes.pipelines import ONLY_IN_CONVERSIONS, STAGES, TABLE


class Stages(ModuleStages):
    """The stages of one request."""

    refusal = ScheduleError

    def __init__(self, request: Request) -> None:
        self.request = request

    def module(self, stage: str) -> ModuleOp:
        """A fresh module of the stage."""
        module = build_module(self.request)
        road, last = TABLE.expand("compute"), STAGES[stage]
        if last is None:
            return module
        self._insert_conversions(module)
        rest = road[road.index("insert-conversions") + 1 : road.index(last) + 1]
        if self.request.threads == 1:
            rest = tuple(name for name in rest if name != "partition")
        if not converts(module):
            rest = tuple(name for name in rest if name not in ONLY_IN_CONVERSIONS)
        self.run([self.with_options(name) for name in rest], module)
        return module

    def with_options(self, name: str) -> str:
        """A pass as the request asks for it."""
        request = self.request
        if name == "plan-assembly" and request.assembly is not None:
            return f"{name}{{by={request.assembly}}}"
        if name == "insert-conversions" and not request.conversions:
            return f"{name}{{forbid=true}}"
        return with_threads(name, request.threads)

    def converted(self) -> ModuleOp:
        """A fresh module of tin in which the kernel's operands are converted where they must be."""
        module = self.module("tin")
        self._insert_conversions(module)
        return module

    def split(self) -> ModuleOp:
        """A fresh module of tin in which parts of the statement have kernels of their own."""
        module = self.module("tin")
        self.run(["insert-temporaries"], module)
        return module

    def _insert_conversions(self, module: ModuleOp) -> None:
        self.run(["insert-temporaries", self.with_options("insert-conversions")], module)

    def explain(self) -> str:
        """Why the kernel looks as it does."""
        return explain(self)
