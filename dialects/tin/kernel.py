"""`tin.kernel`: one tensor by its value at every coordinate."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import cast, get_args

from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DenseArrayBase,
    StringAttr,
    TensorType,
    i64,
)
from xdsl.ir import Attribute, BlockArgument, Region, SSAValue
from xdsl.irdl import irdl_op_definition, opt_prop_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import RecursiveMemoryEffect
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.format.attribute import StatisticsAttr
from tamale.dialects.format.search import Search
from tamale.dialects.tin.binding import (
    Binding,
    parse_binding_region,
    parse_variables,
    print_binding_region,
    print_variables,
)
from tamale.dialects.tin.expressions import AccessOp, verify_format


@irdl_op_definition
class KernelOp(Binding):
    """
    One tensor, given by its value at every coordinate.

    The bound index variables are the result's modes in order; how the result is stored is the
    encoding of its type. Tensors come from outside, index variables from here or from reductions.
    `order(i, k, j)` asks for these loops, outermost first, instead of those that the rules of
    concretize choose; `search(hash)` says how a list of the result's entries, if there is one,
    finds an entry again; `about(#format.statistics<..>)` how large the result is estimated to be.

        %D = tin.kernel %i at (%i, %i) { ... } : tensor<?x?xf64>

    With `at`, the result's modes are these variables: the one on the diagonal, here.
    """

    name = "tin.kernel"
    modes = opt_prop_def(DenseArrayBase.constr(i64))
    order = opt_prop_def(ArrayAttr[StringAttr])
    search = opt_prop_def(StringAttr)
    statistics = opt_prop_def(StatisticsAttr)
    result = result_def(TensorType)
    traits = traits_def(RecursiveMemoryEffect())

    def __init__(
        self,
        body: Region,
        result_type: TensorType[Attribute],
        *,
        modes: Sequence[int] | None = None,
        order: Sequence[str] | None = None,
    ) -> None:
        """`modes` are the numbers of the variables along the result's modes, if one is repeated."""
        properties: dict[str, Attribute] = {}
        if modes is not None:
            properties["modes"] = DenseArrayBase.from_list(i64, list(modes))
        if order is not None:
            properties["order"] = order_attribute(order)
        super().__init__(regions=[body], result_types=[result_type], properties=properties)

    @property
    def loops(self) -> tuple[str, ...] | None:
        """The order of loops asked for, outermost first."""
        return None if self.order is None else tuple(name.data for name in self.order)

    @property
    def indices(self) -> Sequence[BlockArgument]:
        """The index variable of each mode of the result."""
        if self.modes is None:
            return self.variables
        return [self.variables[number] for number in self.modes.get_values()]

    @classmethod
    def parse(cls, parser: Parser) -> KernelOp:
        names = parse_variables(parser)
        modes = None
        if parser.parse_optional_keyword("at") is not None:
            modes = parser.parse_comma_separated_list(
                parser.Delimiter.PAREN, lambda: _parse_mode(parser, names)
            )
        region = parse_binding_region(parser, names)
        parser.parse_punctuation(":")
        kernel = cls(region, cast(TensorType[Attribute], parser.parse_type()), modes=modes)
        for name, parse in _CLAUSES.items():
            if parser.parse_optional_keyword(name) is not None:
                with parser.in_parens():
                    kernel.properties[_PROPERTIES.get(name, name)] = parse(parser)
        return kernel

    def print(self, printer: Printer) -> None:
        print_variables(printer, self.body)
        if self.modes is not None:
            printer.print_string(" at (")
            printer.print_list(self.indices, printer.print_ssa_value)
            printer.print_string(")")
        print_binding_region(printer, self.body)
        printer.print_string(" : ")
        printer.print_attribute(self.result.type)
        if self.loops is not None:
            printer.print_string(f" order({', '.join(self.loops)})")
        if self.search is not None:
            printer.print_string(f" search({self.search.data})")
        if self.statistics is not None:
            printer.print_string(" about(")
            printer.print_attribute(self.statistics)
            printer.print_string(")")

    def verify_(self) -> None:
        self._verify_region("tin.kernel")
        type = self.result.type
        _verify_modes(self)
        verify_format(type, "the result")
        if self.yielded.type != type.element_type:
            raise VerifyException(
                f"tin.kernel yields {self.yielded.type}, but its result holds {type.element_type}"
            )
        _verify_order(self.loops or ())
        _verify_estimates(self)
        _verify_sizes(self)


def order_attribute(order: Sequence[str]) -> ArrayAttr[StringAttr]:
    """The names of loops, outermost first, as a property."""
    return ArrayAttr([StringAttr(name) for name in order])


def _parse_order(parser: Parser) -> Attribute:
    names = parser.parse_comma_separated_list(
        parser.Delimiter.NONE, lambda: parser.parse_identifier(context_msg="a loop's variable")
    )
    return order_attribute(names)


def _parse_search(parser: Parser) -> Attribute:
    return StringAttr(parser.parse_identifier(context_msg="'dense' or 'hash'"))


_CLAUSES: Mapping[str, Callable[[Parser], Attribute]] = {
    "order": _parse_order,
    "search": _parse_search,
    "about": lambda parser: parser.parse_attribute(),
}
"""What may follow the type, in this order."""
_PROPERTIES = {"about": "statistics"}
"""Word -> property, where they differ."""


def _parse_mode(parser: Parser, names: Sequence[Parser.UnresolvedArgument]) -> int:
    """The number of a variable that the kernel binds."""
    found = parser.parse_argument(expect_type=False).name
    known = [name.name.text for name in names]
    if found.text not in known:
        parser.raise_error(f"tin.kernel binds no '{found.text}'", found)
    return known.index(found.text)


def _verify_modes(kernel: KernelOp) -> None:
    """Every variable is along a mode of the result, and every mode has one."""
    count, order = len(kernel.variables), kernel.result.type.get_num_dims()
    numbers = range(count) if kernel.modes is None else kernel.modes.get_values()
    if len(numbers) != order:
        raise VerifyException(
            f"tin.kernel: {len(numbers)} index variables for a result of order {order}"
        )
    if set(numbers) != set(range(count)):
        raise VerifyException(
            f"tin.kernel: the modes of the result are the variables {list(numbers)} of {count}; "
            "each variable has to be along one"
        )


def _verify_order(loops: Sequence[str]) -> None:
    """Which loops there are depends on formats; that each is named once does not."""
    for loop in loops:
        if loops.count(loop) > 1:
            raise VerifyException(
                f"tin.kernel: the order {', '.join(loops)} names the loop '{loop}' twice"
            )


def _verify_estimates(kernel: KernelOp) -> None:
    """What is said of lists and of the result is something that they can be."""
    if kernel.search is not None and kernel.search.data not in get_args(Search):
        known = " or ".join(repr(search) for search in get_args(Search))
        raise VerifyException(
            f"tin.kernel: entries of a list are found by {known}, not by '{kernel.search.data}'"
        )
    order = kernel.result.type.get_num_dims()
    if kernel.statistics is not None and len(kernel.statistics.data.sizes) != order:
        raise VerifyException(
            f"tin.kernel: {len(kernel.statistics.data.sizes)} sizes are given for a result of "
            f"order {order}"
        )


def _verify_sizes(kernel: KernelOp) -> None:
    """Index variables that meet two static sizes are an error that names both."""
    type = kernel.result.type
    sizes: dict[SSAValue, tuple[int, str]] = {}
    uses = [(list(kernel.indices), type, "the result")]
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
