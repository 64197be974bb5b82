"""
The dialect `format`: how tensors are stored, as the encoding of builtin tensor types.

    #csr = #format.spec<(i, j) -> (i : dense, j : compressed)>
    func.func @f(%A: tensor<?x?xf64, #csr>) { ... }
"""

from abc import ABC, abstractmethod
from typing import Any, cast

from xdsl.dialects.builtin import (
    ComplexType,
    Float80Type,
    Float128Type,
    NoneAttr,
    StringAttr,
    TensorType,
)
from xdsl.ir import Attribute, Data, Dialect, SSAValue
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.errors import FormatError
from tamale.dialects.format.named import dense_format
from tamale.dialects.format.notation import parse_format
from tamale.dialects.format.selection import Selection, parse_selection
from tamale.dialects.format.spec import Format
from tamale.dialects.format.statistics import Statistics, parse_statistics
from tamale.dialects.format.tokens import FormatSyntaxError
from tamale.dialects.format.verify import verify_format
from tamale.dialects.raw_text import take_until_closing


class StorageAttr(ABC):
    """Shared by the encodings of tensor types that say how tensors are stored."""

    @property
    @abstractmethod
    def format(self) -> Format:
        """
        The format.

        Raises:
            FormatError: no format says what the encoding does.
        """


@irdl_attr_definition
class FormatAttr(Data[Format], StorageAttr):
    """
    `#format.spec<...>` around a format line, see `tamale.dialects.format.notation`.

    Equality is that of formats: names of modes count, `canonical` tells more.
    """

    name = "format.spec"

    @property
    def format(self) -> Format:
        return self.data

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Format:
        body = take_until_closing(parser)
        try:
            return parse_format(body.text)
        except FormatSyntaxError as error:
            start, end = body.start + error.start, body.start + error.end
            parser.raise_error(f"format: {error.message}", start, end)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(str(self.data))

    def verify(self) -> None:
        try:
            verify_format(self.data)
        except FormatError as error:
            raise VerifyException(str(error)) from None


@irdl_attr_definition
class StatisticsAttr(Data[Statistics]):
    """
    `#format.statistics<sizes [1024, ?], stored [1024, 16384]>`: how large a tensor is, about.

    The argument of a function says it under the name `format.statistics`.
    """

    name = "format.statistics"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Statistics:
        body = take_until_closing(parser)
        try:
            return parse_statistics(body.text)
        except FormatError as error:
            parser.raise_error(str(error), body.start, body.start + len(body.text))

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(str(self.data))


FORMAT = Dialect("format", [], [FormatAttr, StatisticsAttr])


def tensor_format(type: TensorType[Any]) -> Format:
    """
    The format of a tensor type; one without encoding is dense, its first mode outermost.

    Raises:
        FormatError: the encoding is no format, or one for tensors of another order; or xDSL cannot
            write numbers of the elements' type, which passes would have to.
    """
    element: Attribute = type.element_type
    if isinstance(element, ComplexType):
        element = cast("ComplexType[Any]", element).element_type
    if isinstance(element, Float80Type | Float128Type):
        raise FormatError(f"format: '{type}' holds {element}; no passes can write its numbers.")
    order = type.get_num_dims()
    if isinstance(type.encoding, NoneAttr):
        return dense_format(order)
    if not isinstance(type.encoding, StorageAttr):
        raise FormatError(f"format: '{type}' has an encoding that is no #format.spec.")
    format = type.encoding.format
    if format.order != order:
        modes = f"{format.order} mode{'s' * (format.order != 1)} ({', '.join(format.modes)})"
        raise FormatError(f"format: '{type}' has order {order}, but its format has {modes}.")
    return format


def verify_tensor_type(type: TensorType[Any]) -> None:
    """
    For `verify_` of ops with tensors.

    Raises:
        VerifyException: `tensor_format(type)` fails.
    """
    try:
        tensor_format(type)
    except FormatError as error:
        raise VerifyException(str(error)) from None


def format_of(tensor: SSAValue) -> Format:
    """How a tensor is stored."""
    return tensor_format(cast("TensorType[Attribute]", tensor.type))


def read_selection(where: StringAttr | None) -> Selection | None:
    """The selection in a property of an op, which is verified; None where there is none."""
    return None if where is None else parse_selection(where.data)


def verify_selection(op_name: str, where: StringAttr | None, format: Format) -> None:
    """
    For `verify_` of ops that take a selection of the entries of a tensor.

    Raises:
        VerifyException: it cannot be read, or does not fit the format's modes.
    """
    try:
        selection = read_selection(where)
        if selection is not None:
            selection.verify(format.modes)
    except FormatError as error:
        raise VerifyException(f"{op_name}: {error}") from None
