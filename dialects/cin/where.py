"""Workspaces: a consumer that reads one, and the producer that fills it first."""

from __future__ import annotations

from abc import ABC
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast, get_args

from xdsl.dialects.builtin import StringAttr, UnitAttr
from xdsl.ir import Attribute, Block, Operation, Region
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

from tamale.dialects.cin.attributes import AccessAttr, parse_access
from tamale.dialects.cin.inside import InsideKernel
from tamale.dialects.cin.text import parse_body, print_body
from tamale.dialects.format.expressions import Var
from tamale.dialects.format.search import Search
from tamale.dialects.format.spec import Format, Level
from tamale.dialects.notation.ast import Access, to_text


@dataclass(frozen=True)
class Workspace:
    """
    What a producer fills and a consumer reads: a scalar, or the entries of a vector.

    The entries of `w(j)` are a list of coordinates with their values, in the order of their first
    insertion or, if `ordered`, of the coordinates; `search` says how the entry of a coordinate
    that comes again is found.
    """

    access: Access
    search: Search | None = None
    ordered: bool = False

    @property
    def name(self) -> str:
        return self.access.tensor

    @property
    def is_scalar(self) -> bool:
        return not self.access.indices

    def format(self, result: Format) -> Format:
        """The list as a tensor, its coordinates as wide as those of the kernel's result."""
        options = () if self.ordered else (("ordered", False),)
        levels = tuple(Level(Var(v), "compressed", options) for v in self.access.indices)
        return Format(self.access.indices, levels, result.pos, result.crd)


class WhereLike(IRDLOperation, ABC):
    """A consumer that reads a workspace, and the producer that fills it first."""

    accessed = prop_def(AccessAttr)
    search = opt_prop_def(StringAttr)
    ordered = opt_prop_def(UnitAttr)
    consumer = region_def("single_block")
    producer = region_def("single_block")
    traits = traits_def(NoTerminator(), InsideKernel())

    def __init__(
        self,
        workspace: Workspace,
        consumer: Region | Sequence[Operation],
        producer: Region | Sequence[Operation],
    ) -> None:
        regions = [r if isinstance(r, Region) else Region(Block(r)) for r in (consumer, producer)]
        properties: dict[str, Attribute] = {"accessed": AccessAttr(workspace.access)}
        if workspace.search is not None:
            properties["search"] = StringAttr(workspace.search)
        if workspace.ordered:
            properties["ordered"] = UnitAttr()
        super().__init__(properties=properties, regions=regions)

    @property
    def workspace(self) -> Workspace:
        search = None if self.search is None else cast("Search", self.search.data)
        return Workspace(self.accessed.data, search, self.ordered is not None)

    @classmethod
    def parse(cls, parser: Parser):
        consumer = parse_body(parser)
        parser.parse_keyword("producing")
        access = parse_access(parser)
        search, ordered = None, False
        if parser.parse_optional_punctuation(":"):
            search = cast("Search", parser.parse_identifier(context_msg="'dense' or 'hash'"))
            ordered = parser.parse_optional_keyword("sorted") is not None
        return cls(Workspace(access, search, ordered), consumer, parse_body(parser))

    def print(self, printer: Printer) -> None:
        workspace = self.workspace
        printer.print_string(" ")
        print_body(printer, self.consumer)
        printer.print_string(f" producing {to_text(workspace.access)} ")
        if workspace.search is not None:
            printer.print_string(f": {workspace.search} {'sorted ' * workspace.ordered}")
        print_body(printer, self.producer)

    def verify_(self) -> None:
        workspace = self.workspace
        shown, known = to_text(workspace.access), get_args(Search)
        around = self.parent_op()
        while around is not None:
            if isinstance(around, WhereLike) and around.workspace.name == workspace.name:
                raise VerifyException(
                    f"{self.name}: the workspace {shown} is inside of another one of its name"
                )
            around = around.parent_op()
        if len(workspace.access.indices) > 1:
            raise VerifyException(f"{self.name}: the workspace {shown} has more than one mode")
        if workspace.is_scalar and (workspace.search is not None or workspace.ordered):
            raise VerifyException(f"{self.name}: the scalar {shown} has no entries to find")
        if not workspace.is_scalar and workspace.search not in known:
            given = "" if workspace.search is None else f", not by '{workspace.search}'"
            raise VerifyException(
                f"{self.name}: entries of {shown} have to be found by "
                f"{' or '.join(repr(s) for s in known)}{given}"
            )


@irdl_op_definition
class WhereOp(WhereLike):
    """
    `consumer where producer`: the producer fills the workspace, then the consumer runs.

        cin.where {
          cin.assign y(i) = t
        } producing t {
          cin.forall j in A.j { cin.assign t += A(i,j) * x(j) }
        }

        cin.where {
          cin.forall j in w.j { cin.assign Z(i,j) = w(j) }
        } producing w(j) : dense sorted {
          cin.forall k in A.k {
            cin.forall j in B.j { cin.assign w(j) += A(i,k) * B(k,j) }
          }
        }

    A scalar starts from the identity of the producer's operator, a vector without entries. An
    entry that is inserted again is combined with the value that it has.
    Source: Kjolstad et al., CGO 2019, sec. 3 and 5.
    """

    name = "cin.where"
