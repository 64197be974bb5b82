"""Loops and assignments: the statements of cin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.ir import Block, Operation, Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.cin.attributes import SetAttr, StatementAttr, parse_statement
from tamale.dialects.cin.inside import InsideKernel
from tamale.dialects.cin.sets import SetExpr, Stored
from tamale.dialects.cin.text import parse_body, print_body, rest_of_line
from tamale.dialects.cin.walks import (
    leaves_attribute,
    leaves_of,
    parse_walk,
    verify_sought,
    walk_of,
)
from tamale.dialects.notation.ast import Assignment, to_text
from tamale.dialects.raw_text import read


@irdl_op_definition
class ForallOp(IRDLOperation):
    """
    Runs `body` once per coordinate of `index_var` in `domain`, in ascending order.

        cin.forall j in A.j with x.j = j { ... }

    A level in `with` is not iterated: its position is computed from the coordinate. A level that
    is sought, of an intersection of levels, is not walked entry by entry either: where it is behind
    the others, its next entry is searched for.

        cin.forall k in A.k & B.k seeking B.k { ... }

    Source: Kjolstad et al., CGO 2019, sec. 3; set domains: Root et al., OOPSLA 2024.
    """

    name = "cin.forall"
    index_var = prop_def(StringAttr)
    domain = prop_def(SetAttr)
    located = prop_def(ArrayAttr[SetAttr])
    sought = opt_prop_def(ArrayAttr[SetAttr])
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), InsideKernel())

    def __init__(
        self,
        index_var: str,
        domain: SetExpr,
        body: Region | Sequence[Operation],
        located: Sequence[Stored] = (),
        sought: Sequence[Stored] = (),
    ) -> None:
        region = body if isinstance(body, Region) else Region(Block(body))
        super().__init__(
            properties={
                "index_var": StringAttr(index_var),
                "domain": SetAttr(domain),
                "located": leaves_attribute(located),
                "sought": leaves_attribute(sought) if sought else None,
            },
            regions=[region],
        )

    @property
    def located_leaves(self) -> tuple[Stored, ...]:
        return leaves_of(self.located)

    @property
    def sought_leaves(self) -> tuple[Stored, ...]:
        return leaves_of(self.sought)

    @classmethod
    def parse(cls, parser: Parser) -> ForallOp:
        variable = parser.parse_identifier(context_msg="an index variable")
        walk = parse_walk(parser, "in", r"\{")
        return cls(variable, walk.domain, parse_body(parser), walk.located, walk.sought)

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.index_var.data} in ")
        printer.print_string(walk_of(self).text)
        printer.print_string(" ")
        print_body(printer, self.body)

    def verify_(self) -> None:
        for attribute in self.located:
            if not isinstance(attribute.data, Stored):
                raise VerifyException("cin.forall: only a stored level can be located")
        verify_sought(self)


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
