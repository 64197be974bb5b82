"""
The level functions of assembly as ops: each names a tensor under assembly and one of its levels.

Positions and coordinates are of type index; levels count from 0. `lower-levels` replaces each op
by what the level's kind means by it (`passes/levels/functions.py` says what each must do).
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import ArrayAttr, StringAttr, TensorType, UnitAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    VarConstraint,
    base,
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

from tamale.dialects.cfir.level_function import INDEX, LevelFunction, level_number, verify_element
from tamale.dialects.format.attribute import tensor_format


@irdl_op_definition
class OpenOp(IRDLOperation):
    """
    A tensor of the source's sizes in another format, of which nothing has been made yet.

        %B0 = assembly.open of %A using (1.nir = %nir : tensor<?xi64>) : tensor<A> -> tensor<B>

    `using` gives the results of the levels' queries: level and label of each.
    """

    name = "assembly.open"
    source = operand_def(TensorType)
    queries = var_operand_def(TensorType)
    labels = prop_def(ArrayAttr[StringAttr])
    result = result_def(TensorType)

    def __init__(
        self, source: SSAValue, queries: Mapping[str, SSAValue], result_type: Attribute
    ) -> None:
        super().__init__(
            operands=[source, list(queries.values())],
            properties={"labels": ArrayAttr([StringAttr(label) for label in queries])},
            result_types=[result_type],
        )

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
        parser.parse_punctuation(":")
        source_type = parser.parse_type()
        parser.parse_punctuation("->")
        result_type = parser.parse_type()
        return cls(parser.resolve_operand(source, source_type), dict(queries), result_type)

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


class _WholeLevel(LevelFunction):
    """A level function that is called once per level."""

    def __init__(self, tensor: SSAValue, level: int, *, sequenced: bool = False) -> None:
        properties = level_number(level)
        if sequenced:
            properties["sequenced"] = UnitAttr()
        super().__init__(operands=[tensor], properties=properties)


@irdl_op_definition
class InitEdgesOp(_WholeLevel):
    """`seq_init_edges` or `unseq_init_edges`: before the level's first edge."""

    name = "assembly.init_edges"
    tensor = operand_def(TensorType)
    sequenced = opt_prop_def(UnitAttr)
    assembly_format = "$tensor $level (`sequenced` $sequenced^)? attr-dict `:` type($tensor)"


@irdl_op_definition
class FinalizeEdgesOp(_WholeLevel):
    """`unseq_finalize_edges`: after the level's last edge, where they came in any order."""

    name = "assembly.finalize_edges"
    tensor = operand_def(TensorType)
    assembly_format = "$tensor $level attr-dict `:` type($tensor)"


@irdl_op_definition
class InitCoordsOp(_WholeLevel):
    """`init_coords`: makes the level's arrays of coordinates."""

    name = "assembly.init_coords"
    tensor = operand_def(TensorType)
    assembly_format = "$tensor $level attr-dict `:` type($tensor)"


@irdl_op_definition
class InitPosOp(_WholeLevel):
    """`init_get_pos` or `init_yield_pos`: before the level's first position is asked for."""

    name = "assembly.init_pos"
    tensor = operand_def(TensorType)
    assembly_format = "$tensor $level attr-dict `:` type($tensor)"


@irdl_op_definition
class FinalizePosOp(_WholeLevel):
    """`finalize_get_pos` or `finalize_yield_pos`: after the level's last position."""

    name = "assembly.finalize_pos"
    tensor = operand_def(TensorType)
    assembly_format = "$tensor $level attr-dict `:` type($tensor)"


@irdl_op_definition
class InsertEdgesOp(LevelFunction):
    """`insert_edges(p, i1..)`: room below parent position p with these coordinates."""

    name = "assembly.insert_edges"
    tensor = operand_def(TensorType)
    parent_pos = operand_def(INDEX)
    coordinates = var_operand_def(INDEX)
    sequenced = opt_prop_def(UnitAttr)
    assembly_format = (
        "$tensor $level `(` $parent_pos (`,` $coordinates^)? `)` (`sequenced` $sequenced^)? "
        "attr-dict `:` type($tensor)"
    )

    def __init__(
        self,
        tensor: SSAValue,
        level: int,
        parent: SSAValue,
        coordinates: Sequence[SSAValue],
        *,
        sequenced: bool,
    ) -> None:
        properties = level_number(level)
        if sequenced:
            properties["sequenced"] = UnitAttr()
        super().__init__(operands=[tensor, parent, coordinates], properties=properties)

    def verify_(self) -> None:
        super().verify_()
        verify_coordinates(self, self.coordinates, self.level_index)


@irdl_op_definition
class CountEdgeOp(LevelFunction):
    """`count_edge(p)`: room for one more child below parent position p."""

    name = "assembly.count_edge"
    tensor = operand_def(TensorType)
    parent_pos = operand_def(INDEX)
    assembly_format = "$tensor $level `(` $parent_pos `)` attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue, level: int, parent: SSAValue) -> None:
        super().__init__(operands=[tensor, parent], properties=level_number(level))


class Placing(LevelFunction, ABC):
    """Finds the position of an entry's coordinate: how such ops are made, and what they need."""

    def __init__(
        self, tensor: SSAValue, level: int, parent: SSAValue, coordinates: Sequence[SSAValue]
    ) -> None:
        super().__init__(
            operands=[tensor, parent, coordinates],
            properties=level_number(level),
            result_types=[INDEX],
        )

    def verify_(self) -> None:
        super().verify_()
        verify_coordinates(self, self.operands[2:], self.level_index + 1)


@irdl_op_definition
class GetPosOp(Placing):
    """`get_pos(p, i1..ik) -> p'`: the same position for the same coordinates."""

    name = "assembly.get_pos"
    tensor = operand_def(TensorType)
    parent_pos = operand_def(INDEX)
    coordinates = var_operand_def(INDEX)
    position = result_def(INDEX)
    assembly_format = (
        "$tensor $level `(` $parent_pos (`,` $coordinates^)? `)` attr-dict `:` type($tensor)"
    )


@irdl_op_definition
class YieldPosOp(LevelFunction):
    """`yield_pos(p) -> p'`: the next free position below a parent position."""

    name = "assembly.yield_pos"
    tensor = operand_def(TensorType)
    parent_pos = operand_def(INDEX)
    position = result_def(INDEX)
    assembly_format = "$tensor $level `(` $parent_pos `)` attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue, level: int, parent: SSAValue) -> None:
        super().__init__(
            operands=[tensor, parent], properties=level_number(level), result_types=[INDEX]
        )


@irdl_op_definition
class InsertCoordOp(LevelFunction):
    """`insert_coord(p, p', i1..ik)`: the entry at position p' has coordinate ik."""

    name = "assembly.insert_coord"
    tensor = operand_def(TensorType)
    parent_pos = operand_def(INDEX)
    position = operand_def(INDEX)
    coordinates = var_operand_def(INDEX)
    assembly_format = (
        "$tensor $level `(` $parent_pos `,` $position (`,` $coordinates^)? `)` attr-dict `:` "
        "type($tensor)"
    )

    def __init__(
        self,
        tensor: SSAValue,
        level: int,
        parent: SSAValue,
        position: SSAValue,
        coordinates: Sequence[SSAValue],
    ) -> None:
        super().__init__(
            operands=[tensor, parent, position, coordinates], properties=level_number(level)
        )

    def verify_(self) -> None:
        super().verify_()
        verify_coordinates(self, self.coordinates, self.level_index + 1)


def verify_coordinates(op: LevelFunction, coordinates: Sequence[SSAValue], count: int) -> None:
    """As many coordinates as levels."""
    if len(coordinates) != count:
        raise VerifyException(
            f"{op.name}: {len(coordinates)} coordinates for level {op.level_index}, "
            f"which needs {count}"
        )


@irdl_op_definition
class InitValuesOp(IRDLOperation):
    """Makes the array of values; zeroed where a position may get no value, or several."""

    name = "assembly.init_values"
    tensor = operand_def(TensorType)
    zeroed = opt_prop_def(UnitAttr)
    assembly_format = "$tensor (`zeroed` $zeroed^)? attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue, *, zeroed: bool) -> None:
        super().__init__(operands=[tensor], properties={"zeroed": UnitAttr()} if zeroed else {})


@irdl_op_definition
class StoreOp(IRDLOperation):
    """Writes the value at a position of the last level, or adds to it."""

    name = "assembly.store"
    value = operand_def()
    tensor = operand_def(TensorType)
    position = operand_def(INDEX)
    adding = opt_prop_def(UnitAttr)
    assembly_format = (
        "$value `into` $tensor `(` $position `)` (`adding` $adding^)? attr-dict "
        "`:` type($value) `,` type($tensor)"
    )

    def __init__(
        self, value: SSAValue, tensor: SSAValue, position: SSAValue, *, adding: bool
    ) -> None:
        super().__init__(
            operands=[value, tensor, position],
            properties={"adding": UnitAttr()} if adding else {},
        )

    def verify_(self) -> None:
        verify_element(self, self.value, self.tensor)


@irdl_op_definition
class FinishOp(IRDLOperation):
    """The assembled tensor, complete."""

    name = "assembly.finish"
    T: ClassVar = VarConstraint("T", base(TensorType))
    tensor = operand_def(T)
    result = result_def(T)
    assembly_format = "$tensor attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue) -> None:
        super().__init__(operands=[tensor], result_types=[tensor.type])


LEVEL_FUNCTIONS: tuple[type[Operation], ...] = (
    OpenOp,
    InitEdgesOp,
    InsertEdgesOp,
    CountEdgeOp,
    FinalizeEdgesOp,
    InitCoordsOp,
    InitPosOp,
    GetPosOp,
    YieldPosOp,
    InsertCoordOp,
    FinalizePosOp,
    InitValuesOp,
    StoreOp,
    FinishOp,
)
