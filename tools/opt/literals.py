"""Elements of dense literals: a hexadecimal number stands for the bits of a float, as in MLIR."""

from __future__ import annotations

from xdsl.dialects.builtin import AnyFloat, ComplexType, IndexType, IntegerType
from xdsl.parser.attribute_parser import AttrParser


class LiteralElement(AttrParser._TensorLiteralElement):  # pyright: ignore[reportPrivateUsage]
    """
    Reads `dense<0x3FF0000000000000> : tensor<2xf64>` as ones, where xDSL reads a large integer.

    MLIR prints infinities and NaNs so, and nothing else tells them.
    """

    def to_type(
        self, parser: AttrParser, type: AnyFloat | IntegerType | IndexType | ComplexType
    ) -> int | float | bool | tuple[float, float] | tuple[int, int]:
        if "0x" not in self.span.text.lower():
            return super().to_type(parser, type)
        if isinstance(type, AnyFloat):
            return self._from_bits(parser, type)
        if isinstance(type, ComplexType) and isinstance(type.element_type, AnyFloat):
            parser.raise_error(
                "hexadecimal parts of complex numbers are not read; write them in decimal",
                at_position=self.span,
            )
        return super().to_type(parser, type)

    def _from_bits(self, parser: AttrParser, type: AnyFloat) -> float:
        if not isinstance(self.value, int) or self.is_negative:
            parser.raise_error("hexadecimal floats have no sign", at_position=self.span)
        if self.value.bit_length() > type.bitwidth:
            parser.raise_error(
                f"a hexadecimal float of {type} has {type.bitwidth} bits at most",
                at_position=self.span,
            )
        return next(type.iter_unpack(self.value.to_bytes(type.compile_time_size, "little")))
