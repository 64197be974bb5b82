"""`#sparse_tensor.encoding`: MLIR's way to say how a tensor is stored."""

from __future__ import annotations

from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from tamale.dialects.format.attribute import StorageAttr
from tamale.dialects.format.spec import Format
from tamale.dialects.format.tokens import FormatSyntaxError
from tamale.dialects.raw_text import take_until_closing
from tamale.dialects.sparse_tensor.encoding import Encoding
from tamale.dialects.sparse_tensor.formats import format_of_encoding
from tamale.dialects.sparse_tensor.parsing import parse_encoding


@irdl_attr_definition
class EncodingAttr(Data[Encoding], StorageAttr):
    """
    `#sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>`.

    See external [documentation](https://mlir.llvm.org/docs/Dialects/SparseTensorOps/#sparsetensorencodingattr).
    """

    name = "sparse_tensor.encoding"

    @property
    def format(self) -> Format:
        return format_of_encoding(self.data)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Encoding:
        body = take_until_closing(parser)
        try:
            return parse_encoding(body.text)
        except FormatSyntaxError as error:
            start, end = body.start + error.start, body.start + error.end
            parser.raise_error(f"sparse_tensor: {error.message}", start, end)

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(str(self.data))
