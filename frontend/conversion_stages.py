"""A conversion at every level of the compiler, each made once and only when asked for."""

from __future__ import annotations

from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.ir import Block, Region

from tamale.dialects.errors import FormatError
from tamale.dialects.format.selection import Selection
from tamale.dialects.format.spec import Format
from tamale.dialects.tin import ConvertOp
from tamale.frontend.building import tensor_type
from tamale.frontend.module_stages import ModuleStages, with_threads
from tamale.passes.conversion.plan import plan_conversion
from tamale.passes.conversion.remarks import conversion_remarks, selection_remarks
from tamale.passes.conversion.selecting import plan_selection
from tamale.passes.pipelines import CONVERSION_STAGES, TABLE


class ConversionStages(ModuleStages):
    """The stages of one conversion."""

    refusal = FormatError

    def __init__(
        self,
        source: Format,
        target: Format,
        dtype: str,
        where: Selection | None = None,
        threads: int = 1,
    ) -> None:
        self.source, self.target, self.dtype, self.where = source, target, dtype, where
        self.threads = threads

    def module(self, stage: str) -> ModuleOp:
        """A fresh module of the stage."""
        module = build_conversion(self.source, self.target, self.dtype, self.where)
        road, last = TABLE.expand("compute"), CONVERSION_STAGES[stage]
        passes = road[: road.index(last) + 1] if last is not None else ()
        self.run([with_threads(name, self.threads) for name in passes], module)
        return module

    def explain(self) -> str:
        """Which statistics are taken, which passes are made, and why."""
        if self.where is not None:
            plan = plan_selection(self.source, self.target, self.where)
            return "\n".join(selection_remarks(plan, self.threads))
        plan = plan_conversion(self.source, self.target, self.threads)
        return "\n".join(conversion_remarks(plan))


def build_conversion(
    source: Format, target: Format, dtype: str, where: Selection | None = None
) -> ModuleOp:
    """A module with the function `convert`, of all entries or of those that are selected."""
    types = [tensor_type(source, dtype), tensor_type(target, dtype)]
    block = Block(arg_types=types[:1])
    block.args[0].name_hint = "A"
    convert = ConvertOp(block.args[0], types[1], where)
    convert.result.name_hint = "B"
    block.add_ops([convert, func.ReturnOp(convert.result)])
    type = FunctionType.from_lists(types[:1], types[1:])
    return ModuleOp([func.FuncOp("convert", type, Region(block))])
