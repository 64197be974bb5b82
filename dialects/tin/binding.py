"""Regions that bind index variables and yield one value: what kernels and reductions share."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence

from xdsl.dialects.builtin import IndexType
from xdsl.ir import BlockArgument, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation, irdl_op_definition, operand_def, region_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import IsTerminator, Pure
from xdsl.utils.exceptions import VerifyException

INDEX = IndexType()


def parse_variables(parser: Parser) -> list[Parser.UnresolvedArgument]:
    """`%i, %j`: the index variables that a region binds; there may be none."""
    first = parser.parse_optional_argument(expect_type=False)
    names = [] if first is None else [first]
    while names and parser.parse_optional_punctuation(","):
        names.append(parser.parse_argument(expect_type=False))
    return names


def parse_binding_region(parser: Parser, names: Sequence[Parser.UnresolvedArgument]) -> Region:
    """The region that binds `names`."""
    return parser.parse_region([name.resolve(INDEX) for name in names])


def print_variables(printer: Printer, region: Region) -> None:
    """` %i, %j`, or nothing."""
    if region.block.args:
        printer.print_string(" ")
        printer.print_list(region.block.args, printer.print_ssa_value)


def print_binding_region(printer: Printer, region: Region) -> None:
    """The region without the variables that it binds."""
    printer.print_string(" ")
    printer.print_region(region, print_entry_block_args=False)


def yielded(region: Region) -> SSAValue:
    last = region.block.last_op
    assert isinstance(last, YieldOp)
    return last.value


class Binding(IRDLOperation, ABC):
    """Shared by the ops whose region binds index variables and yields one value."""

    body = region_def("single_block")

    @property
    def variables(self) -> Sequence[BlockArgument]:
        return self.body.block.args

    @property
    def yielded(self) -> SSAValue:
        return yielded(self.body)

    def _verify_region(self, who: str) -> None:
        if not isinstance(self.body.block.last_op, YieldOp):
            raise VerifyException(f"{who}: the body must end in tin.yield")
        if any(argument.type != INDEX for argument in self.variables):
            raise VerifyException(f"{who}: index variables are of type index")


@irdl_op_definition
class YieldOp(IRDLOperation):
    """The value of the enclosing kernel or reduction at the current coordinates."""

    name = "tin.yield"
    value = operand_def()
    traits = traits_def(IsTerminator(), Pure())
    assembly_format = "$value attr-dict `:` type($value)"

    def __init__(self, value: SSAValue | Operation) -> None:
        super().__init__(operands=[value])

    def verify_(self) -> None:
        if not isinstance(self.parent_op(), Binding):
            raise VerifyException("tin.yield: only a tin.kernel or a reduction yields a value")
