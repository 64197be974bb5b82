"""The structured half of cfir: lattices with their ordered cases, and the statements inside."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, StringAttr, TensorType
from xdsl.ir import Attribute, Block, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    traits_def,
    var_region_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.cin.attributes import SetAttr, StatementAttr
from tamale.dialects.cin.inside import InsideKernel
from tamale.dialects.cin.kernel_like import (
    KernelLike,
    kernel_properties,
    parse_defined_operand,
    parse_header,
)
from tamale.dialects.cin.let import LetLike, verify_let
from tamale.dialects.cin.partition_check import verify_partition
from tamale.dialects.cin.scope import Scope, verify_domain, verify_statement, wrong
from tamale.dialects.cin.sets import SetExpr, Stored, leaves, parse_set, set_text
from tamale.dialects.cin.statements import parse_statement_line
from tamale.dialects.cin.text import parse_body, print_body, text_after_keyword
from tamale.dialects.cin.walks import (
    leaves_attribute,
    leaves_of,
    parse_walk,
    verify_sought,
    walk_of,
)
from tamale.dialects.cin.where import WhereLike
from tamale.dialects.notation.ast import Access, Assignment, to_text
from tamale.dialects.raw_text import read


@irdl_op_definition
class KernelOp(KernelLike):
    """
    A kernel whose loops are lattices; the header is cin's.

    Entries of a sparse result are appended; with `into %Z0`, they are filled into a tensor that
    has exact room for them (`assembly.scan`).
    """

    name = "cfir.kernel"
    into = opt_operand_def(TensorType)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def __init__(
        self,
        target: Access,
        accesses: Sequence[Access],
        tensors: Sequence[SSAValue],
        result_type: Attribute,
        body: Region,
        *,
        zeroed: bool = False,
        into: SSAValue | None = None,
    ) -> None:
        properties = kernel_properties(target, accesses, zeroed=zeroed)
        IRDLOperation.__init__(
            self,
            operands=[into, tensors],
            result_types=[result_type],
            properties=properties,
            regions=[body],
        )

    @classmethod
    def parse(cls, parser: Parser) -> KernelOp:
        header = parse_header(parser)
        into = None
        if parser.parse_optional_keyword("into") is not None:
            into = parse_defined_operand(parser)
        op = cls(
            header.target, header.accesses, header.tensors, header.type, parse_body(parser),
            into=into,
        )  # fmt: skip
        op.properties |= header.properties
        return op

    def print(self, printer: Printer) -> None:
        self.print_header(printer)
        if self.into is not None:
            printer.print_string(" into ")
            printer.print_ssa_value(self.into)
        printer.print_string(" ")
        print_body(printer, self.body)

    def verify_(self) -> None:
        self.verify_kernel()
        if self.into is not None and self.into.type != self.result.type:
            raise VerifyException(
                f"cfir.kernel: {self.into.type} has no room for a result of {self.result.type}"
            )
        verify_partition(self)
        scope = Scope(self.declared_accesses, self.formats, self.target.data)
        verify_block(self.body.block, scope)


def verify_block(block: Block, scope: Scope) -> None:
    """Every access is declared, every index variable bound by an enclosing lattice."""
    for op in block.ops:
        match op:
            case LatticeOp():
                variable = op.index_var.data
                inside = scope.binding(op, variable)
                verify_domain(op, variable, op.domain.data, op.located_leaves, scope)
                for region in op.cases:
                    verify_block(region.block, inside)
            case LetOp():
                verify_block(op.body.block, verify_let(op, scope))
            case WhereOp():
                inside = scope.declaring(op, op.workspace.access)
                for region in (op.producer, op.consumer):
                    verify_block(region.block, inside)
            case AssignOp() | AppendOp():
                verify_statement(op, op.statement.data, scope)
                verify_place(op, scope)
            case _:
                raise wrong(op, "is no statement of cfir")


def verify_place(op: AssignOp | AppendOp, scope: Scope) -> None:
    """
    Entries are appended to a sparse result without a tail; all else exists and is assigned.
    """
    written = op.statement.data.result
    format = scope.formats.get(written.tensor)
    sparse = format is not None and not format.all_dense and not format.has_tail
    appended = written == scope.target and sparse
    if appended and isinstance(op, AssignOp):
        raise wrong(op, f"{to_text(written)} is sparse: its entries are appended")
    if not appended and isinstance(op, AppendOp):
        where = " below its entry" if format is not None and format.has_tail else ""
        raise wrong(op, f"{to_text(written)} exists in full{where}: it is assigned")


@irdl_op_definition
class LatticeOp(IRDLOperation):
    """
    Visits the coordinates of `index_var` in the domain, in ascending order, and runs the first
    case that applies: the one all of whose levels have an entry there.

        cfir.lattice i over A.i | B.i
        case A.i & B.i {
          cfir.append Z(i) = A(i) + B(i)
        }
        case A.i {
          cfir.append Z(i) = A(i)
        }
        case B.i {
          cfir.append Z(i) = B(i)
        }

    An empty case skips the coordinate. Where an intersection misses, a level that is sought moves
    on to the first entry that can meet the others. Source: Kjolstad et al., OOPSLA 2017, sec. 5;
    the guide.
    """

    name = "cfir.lattice"
    index_var = prop_def(StringAttr)
    domain = prop_def(SetAttr)
    located = prop_def(ArrayAttr[SetAttr])
    sought = opt_prop_def(ArrayAttr[SetAttr])
    guards = prop_def(ArrayAttr[SetAttr])
    cases = var_region_def("single_block")
    traits = traits_def(NoTerminator(), InsideKernel())

    def __init__(
        self,
        index_var: str,
        domain: SetExpr,
        cases: Sequence[tuple[SetExpr, Region]],
        located: Sequence[Stored] = (),
        sought: Sequence[Stored] = (),
    ) -> None:
        super().__init__(
            properties={
                "index_var": StringAttr(index_var),
                "domain": SetAttr(domain),
                "located": leaves_attribute(located),
                "sought": leaves_attribute(sought) if sought else None,
                "guards": ArrayAttr([SetAttr(guard) for guard, _ in cases]),
            },
            regions=[[region for _, region in cases]],
        )

    @property
    def located_leaves(self) -> tuple[Stored, ...]:
        return leaves_of(self.located)

    @property
    def sought_leaves(self) -> tuple[Stored, ...]:
        return leaves_of(self.sought)

    @classmethod
    def parse(cls, parser: Parser) -> LatticeOp:
        variable = parser.parse_identifier(context_msg="an index variable")
        walk = parse_walk(parser, "over", r"\bcase\b")
        cases: list[tuple[SetExpr, Region]] = []
        while (guard := _parse_optional_guard(parser)) is not None:
            cases.append((guard, parse_body(parser)))
        return cls(variable, walk.domain, cases, walk.located, walk.sought)

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.index_var.data} over ")
        printer.print_string(walk_of(self).text)
        for guard, region in zip(self.guards, self.cases, strict=True):
            printer._print_new_line()  # pyright: ignore[reportPrivateUsage]
            printer.print_string(f"case {set_text(guard.data)} ")
            print_body(printer, region)

    def verify_(self) -> None:
        if len(self.guards) != len(self.cases):
            raise VerifyException("cfir.lattice: one guard per case expected")
        known = set(leaves(self.domain.data))
        for guard in self.guards:
            for leaf in leaves(guard.data):
                if leaf not in known:
                    raise VerifyException(
                        f"cfir.lattice over '{self.index_var.data}': case {set_text(guard.data)} "
                        f"tests '{set_text(leaf)}', which the domain "
                        f"{set_text(self.domain.data)} lacks"
                    )
        verify_sought(self)


class _StatementOp(IRDLOperation):
    statement = prop_def(StatementAttr)
    traits = traits_def(InsideKernel())

    def __init__(self, statement: Assignment) -> None:
        super().__init__(properties={"statement": StatementAttr(statement)})

    @classmethod
    def parse(cls, parser: Parser):
        return cls(parse_statement_line(parser))

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {to_text(self.statement.data)}")


@irdl_op_definition
class AssignOp(_StatementOp):
    """
    Writes to a place that exists: in a dense result, a workspace, or the block of values that the
    tail of a sparse result has below each entry. The entry is stored if any of it is written.
    """

    name = "cfir.assign"


@irdl_op_definition
class AppendOp(_StatementOp):
    """Adds an entry at the end of a sparse result; coordinates arrive in storage order."""

    name = "cfir.append"


@irdl_op_definition
class WhereOp(WhereLike):
    """As `cin.where`: the producer fills the workspace, then the consumer reads it."""

    name = "cfir.where"


@irdl_op_definition
class LetOp(LetLike):
    """As `cin.let`: binds an index variable to an expression, and skips what lies outside."""

    name = "cfir.let"


def _parse_optional_guard(parser: Parser) -> SetExpr | None:
    start = parser.pos
    text = text_after_keyword(parser, "case", r"\{")
    return None if text is None else read(parser, start, text, parse_set)
