"""`tin.kernel`: one tensor by its value at every coordinate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import DYNAMIC_INDEX, ArrayAttr, StringAttr, TensorType
from xdsl.ir import Attribute, Region, SSAValue
from xdsl.irdl import irdl_op_definition, opt_prop_def, result_def, traits_def
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
    `order(i, k, j)` asks for these loops, outermost first, instead of those that the rules of
    concretize choose.
    """

    name = "tin.kernel"
    order = opt_prop_def(ArrayAttr[StringAttr])
    result = result_def(TensorType)
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        body: Region,
        result_type: TensorType[Attribute],
        order: Sequence[str] | None = None,
    ) -> None:
        super().__init__(
            properties={} if order is None else {"order": order_attribute(order)},
            regions=[body],
            result_types=[result_type],
        )

    @property
    def loops(self) -> tuple[str, ...] | None:
        """The order of loops asked for, outermost first."""
        return None if self.order is None else tuple(name.data for name in self.order)

    @classmethod
    def parse(cls, parser: Parser) -> KernelOp:
        region = parse_binding_region(parser)
        parser.parse_punctuation(":")
        type, order = cast(TensorType[Attribute], parser.parse_type()), None
        if parser.parse_optional_keyword("order") is not None:
            order = parser.parse_comma_separated_list(
                parser.Delimiter.PAREN,
                lambda: parser.parse_identifier(context_msg="a loop's variable"),
            )
        return cls(region, type, order)

    def print(self, printer: Printer) -> None:
        print_binding_region(printer, self.body)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)
        if self.loops is not None:
            printer.print_string(f" order({', '.join(self.loops)})")

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


def order_attribute(order: Sequence[str]) -> ArrayAttr[StringAttr]:
    """The names of loops, outermost first, as a property."""
    return ArrayAttr([StringAttr(name) for name in order])


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
