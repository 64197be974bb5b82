"""The header of kernels, which cin and cfir share: named accesses to tensors, and a result."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, TensorType, UnitAttr
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import (
    IRDLOperation,
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

from tamale.dialects.cin.attributes import AccessAttr, parse_access
from tamale.dialects.cin.inside import HoldsStatements
from tamale.dialects.cin.partition import PartitionAttr, parse_partition, partition_text
from tamale.dialects.cin.text import parse_body, print_body, text_after_keyword
from tamale.dialects.cin.where import WhereLike, Workspace
from tamale.dialects.format.attribute import tensor_format
from tamale.dialects.format.spec import Format
from tamale.dialects.notation.ast import Access, to_text
from tamale.dialects.raw_text import read

_FLAGS = ("zeroed", "optimised", "hashed")
"""Properties that are either there or not, in the order in which they are written."""


class KernelLike(IRDLOperation, ABC):
    """
    A kernel over named accesses: `y(i) of (A(i,j) = %A, x(j) = %x) : type { ... }`.

    Names in the body mean these accesses; a tensor used twice has two. The first access is the
    result's. A dense result that statements accumulate into starts from the identity of their
    operator; with `zeroed` it starts from 0, so that `Q max= e` is 0 where no e is larger. With
    `partitioned into 8 over i in A.i` its outermost loops are shared by workers.
    """

    tensors = var_operand_def(TensorType)
    accesses = prop_def(ArrayAttr[AccessAttr])
    target = prop_def(AccessAttr)
    zeroed = opt_prop_def(UnitAttr)
    partition = opt_prop_def(PartitionAttr)
    body = region_def("single_block")
    result = result_def(TensorType)
    traits = traits_def(NoTerminator(), HoldsStatements())

    def __init__(
        self,
        target: Access,
        accesses: Sequence[Access],
        tensors: Sequence[SSAValue],
        result_type: Attribute,
        body: Region,
        *,
        zeroed: bool = False,
    ) -> None:
        super().__init__(
            operands=[tensors],
            result_types=[result_type],
            properties=kernel_properties(target, accesses, zeroed=zeroed),
            regions=[body],
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
        return self.result.type

    @property
    def formats(self) -> dict[str, Format]:
        """Name -> format, those of the result and of vectors that are workspaces included."""
        formats = {self.target.data.tensor: tensor_format(self.result_type)}
        for name, (_, tensor) in self.operands_by_name.items():
            formats[name] = tensor_format(cast(TensorType[Attribute], tensor.type))
        result = formats[self.target.data.tensor]
        return {w.name: w.format(result) for w in self.vectors} | formats

    @property
    def all_accesses(self) -> dict[str, Access]:
        """Name -> access, the result's included."""
        return {self.target.data.tensor: self.target.data, **self.read_accesses}

    @property
    def read_accesses(self) -> dict[str, Access]:
        """Name -> access of what can be walked: operands, and vectors that are workspaces."""
        accesses = {attribute.data.tensor: attribute.data for attribute in self.accesses}
        return {w.name: w.access for w in self.vectors} | accesses

    @property
    def declared_accesses(self) -> dict[str, Access]:
        """Name -> access, of the result and the operands."""
        accesses = {attribute.data.tensor: attribute.data for attribute in self.accesses}
        return {self.target.data.tensor: self.target.data, **accesses}

    @property
    def vectors(self) -> list[Workspace]:
        """The workspaces that are not scalars, each once."""
        wheres = (op for op in self.body.walk() if isinstance(op, WhereLike))
        workspaces = dict.fromkeys(op.workspace for op in wheres)
        return [workspace for workspace in workspaces if not workspace.is_scalar]

    @classmethod
    def parse(cls, parser: Parser):
        header = parse_header(parser)
        op = cls(header.target, header.accesses, header.tensors, header.type, parse_body(parser))
        op.properties |= header.properties
        return op

    def print(self, printer: Printer) -> None:
        self.print_header(printer)
        printer.print_string(" ")
        print_body(printer, self.body)

    def print_header(self, printer: Printer) -> None:
        """Everything before the body."""
        printer.print_string(f" {to_text(self.target.data)} of (")
        printer.print_list(
            list(zip(self.accesses, self.tensors, strict=True)),
            lambda pair: _print_binding(printer, *pair),
        )
        printer.print_string(") : ")
        printer.print_attribute(self.result.type)
        for flag in _FLAGS:
            if flag in self.properties:
                printer.print_string(f" {flag}")
        if self.partition is not None:
            printer.print_string(f" partitioned {partition_text(self.partition.data)}")

    def verify_kernel(self) -> None:
        if len(self.accesses) != len(self.tensors):
            raise VerifyException(
                f"{self.name}: {len(self.accesses)} accesses of {len(self.tensors)} tensors"
            )
        names = [self.target.data.tensor, *(a.data.tensor for a in self.accesses)]
        for name in names:
            if names.count(name) > 1:
                raise VerifyException(f"{self.name}: two accesses are called '{name}'")
        lists = [workspace.name for workspace in self.vectors]
        for name in lists:
            if lists.count(name) > 1:
                raise VerifyException(f"{self.name}: two different workspaces are called '{name}'")
        for name, format in self.formats.items():
            access = self.all_accesses[name]
            if len(access.indices) != format.order:
                raise VerifyException(
                    f"{self.name}: {to_text(access)} does not fit a tensor of order {format.order}"
                )


def kernel_properties(
    target: Access, accesses: Sequence[Access], *, zeroed: bool
) -> dict[str, Attribute]:
    """The properties of a kernel's header."""
    properties: dict[str, Attribute] = {
        "target": AccessAttr(target),
        "accesses": ArrayAttr([AccessAttr(access) for access in accesses]),
    }
    if zeroed:
        properties["zeroed"] = UnitAttr()
    return properties


@dataclass(frozen=True)
class Header:
    """What is written before the body of a kernel."""

    target: Access
    accesses: Sequence[Access]
    tensors: Sequence[SSAValue]
    type: Attribute
    properties: Mapping[str, Attribute]
    """What is written after the type."""


def parse_header(parser: Parser) -> Header:
    """`y(i) of (A(i,j) = %A, x(j) = %x) : type zeroed`."""
    target = parse_access(parser)
    parser.parse_keyword("of")
    pairs = parser.parse_comma_separated_list(
        parser.Delimiter.PAREN, lambda: _parse_binding(parser)
    )
    parser.parse_punctuation(":")
    result_type = parser.parse_type()
    flags = [flag for flag in _FLAGS if parser.parse_optional_keyword(flag) is not None]
    properties: dict[str, Attribute] = dict.fromkeys(flags, UnitAttr())
    partition = _parse_optional_partition(parser)
    if partition is not None:
        properties["partition"] = partition
    accesses, tensors = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return Header(target, accesses, tensors, result_type, properties)


def _parse_optional_partition(parser: Parser) -> PartitionAttr | None:
    start = parser.pos
    text = text_after_keyword(parser, "partitioned", r"\{")
    return None if text is None else PartitionAttr(read(parser, start, text, parse_partition))


def _parse_binding(parser: Parser) -> tuple[Access, SSAValue]:
    access = parse_access(parser)
    parser.parse_punctuation("=")
    return access, parse_defined_operand(parser)


def parse_defined_operand(parser: Parser) -> SSAValue:
    """A value whose type is not written: it has to be defined above."""
    operand = parser.parse_unresolved_operand()
    values = parser.ssa_values.get(operand.operand_name, ())
    if operand.index >= len(values):
        parser.raise_error(f"'{operand.span.text}' is not defined above", operand.span)
    return values[operand.index]


def _print_binding(printer: Printer, access: AccessAttr, tensor: SSAValue) -> None:
    printer.print_string(f"{to_text(access.data)} = ")
    printer.print_ssa_value(tensor)
