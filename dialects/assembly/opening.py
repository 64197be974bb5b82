"""The op that opens a tensor under assembly, with its text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from xdsl.dialects.builtin import I64, ArrayAttr, IntegerAttr, StringAttr, TensorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.cfir.level_function import number
from tamale.dialects.format.attribute import tensor_format


@irdl_op_definition
class OpenOp(IRDLOperation):
    """
    A tensor of the source's sizes in another format, of which nothing has been made yet.

        %B0 = assembly.open of %A using (1.nir = %nir : tensor<?xi64>) : tensor<A> -> tensor<B>

    `using` gives the results of the levels' queries: level and label of each. What has to start
    from 0 is cleared by several `workers`.
    """

    name = "assembly.open"
    source = operand_def(TensorType)
    queries = var_operand_def(TensorType)
    labels = prop_def(ArrayAttr[StringAttr])
    workers = opt_prop_def(IntegerAttr[I64])
    result = result_def(TensorType)

    def __init__(
        self,
        source: SSAValue,
        queries: Mapping[str, SSAValue],
        result_type: Attribute,
        workers: int = 1,
    ) -> None:
        properties: dict[str, Attribute] = {
            "labels": ArrayAttr([StringAttr(label) for label in queries])
        }
        if workers > 1:
            properties["workers"] = number(workers)
        super().__init__(
            operands=[source, list(queries.values())],
            properties=properties,
            result_types=[result_type],
        )

    @property
    def worker_count(self) -> int:
        return 1 if self.workers is None else self.workers.value.data

    def queries_of(self, level: int) -> dict[str, SSAValue]:
        """Label -> results of the queries of one level."""
        named = zip((label.data for label in self.labels), self.queries, strict=True)
        prefix = f"{level}."
        return {
            label.removeprefix(prefix): query for label, query in named if label.startswith(prefix)
        }

    @classmethod
    def parse(cls, parser: Parser) -> OpenOp:
        parser.parse_keyword("of")
        source = parser.parse_unresolved_operand()
        queries: list[tuple[str, SSAValue]] = []
        if parser.parse_optional_keyword("using"):
            queries = parser.parse_comma_separated_list(
                parser.Delimiter.PAREN, lambda: _parse_query(parser)
            )
        workers = 1
        if parser.parse_optional_keyword("workers"):
            workers = parser.parse_integer(allow_boolean=False, allow_negative=False)
        parser.parse_punctuation(":")
        source_type = parser.parse_type()
        parser.parse_punctuation("->")
        result_type = parser.parse_type()
        operand = parser.resolve_operand(source, source_type)
        return cls(operand, dict(queries), result_type, workers)

    def print(self, printer: Printer) -> None:
        printer.print_string(" of ")
        printer.print_ssa_value(self.source)
        if self.queries:
            printer.print_string(" using (")
            printer.print_list(
                list(zip(self.labels, self.queries, strict=True)),
                lambda pair: _print_query(printer, *pair),
            )
            printer.print_string(")")
        if self.workers is not None:
            printer.print_string(f" workers {self.worker_count}")
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)
        printer.print_string(" -> ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        source = cast(TensorType[Attribute], self.source.type)
        result = self.result.type
        if source.get_num_dims() != result.get_num_dims():
            raise VerifyException(f"assembly.open: {source} and {result} differ in order")
        if source.element_type != result.element_type:
            raise VerifyException(f"assembly.open: {source} and {result} differ in element type")
        if len(self.labels) != len(self.queries):
            raise VerifyException(
                f"assembly.open: {len(self.labels)} labels for {len(self.queries)} queries"
            )
        levels = len(tensor_format(result).levels)
        for label in self.labels:
            level, dot, name = label.data.partition(".")
            if not dot or not name or not level.isdecimal() or int(level) >= levels:
                raise VerifyException(
                    f"assembly.open: '{label.data}' is no level and label, such as '0.nir'"
                )


def _parse_query(parser: Parser) -> tuple[str, SSAValue]:
    label = parser.parse_str_literal("a level and label")
    parser.parse_punctuation("=")
    operand = parser.parse_unresolved_operand()
    parser.parse_punctuation(":")
    return label, parser.resolve_operand(operand, parser.parse_type())


def _print_query(printer: Printer, label: StringAttr, query: SSAValue) -> None:
    printer.print_string(f'"{label.data}" = ')
    printer.print_ssa_value(query)
    printer.print_string(" : ")
    printer.print_attribute(query.type)
