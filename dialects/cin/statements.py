"""Loops and assignments: the statements of cin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.ir import Block, Operation, Region
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def, region_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.cin.attributes import SetAttr, StatementAttr, parse_statement
from tamale.dialects.cin.inside import InsideKernel
from tamale.dialects.cin.sets import SetExpr, Stored, parse_set, set_text
from tamale.dialects.cin.text import parse_body, print_body, rest_of_line, text_after_keyword
from tamale.dialects.errors import TamaleError
from tamale.dialects.notation.ast import Assignment, to_text
from tamale.dialects.raw_text import read


@irdl_op_definition
class ForallOp(IRDLOperation):
    """
    Runs `body` once per coordinate of `index_var` in `domain`, in ascending order.

        cin.forall j in A.j with x.j = j { ... }

    A level in `with` is not iterated: its position is computed from the coordinate.
    Source: Kjolstad et al., CGO 2019, sec. 3; set domains: Root et al., OOPSLA 2024.
    """

    name = "cin.forall"
    index_var = prop_def(StringAttr)
    domain = prop_def(SetAttr)
    located = prop_def(ArrayAttr[SetAttr])
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), InsideKernel())

    def __init__(
        self,
        index_var: str,
        domain: SetExpr,
        body: Region | Sequence[Operation],
        located: Sequence[Stored] = (),
    ) -> None:
        region = body if isinstance(body, Region) else Region(Block(body))
        super().__init__(
            properties={
                "index_var": StringAttr(index_var),
                "domain": SetAttr(domain),
                "located": located_attribute(located),
            },
            regions=[region],
        )

    @property
    def located_leaves(self) -> tuple[Stored, ...]:
        return tuple(cast(Stored, attribute.data) for attribute in self.located)

    @classmethod
    def parse(cls, parser: Parser) -> ForallOp:
        variable = parser.parse_identifier(context_msg="an index variable")
        domain, located = parse_domain(parser, "in", r"\{")
        return cls(variable, domain, parse_body(parser), located)

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.index_var.data} in ")
        printer.print_string(domain_text(self.domain.data, self.located_leaves))
        printer.print_string(" ")
        print_body(printer, self.body)

    def verify_(self) -> None:
        for attribute in self.located:
            if not isinstance(attribute.data, Stored):
                raise VerifyException("cin.forall: only a stored level can be located")


def located_attribute(located: Sequence[Stored]) -> ArrayAttr[SetAttr]:
    """The `with` clauses as a property."""
    return ArrayAttr([SetAttr(leaf) for leaf in located])


def domain_text(domain: SetExpr, located: Sequence[Stored]) -> str:
    """`A.i | U.i with B.i = i`."""
    clauses = located_text(located)
    return f"{set_text(domain)} with {clauses}" if clauses else set_text(domain)


def located_text(located: Sequence[Stored]) -> str:
    """`B.i = i, C.i = i`."""
    return ", ".join(f"{set_text(leaf)} = {leaf.variable}" for leaf in located)


def parse_domain(parser: Parser, keyword: str, stop: str) -> tuple[SetExpr, list[Stored]]:
    """What follows `keyword` up to `stop`: a set expression and its `with` clauses."""
    start = parser.pos
    text = text_after_keyword(parser, keyword, stop)
    if text is None:
        parser.raise_error(f"expected '{keyword}' and a set expression")
    return read(parser, start, text, _domain)


def _domain(text: str) -> tuple[SetExpr, list[Stored]]:
    domain, _, clauses = text.partition(" with ")
    return parse_set(domain), parse_clauses(clauses)


def parse_clauses(text: str) -> list[Stored]:
    """The inverse of `located_text`."""
    return [_parse_clause(clause) for clause in text.split(",") if clause.strip()]


def _parse_clause(text: str) -> Stored:
    leaf_text, _, variable = text.partition("=")
    leaf = parse_set(leaf_text)
    if not isinstance(leaf, Stored) or leaf.variable != variable.strip():
        raise TamaleError(f"expected a clause such as 'B.i = i', got '{text.strip()}'")
    return leaf


@irdl_op_definition
class AssignOp(IRDLOperation):
    """
    One statement of index notation at the current coordinates: `cin.assign y(i) += A(i,j) * x(j)`.

    Source: Kjolstad et al., CGO 2019, sec. 3.
    """

    name = "cin.assign"
    statement = prop_def(StatementAttr)
    traits = traits_def(InsideKernel())

    def __init__(self, statement: Assignment) -> None:
        super().__init__(properties={"statement": StatementAttr(statement)})

    @classmethod
    def parse(cls, parser: Parser) -> AssignOp:
        return cls(parse_statement_line(parser))

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {to_text(self.statement.data)}")


def parse_statement_line(parser: Parser) -> Assignment:
    """The statement from the current token to the end of the line."""
    start = parser.pos
    return read(parser, start, rest_of_line(parser), parse_statement)


def statements(block: Block) -> Iterator[AssignOp]:
    """The assignments of a block, nested ones included."""
    for op in block.walk():
        if isinstance(op, AssignOp):
            yield op
