"""The dialect `query`: its attributes and its one op."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, i64
from xdsl.ir import Attribute, Data, Dialect, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_attr_definition,
    irdl_op_definition,
    operand_def,
    prop_def,
    traits_def,
    var_result_def,
)
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.errors import TamaleError
from tamale.dialects.format.attribute import tensor_format
from tamale.dialects.format.expressions import counters, to_text
from tamale.dialects.format.tokens import did_you_mean
from tamale.dialects.query.parser import parse_select
from tamale.dialects.query.remapping import Remapping, parse_remapping
from tamale.dialects.query.select import EVERY, Select, problems
from tamale.dialects.raw_text import read, read_until_closing, take_until

_COLON = re.compile(":")


@irdl_attr_definition
class SelectAttr(Data[Select]):
    """A query: `#query.select<select [i] -> count(j) as nir>`."""

    name = "query.select"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Select:
        return read_until_closing(parser, parse_select)

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(f"<{self.data}>")


@irdl_attr_definition
class RemappingAttr(Data[Remapping]):
    """A remapping with names: `#query.remapping<(i, j) -> (k = j - i, i, j)>`."""

    name = "query.remapping"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Remapping:
        return read_until_closing(parser, parse_remapping)

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(f"<{self.data}>")


@irdl_op_definition
class SelectOp(IRDLOperation):
    """
    Groups the nonzeros of a tensor by some coordinates and says something about each group.

        %nir = query.select "select [i] -> count(j) as nir" of %A remapped (i, j) -> (i, j)
            : tensor<?x?xf64, #csr> -> tensor<?xi64>

    Coordinates are called as `remapped` calls them. One result per aggregation, in order, with a
    mode for each coordinate of the group; `tamale.dialects.query.select` says what it stores.
    Source: Chou et al., PLDI 2020, sec. 5.
    """

    name = "query.select"
    query = prop_def(SelectAttr)
    remapping = prop_def(RemappingAttr)
    tensor = operand_def(TensorType)
    values = var_result_def(TensorType)
    traits = traits_def(Pure())

    def __init__(
        self,
        query: Select,
        tensor: SSAValue,
        remapping: Remapping,
        result_types: Sequence[Attribute] | None = None,
    ) -> None:
        """The result types follow from the query, if they are not given."""
        types = [result_type(query)] * len(query.aggregates)
        super().__init__(
            operands=[tensor],
            properties={"query": SelectAttr(query), "remapping": RemappingAttr(remapping)},
            result_types=[types if result_types is None else result_types],
        )
        for value, aggregate in zip(self.values, query.aggregates, strict=False):
            value.name_hint = aggregate.label

    @classmethod
    def parse(cls, parser: Parser) -> SelectOp:
        start = parser.pos
        query = read(parser, start, parser.parse_str_literal(": a query"), parse_select)
        parser.parse_keyword("of")
        operand = parser.parse_unresolved_operand()
        remapping = _parse_remapped(parser)
        parser.parse_punctuation(":")
        tensor = parser.resolve_operand(operand, parser.parse_type())
        parser.parse_punctuation("->")
        types = parser.parse_comma_separated_list(parser.Delimiter.NONE, parser.parse_type)
        return cls(query, tensor, remapping, types)

    def print(self, printer: Printer) -> None:
        printer.print_string(f' "{self.query.data}" of ')
        printer.print_ssa_value(self.tensor)
        printer.print_string(f" remapped {self.remapping.data} : ")
        printer.print_attribute(self.tensor.type)
        printer.print_string(" -> ")
        printer.print_list(self.values.types, printer.print_attribute)

    def verify_(self) -> None:
        for message in self._problems():
            raise VerifyException(f"query.select: {message}")

    def _problems(self) -> Iterator[str]:
        query, remapping = self.query.data, self.remapping.data
        yield from (message for _, message in problems(query))
        try:
            remapping.verify()
            format = tensor_format(cast(TensorType[Attribute], self.tensor.type))
        except TamaleError as error:
            yield str(error)
            return
        if len(remapping.modes) != format.order:
            modes = len(remapping.modes)
            yield f"'{remapping}' remaps a tensor of order {modes}, not one of order {format.order}"
        yield from unknown_coordinates(query, remapping)
        yield from misused_counters(query, remapping, unique=not format.may_repeat)
        expected = result_type(query)
        given = self.values.types
        if len(given) != len(query.aggregates):
            yield f"{len(given)} results for {len(query.aggregates)} aggregations"
        for type_, aggregate in zip(given, query.aggregates, strict=False):
            if type_ != expected:
                yield f"'{aggregate}' is a {expected}, not a {type_}"


def _parse_remapped(parser: Parser) -> Remapping:
    """`remapped (i, j) -> (...)`, up to the colon before the types."""
    token = parser._current_token  # pyright: ignore[reportPrivateUsage]
    if token.text != "remapped":
        parser.raise_error("expected 'remapped' and a remapping, as in (i, j) -> (k = j - i, j)")
    text = take_until(parser, _COLON, expected="':' and the types").text
    return read(parser, token.span.end, text, parse_remapping)


def result_type(query: Select) -> TensorType[Attribute]:
    """The type of each result: numbers over the coordinates of the group."""
    return TensorType(i64, [DYNAMIC_INDEX] * len(query.group))


def unknown_coordinates(query: Select, remapping: Remapping) -> Iterator[str]:
    """Names in the query that the remapping does not have."""
    aggregated = (name for aggregate in query.aggregates for name in aggregate.coordinates)
    for name in dict.fromkeys((*query.group, *aggregated)):
        if name not in (*remapping.names, *EVERY):
            hint = did_you_mean(name, remapping.names)
            yield f"'{name}' is no coordinate of '{remapping}'{hint}"


def misused_counters(query: Select, remapping: Remapping, *, unique: bool) -> Iterator[str]:
    """Counters where nothing bounds them, or where their aggregation says nothing."""
    counted = {name: expr for name, expr in remapping.targets if counters(expr)}
    for aggregate in query.aggregates:
        for name in aggregate.coordinates:
            if aggregate.function == "min" and name in counted:
                yield f"'min({name})': '{to_text(counted[name])}' counts from 0 in every group"
        for name in () if unique or aggregate.function == "max" else aggregate.coordinates:
            if name in counted:
                yield _unbounded(name, to_text(counted[name]))
    for name in () if unique else query.group:
        if name in counted:
            yield _unbounded(name, to_text(counted[name]))


def _unbounded(name: str, text: str) -> str:
    return (
        f"nothing bounds the coordinate '{name}', which is '{text}', in a tensor with duplicates: "
        "it can be aggregated by max only"
    )


QUERY = Dialect("query", [SelectOp], [SelectAttr, RemappingAttr])
