"""Reductions: sums, and reductions by any associative, commutative operator."""

from __future__ import annotations

from abc import ABC

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Region
from xdsl.irdl import irdl_op_definition, prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.errors import TamaleError
from tamale.dialects.operators import operator_named
from tamale.dialects.tin.binding import (
    Binding,
    parse_binding_region,
    parse_variables,
    print_binding_region,
    print_variables,
)
from tamale.dialects.tin.expressions import free_variables


class Reduction(Binding, ABC):
    """Shared by the reductions."""

    result = result_def()

    def _verify_reduction(self, who: str) -> None:
        self._verify_region(who)
        if self.yielded.type != self.result.type:
            raise VerifyException(f"{who} yields {self.yielded.type}, not {self.result.type}")
        free = free_variables(self.yielded)
        for variable in self.variables:
            if variable not in free:
                raise VerifyException(
                    f"{who}: the body does not depend on index variable '{variable.name_hint}'"
                )


@irdl_op_definition
class SumOp(Reduction):
    """The sum of the body over the bound index variables."""

    name = "tin.sum"
    traits = traits_def(Pure())

    def __init__(self, body: Region, type: Attribute) -> None:
        super().__init__(regions=[body], result_types=[type])

    @classmethod
    def parse(cls, parser: Parser) -> SumOp:
        region = parse_binding_region(parser, parse_variables(parser))
        parser.parse_punctuation(":")
        return cls(region, parser.parse_type())

    def print(self, printer: Printer) -> None:
        print_variables(printer, self.body)
        print_binding_region(printer, self.body)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        self._verify_reduction("tin.sum")


@irdl_op_definition
class ReduceOp(Reduction):
    """A reduction by any commutative, associative operator: `tin.reduce "max" %j { ... } : f64`."""

    name = "tin.reduce"
    operator = prop_def(StringAttr)
    traits = traits_def(Pure())

    def __init__(self, operator: str, body: Region, type: Attribute) -> None:
        super().__init__(
            regions=[body], properties={"operator": StringAttr(operator)}, result_types=[type]
        )

    @classmethod
    def parse(cls, parser: Parser) -> ReduceOp:
        operator = parser.parse_str_literal()
        region = parse_binding_region(parser, parse_variables(parser))
        parser.parse_punctuation(":")
        return cls(operator, region, parser.parse_type())

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_string_literal(self.operator.data)
        print_variables(printer, self.body)
        print_binding_region(printer, self.body)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        try:
            operator = operator_named(self.operator.data)
        except TamaleError as error:
            raise VerifyException(f"tin.reduce: {error}") from error
        if operator.reduction_identity is None:
            raise VerifyException(
                f"tin.reduce: '{operator.name}' cannot reduce; a reduction needs a commutative, "
                "associative operator with an identity"
            )
        self._verify_reduction("tin.reduce")
