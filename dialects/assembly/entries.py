"""Loops over the entries of a source and the parents of edges, and appending in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import IntegerAttr, StringAttr, TensorType, UnitAttr, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    region_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.assembly.level_functions import verify_coordinates
from tamale.dialects.cfir.level_function import INDEX, LevelFunction, level_number, number
from tamale.dialects.format.attribute import read_selection, tensor_format, verify_selection
from tamale.dialects.format.selection import Selection


@irdl_op_definition
class ForNonzerosOp(IRDLOperation):
    """
    Runs the body once per entry of the source, in the order of its storage.

        assembly.for_nonzeros %A for %B0 (%l0, %l1, %v) { ... } : tensor<A>, tensor<B>

    The arguments are the coordinates of B's levels, that is A's coordinates remapped, and the
    value. In padded sources only values other than zero are entries. `where "#i < 3"` behind the
    arguments leaves out entries that are not selected; modes are called as in A's format, and
    counters count the entries of A. `partitioned into 2`: so many workers share the loop, each has
    an equal part of A's values; the result is that of one worker.

    Source: Chou et al., PLDI 2020, sec. 4.2.
    """

    name = "assembly.for_nonzeros"
    source = operand_def(TensorType)
    target = operand_def(TensorType)
    where = opt_prop_def(StringAttr)
    parts = opt_prop_def(IntegerAttr)
    body = region_def("single_block")
    traits = traits_def(NoTerminator())

    def __init__(
        self,
        source: SSAValue,
        target: SSAValue,
        body: Region,
        where: StringAttr | None = None,
        workers: int | None = None,
    ) -> None:
        parts = None if workers is None else number(workers)
        super().__init__(
            operands=[source, target], properties={"where": where, "parts": parts}, regions=[body]
        )

    @property
    def workers(self) -> int:
        """How many share the loop."""
        return 1 if self.parts is None else self.parts.value.data

    @property
    def selection(self) -> Selection | None:
        """Which entries are visited, over the source's modes; None: all."""
        return read_selection(self.where)

    @property
    def coordinates(self) -> Sequence[SSAValue]:
        """The coordinates of the target's levels."""
        return self.body.block.args[:-1]

    @property
    def value(self) -> SSAValue:
        return self.body.block.args[-1]

    @classmethod
    def parse(cls, parser: Parser) -> ForNonzerosOp:
        source = parser.parse_unresolved_operand()
        parser.parse_keyword("for")
        target = parser.parse_unresolved_operand()
        names = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
        )
        selecting = parser.parse_optional_keyword("where") is not None
        where = StringAttr(parser.parse_str_literal()) if selecting else None
        workers = None
        if parser.parse_optional_keyword("partitioned") is not None:
            parser.parse_keyword("into")
            workers = parser.parse_integer(allow_boolean=False, allow_negative=False)
        parser.parse_punctuation(":")
        source_type = parser.parse_type()
        parser.parse_punctuation(",")
        target_type = parser.parse_type()
        element = cast(TensorType[Attribute], source_type).element_type
        types: list[Attribute] = [INDEX] * (len(names) - 1) + [element]
        arguments = [name.resolve(type) for name, type in zip(names, types, strict=True)]
        body = parser.parse_region(arguments)
        return cls(
            parser.resolve_operand(source, source_type),
            parser.resolve_operand(target, target_type),
            body,
            where,
            workers,
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.source)
        printer.print_string(" for ")
        printer.print_ssa_value(self.target)
        _print_arguments(printer, self.body.block)
        if self.where is not None:
            printer.print_string(" where ")
            printer.print_attribute(self.where)
        if self.parts is not None:
            printer.print_string(f" partitioned into {self.workers}")
        printer.print_string(" : ")
        printer.print_attribute(self.source.type)
        printer.print_string(", ")
        printer.print_attribute(self.target.type)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)

    def verify_(self) -> None:
        target = cast(TensorType[Attribute], self.target.type)
        levels = len(tensor_format(target).levels)
        source = cast(TensorType[Attribute], self.source.type)
        verify_selection("assembly.for_nonzeros", self.where, tensor_format(source))
        if self.parts is not None and self.workers < 2:
            raise VerifyException(
                f"assembly.for_nonzeros: partitioned into {self.workers}, but it takes 2 to share"
            )
        element = source.element_type
        wanted = [INDEX] * levels + [element]
        if [argument.type for argument in self.body.block.args] != wanted:
            raise VerifyException(
                f"assembly.for_nonzeros: the body of a target with {levels} levels takes {levels} "
                f"coordinates and a value of type {element}"
            )


@irdl_op_definition
class ForParentsOp(LevelFunction):
    """
    Runs the body once per position of the level above, in order.

        assembly.for_parents %B0 1 (%p, %i) : tensor<B> { ... }

    The arguments are the parent position and the coordinates of the levels above.
    """

    name = "assembly.for_parents"
    tensor = operand_def(TensorType)
    body = region_def("single_block")
    traits = traits_def(NoTerminator())

    def __init__(self, tensor: SSAValue, level: int, body: Region) -> None:
        super().__init__(operands=[tensor], properties=level_number(level), regions=[body])

    @classmethod
    def parse(cls, parser: Parser) -> ForParentsOp:
        tensor = parser.parse_unresolved_operand()
        level = parser.parse_integer(allow_boolean=False, allow_negative=False)
        names = parser.parse_comma_separated_list(
            parser.Delimiter.PAREN, lambda: parser.parse_argument(expect_type=False)
        )
        parser.parse_punctuation(":")
        type = parser.parse_type()
        body = parser.parse_region([name.resolve(INDEX) for name in names])
        return cls(parser.resolve_operand(tensor, type), level, body)

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.tensor)
        printer.print_string(f" {self.level_index}")
        _print_arguments(printer, self.body.block)
        printer.print_string(" : ")
        printer.print_attribute(self.tensor.type)
        printer.print_string(" ")
        printer.print_region(self.body, print_entry_block_args=False)

    def verify_(self) -> None:
        super().verify_()
        if len(self.body.block.args) != self.level_index + 1:
            raise VerifyException(
                f"assembly.for_parents: the body of level {self.level_index} takes a position and "
                f"{self.level_index} coordinates"
            )


def _print_arguments(printer: Printer, block: Block) -> None:
    printer.print_string(" (")
    printer.print_list(block.args, printer.print_ssa_value)
    printer.print_string(")")


@irdl_op_definition
class FirstOp(IRDLOperation):
    """
    Whether some of the coordinates differ from those that this op met before.

    In a source that comes in the order of these coordinates: whether an entry is the first one
    that has them. Inside of a loop over entries only.
    """

    name = "assembly.first"
    coordinates = var_operand_def(INDEX)
    result = result_def(i1)
    assembly_format = "`(` $coordinates `)` attr-dict"

    def __init__(self, coordinates: Sequence[SSAValue]) -> None:
        super().__init__(operands=[coordinates], result_types=[i1])

    def verify_(self) -> None:
        if not self.coordinates:
            raise VerifyException("assembly.first: needs a coordinate")
        verify_in_loop(self)


def verify_in_loop(op: Operation) -> None:
    """Somewhere inside of a loop over entries."""
    parent = op.parent_op()
    while parent is not None and not isinstance(parent, ForNonzerosOp):
        parent = parent.parent_op()
    if parent is None:
        raise VerifyException(f"{op.name}: stands outside of a loop over entries")


@irdl_op_definition
class AppendOp(LevelFunction):
    """
    `append(p, i1..ik) if new -> p'`: a further position at the end of the level, or the last one.

    In an ordered source: with `if %new`, entries for which it is false share the position of the
    entry before. `counting` makes room below p for the new position (`count_edge`) and inserts no
    coordinate; without it the coordinate is inserted, and the room is there.
    """

    name = "assembly.append"
    tensor = operand_def(TensorType)
    parent_pos = operand_def(INDEX)
    coordinates = var_operand_def(INDEX)
    new = opt_operand_def(i1)
    counting = opt_prop_def(UnitAttr)
    inserting = opt_prop_def(UnitAttr)
    position = result_def(INDEX)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    assembly_format = (
        "$tensor $level `(` $parent_pos (`,` $coordinates^)? `)` (`if` $new^)? "
        "(`counting` $counting^)? (`inserting` $inserting^)? attr-dict `:` type($tensor)"
    )

    def __init__(
        self,
        tensor: SSAValue,
        level: int,
        parent: SSAValue,
        coordinates: Sequence[SSAValue],
        new: SSAValue | None,
        *,
        counting: bool = False,
        inserting: bool = False,
    ) -> None:
        properties = level_number(level)
        if counting:
            properties["counting"] = UnitAttr()
        if inserting:
            properties["inserting"] = UnitAttr()
        super().__init__(
            operands=[tensor, parent, coordinates, new],
            properties=properties,
            result_types=[INDEX],
        )

    def verify_(self) -> None:
        super().verify_()
        verify_coordinates(self, self.coordinates, self.level_index + 1)
