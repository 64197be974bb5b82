"""`tin.kernel`: one tensor by its value at every coordinate."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import irdl_op_definition, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.tin.binding import Binding, parse_binding_region, print_binding_region
from tamale.dialects.tin.expressions import AccessOp, verify_format


@irdl_op_definition
class KernelOp(Binding):
    """
    One tensor, given by its value at every coordinate.

    The bound index variables are the result's modes in order; how the result is stored is the
    encoding of its type. Tensors come from outside, index variables from here or from reductions.
    """

    name = "tin.kernel"
    result = result_def(TensorType)
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(self, body: Region, result_type: TensorType[Attribute]) -> None:
        super().__init__(regions=[body], result_types=[result_type])

    @classmethod
    def parse(cls, parser: Parser) -> KernelOp:
        region = parse_binding_region(parser)
        parser.parse_punctuation(":")
        op = cls(region, cast(TensorType[Attribute], parser.parse_type()))
        return op

    def print(self, printer: Printer) -> None:
        print_binding_region(printer, self.body)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        self._verify_region("tin.kernel")
        type = self.result.type
        if len(self.variables) != type.get_num_dims():
            raise VerifyException(
                f"tin.kernel: {len(self.variables)} index variables for a result of order "
                f"{type.get_num_dims()}"
            )
        verify_format(type, "the result")
        if self.yielded.type != type.element_type:
            raise VerifyException(
                f"tin.kernel yields {self.yielded.type}, but its result holds {type.element_type}"
            )
        _verify_sizes(self)


def _verify_sizes(kernel: KernelOp) -> None:
    """Index variables that meet two static sizes are an error that names both."""
    type = kernel.result.type
    sizes: dict[SSAValue, tuple[int, str]] = {}
    uses = [(list(kernel.variables), type, "the result")]
    uses += [
        (list(op.indices), op.tensor_type, op.tensor.name_hint or "a tensor")
        for op in kernel.body.walk()
        if isinstance(op, AccessOp)
    ]
    for indices, tensor_type, who in uses:
        for variable, size in zip(indices, tensor_type.get_shape(), strict=True):
            if size == DYNAMIC_INDEX:
                continue
            known, first = sizes.setdefault(variable, (size, who))
            if known != size:
                raise VerifyException(
                    f"tin.kernel: index variable '{variable.name_hint}' has size {known} in "
                    f"{first} "
                    f"and {size} in {who}"
                )
