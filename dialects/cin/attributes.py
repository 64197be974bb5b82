"""
The attributes of cin and cfir: set expressions, statements and accesses, as values with their own
text.
"""

from __future__ import annotations

from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from tamale.dialects.cin.sets import SetExpr, parse_set, set_text
from tamale.dialects.format.expression_parser import parse_expression
from tamale.dialects.format.expressions import Expr
from tamale.dialects.format.expressions import to_text as expression_text
from tamale.dialects.notation.ast import Access, Assignment, to_text
from tamale.dialects.notation.parser import parse_notation
from tamale.dialects.operators import declared_operators
from tamale.dialects.raw_text import read_until_closing


def parse_statement(text: str) -> Assignment:
    """The inverse of `to_text`; a `NotationError` points at the column."""
    return parse_notation(text, declared_operators(internal=True))


@irdl_attr_definition
class SetAttr(Data[SetExpr]):
    """A set expression: `#cin.set<A.i & ~B.i>`."""

    name = "cin.set"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> SetExpr:
        return read_until_closing(parser, parse_set)

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(f"<{set_text(self.data)}>")


@irdl_attr_definition
class StatementAttr(Data[Assignment]):
    """A statement of index notation: `#cin.statement<y(i) += A(i,j) * x(j)>`."""

    name = "cin.statement"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Assignment:
        return read_until_closing(parser, parse_statement)

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(f"<{to_text(self.data)}>")


@irdl_attr_definition
class ExpressionAttr(Data[Expr]):
    """An expression over coordinates and dimension sizes: `#cin.expression<i / 2 + dim_j>`."""

    name = "cin.expression"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Expr:
        return read_until_closing(parser, parse_expression)

    def print_parameter(self, printer: Printer) -> None:
        # In parentheses, a '>' of the expression closes nothing.
        printer.print_string(f"<({expression_text(self.data)})>")


@irdl_attr_definition
class AccessAttr(Data[Access]):
    """A named use of a tensor: `#cin.access<A(i,j)>`."""

    name = "cin.access"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Access:
        with parser.in_angle_brackets():
            return parse_access(parser)

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(f"<{to_text(self.data)}>")


def parse_access(parser: AttrParser) -> Access:
    """`A(i,j)`, or a bare name for a scalar."""
    name = parser.parse_identifier(context_msg="a tensor name")
    indices = parser.parse_optional_comma_separated_list(
        parser.Delimiter.PAREN, lambda: parser.parse_identifier(context_msg="an index variable")
    )
    return Access(name, tuple(indices or ()))
