"""The operations of cin; see the package for the whole picture."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, StringAttr, TensorType, UnitAttr
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.cin.attributes import (
    AccessAttr,
    SetAttr,
    StatementAttr,
    parse_access,
    parse_statement,
)
from tamale.dialects.cin.sets import (
    Complement,
    SetExpr,
    Stored,
    Universe,
    parse_set,
    set_text,
    walk,
)
from tamale.dialects.errors import TamaleError
from tamale.dialects.format.attribute import tensor_format
from tamale.dialects.format.spec import Format
from tamale.dialects.cin.text import rest_of_line, text_after_keyword
from tamale.dialects.notation.ast import Access, Assignment, to_text
from tamale.dialects.notation.ast import walk as walk_expression


class KernelLike(IRDLOperation, ABC):
    """
    A kernel over named accesses: `y(i) of (A(i,j) = %A, x(j) = %x) : type { ... }`.

    Names in the body mean these accesses; a tensor used twice has two. The first access is the result's.
    """

    tensors = var_operand_def(TensorType)
    accesses = prop_def(ArrayAttr[AccessAttr])
    target = prop_def(AccessAttr)
    body = region_def("single_block")
    result = result_def(TensorType)
    traits = traits_def(NoTerminator())

    def __init__(
        self,
        target: Access,
        accesses: Sequence[Access],
        tensors: Sequence[SSAValue],
        result_type: Attribute,
        body: Region,
    ) -> None:
        properties: dict[str, Attribute] = {
            "target": AccessAttr(target),
            "accesses": ArrayAttr([AccessAttr(access) for access in accesses]),
        }
        super().__init__(
            operands=[tensors], result_types=[result_type], properties=properties, regions=[body]
        )

    @property
    def operands_by_name(self) -> dict[str, tuple[Access, SSAValue]]:
        """Name -> access and tensor, operands only."""
        return {
            attribute.data.tensor: (attribute.data, tensor)
            for attribute, tensor in zip(self.accesses, self.tensors, strict=True)
        }

    @property
    def result_type(self) -> TensorType[Attribute]:
        return cast(TensorType[Attribute], self.result.type)

    @property
    def formats(self) -> dict[str, Format]:
        """Name -> format, the result's included."""
        formats = {self.target.data.tensor: tensor_format(self.result_type)}
        for name, (_, tensor) in self.operands_by_name.items():
            formats[name] = tensor_format(cast(TensorType[Attribute], tensor.type))
        return formats

    @property
    def all_accesses(self) -> dict[str, Access]:
        """Name -> access, the result's included."""
        accesses = {attribute.data.tensor: attribute.data for attribute in self.accesses}
        return {self.target.data.tensor: self.target.data, **accesses}

    @classmethod
    def parse(cls, parser: Parser):  # noqa: ANN206
        target = parse_access(parser)
        parser.parse_keyword("of")
        pairs = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: _parse_binding(parser)
        )
        parser.parse_punctuation(":")
        result_type = parser.parse_type()
        flagged = parser.parse_optional_keyword("optimised") is not None
        body = parse_body(parser)
        accesses, tensors = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
        op = cls(target, accesses, tensors, result_type, body)
        if flagged:
            op.properties["optimised"] = UnitAttr()
        return op

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {to_text(self.target.data)} of (")
        printer.print_list(
            list(zip(self.accesses, self.tensors, strict=True)),
            lambda pair: _print_binding(printer, *pair),
        )
        printer.print_string(") : ")
        printer.print_attribute(self.result.type)
        if "optimised" in self.properties:
            printer.print_string(" optimised")
        printer.print_string(" ")
        print_body(printer, self.body)

    def verify_kernel(self) -> None:
        names = [self.target.data.tensor, *(a.data.tensor for a in self.accesses)]
        for name in names:
            if names.count(name) > 1:
                raise VerifyException(f"{self.name}: two accesses are called '{name}'")
        for name, format in self.formats.items():
            access = self.all_accesses[name]
            if len(access.indices) != format.order:
                raise VerifyException(
                    f"{self.name}: {to_text(access)} does not fit a tensor of order {format.order}"
                )


def parse_body(parser: Parser) -> Region:
    """Statements in braces; there may be none."""
    region = parser.parse_region()
    return region if region.blocks else Region(Block())


def print_body(printer: Printer, region: Region) -> None:
    printer.print_region(region, print_empty_block=False)


def _parse_binding(parser: Parser) -> tuple[Access, SSAValue]:
    access = parse_access(parser)
    parser.parse_punctuation("=")
    return access, parser.parse_operand()


def _print_binding(printer: Printer, access: AccessAttr, tensor: SSAValue) -> None:
    printer.print_string(f"{to_text(access.data)} = ")
    printer.print_ssa_value(tensor)


@irdl_op_definition
class KernelOp(KernelLike):
    """
    A loop nest that computes one tensor from others.

        %y = cin.kernel y(i) of (A(i,j) = %A, x(j) = %x) : tensor<?xf64> {
          cin.forall i in A.i & U.i {
            cin.forall j in A.j & x.j {
              cin.assign y(i) += A(i,j) * x(j)
            }
          }
        }

    With `optimised`, every intersection has been resolved into what is iterated and what is located.
    Source: Kjolstad et al., CGO 2019, sec. 3.
    """

    name = "cin.kernel"
    optimised = opt_prop_def(UnitAttr)

    def verify_(self) -> None:
        self.verify_kernel()
        scope = Scope(self.all_accesses, frozenset(), self.formats)
        verify_statements(self.body.block, scope)
        if self.optimised is not None:
            for op in self.body.walk():
                if isinstance(op, ForallOp):
                    verify_optimised(op, self)


class Scope:
    """What names mean at a point of the body, for verification."""

    def __init__(
        self, accesses: Mapping[str, Access], bound: frozenset[str], formats: Mapping[str, Format]
    ) -> None:
        self.accesses, self.bound, self.formats = accesses, bound, formats

    def binding(self, variable: str) -> Scope:
        return Scope(self.accesses, self.bound | {variable}, self.formats)

    def declaring(self, workspace: str) -> Scope:
        accesses = {**self.accesses, workspace: Access(workspace)}
        return Scope(accesses, self.bound, self.formats)


def verify_statements(block: Block, scope: Scope) -> None:
    """Every access is declared, every index variable bound by an enclosing loop."""
    for op in block.ops:
        match op:
            case ForallOp():
                if op.index_var.data in scope.bound:
                    raise VerifyException(f"cin.forall: '{op.index_var.data}' is already a loop")
                verify_domain(op, op.domain.data, scope)
                verify_statements(op.body.block, scope.binding(op.index_var.data))
            case WhereOp():
                verify_statements(op.producer.block, scope.declaring(op.workspace.data))
                verify_statements(op.consumer.block, scope.declaring(op.workspace.data))
            case AssignOp():
                verify_statement(op, op.statement.data, scope)
            case _:
                raise VerifyException(f"cin.kernel: '{op.name}' is no statement of cin")


def verify_domain(op: Operation, domain: SetExpr, scope: Scope) -> None:
    """Leaves are levels of declared accesses and constrain the loop's own variable."""
    variable = cast(ForallOp, op).index_var.data
    complemented = {leaf for e in walk(domain) if isinstance(e, Complement) for leaf in walk(e)}
    for leaf in walk(domain):
        if not isinstance(leaf, Stored | Universe):
            continue
        resolved = leaf in complemented and leaf.variable in scope.bound
        if leaf.variable != variable and not resolved:
            raise VerifyException(
                f"{op.name} over '{variable}': the domain also names '{set_text(leaf)}'. A domain may "
                "only constrain its own index variable; put the other constraint on the loop of that "
                "variable."
            )
        if isinstance(leaf, Stored):
            verify_leaf(op, leaf, scope)


def verify_leaf(op: Operation, leaf: Stored, scope: Scope) -> None:
    if leaf.access not in scope.accesses:
        raise VerifyException(f"{op.name}: '{set_text(leaf)}' names no access of the kernel")
    if leaf.variable not in scope.accesses[leaf.access].indices:
        raise VerifyException(
            f"{op.name}: {to_text(scope.accesses[leaf.access])} has no mode '{leaf.variable}'"
        )


def verify_statement(op: Operation, statement: Assignment, scope: Scope) -> None:
    for node in (statement.result, *walk_expression(statement.expression)):
        if not isinstance(node, Access):
            continue
        declared = scope.accesses.get(node.tensor)
        if declared is None:
            raise VerifyException(f"{op.name}: '{to_text(node)}' names no access of the kernel")
        if declared.indices != node.indices:
            raise VerifyException(
                f"{op.name}: '{to_text(node)}' is declared as {to_text(declared)}"
            )
        for variable in node.indices:
            if variable not in scope.bound:
                raise VerifyException(
                    f"{op.name}: '{to_text(node)}' lies outside the loop of '{variable}'"
                )


def verify_optimised(op: ForallOp, kernel: KernelOp) -> None:
    """No full level is left to iterate where the universe or another set can drive."""
    located = {attribute.data for attribute in op.located}
    for leaf in walk(op.domain.data):
        if not isinstance(leaf, Stored) or leaf.variable != op.index_var.data:
            continue
        level = level_of(leaf, kernel.all_accesses, kernel.formats)
        format = kernel.formats[leaf.access]
        if format.properties(level).full and leaf not in located:
            raise VerifyException(
                f"cin.forall over '{op.index_var.data}': {set_text(leaf)} is full and has to be "
                "located in an optimised kernel; run iterate-locate"
            )


def level_of(leaf: Stored, accesses: Mapping[str, Access], formats: Mapping[str, Format]) -> int:
    """The storage level of `leaf`'s access that holds the mode of `leaf`'s variable."""
    mode = accesses[leaf.access].indices.index(leaf.variable)
    return formats[leaf.access].level_of_mode[mode]


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
    traits = traits_def(NoTerminator())

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
    clauses = ", ".join(f"{set_text(leaf)} = {leaf.variable}" for leaf in located)
    return f"{set_text(domain)} with {clauses}" if clauses else set_text(domain)


def parse_domain(parser: Parser, keyword: str, stop: str) -> tuple[SetExpr, list[Stored]]:
    """What follows `keyword` up to `stop`: a set expression and its `with` clauses."""
    start = parser.pos
    text = text_after_keyword(parser, keyword, stop)
    if text is None:
        parser.raise_error(f"expected '{keyword}' and a set expression")
    domain, _, clauses = text.partition(" with ")
    try:
        located = [_parse_clause(clause) for clause in clauses.split(",") if clause.strip()]
        return parse_set(domain), located
    except TamaleError as error:
        parser.raise_error(str(error), start, parser.pos)


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
    text = rest_of_line(parser)
    try:
        return parse_statement(text)
    except TamaleError as error:
        parser.raise_error(str(error), start, parser.pos)


class WhereLike(IRDLOperation, ABC):
    """A consumer that reads a workspace, and the producer that fills it first."""

    workspace = prop_def(StringAttr)
    consumer = region_def("single_block")
    producer = region_def("single_block")
    traits = traits_def(NoTerminator())

    def __init__(
        self,
        workspace: str,
        consumer: Region | Sequence[Operation],
        producer: Region | Sequence[Operation],
    ) -> None:
        regions = [r if isinstance(r, Region) else Region(Block(r)) for r in (consumer, producer)]
        super().__init__(properties={"workspace": StringAttr(workspace)}, regions=regions)

    @classmethod
    def parse(cls, parser: Parser):  # noqa: ANN206
        consumer = parse_body(parser)
        parser.parse_keyword("producing")
        workspace = parser.parse_identifier(context_msg="a workspace")
        return cls(workspace, consumer, parse_body(parser))

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        print_body(printer, self.consumer)
        printer.print_string(f" producing {self.workspace.data} ")
        print_body(printer, self.producer)


@irdl_op_definition
class WhereOp(WhereLike):
    """
    `consumer where producer`: the producer fills the scalar workspace, then the consumer runs.

        cin.where {
          cin.assign y(i) = t
        } producing t {
          cin.forall j in A.j { cin.assign t += A(i,j) * x(j) }
        }

    Source: Kjolstad et al., CGO 2019, sec. 3.
    """

    name = "cin.where"


def statements(block: Block) -> Iterator[AssignOp]:
    """The assignments of a block, nested ones included."""
    for op in block.walk():
        if isinstance(op, AssignOp):
            yield op
