"""The C++ type of each MLIR type."""

from dataclasses import dataclass
from enum import Enum, auto
from functools import cache
from typing import cast

from xdsl.dialects.builtin import MemRefType, NoneAttr
from xdsl.ir import Attribute
from xdsl.utils.exceptions import DiagnosticException


class Kind(Enum):
    """What arithmetic and conversions mean for a C++ type."""

    INTEGER = auto()
    FLOAT = auto()
    COMPLEX = auto()
    POINTER = auto()


@dataclass(frozen=True)
class CType:
    """A C++ type, with what the conversion rules of C++ ask about it."""

    name: str
    kind: Kind
    bits: int
    is_signed: bool = True

    def declare(self, identifier: str) -> str:
        """
        The declarator of `identifier`.

        >>> CType("double", Kind.FLOAT, 64).declare("x")
        'double x'
        """
        return f"{self.name}{'' if self.name.endswith('*') else ' '}{identifier}"


BOOL = CType("bool", Kind.INTEGER, 1, is_signed=False)
INT32 = CType("int32_t", Kind.INTEGER, 32)
INT64 = CType("int64_t", Kind.INTEGER, 64)
FLOAT = CType("float", Kind.FLOAT, 32)
DOUBLE = CType("double", Kind.FLOAT, 64)

SCALARS: dict[str, CType] = {
    "i1": BOOL,
    "i8": CType("int8_t", Kind.INTEGER, 8),
    "i16": CType("int16_t", Kind.INTEGER, 16),
    "i32": INT32,
    "i64": INT64,
    "index": INT64,
    "f32": FLOAT,
    "f64": DOUBLE,
    "complex<f32>": CType("float _Complex", Kind.COMPLEX, 64),
    "complex<f64>": CType("double _Complex", Kind.COMPLEX, 128),
}
"""The element types a kernel can have, by their MLIR spelling; `_Complex` is GNU C++."""


@cache
def ctype_of(type_: Attribute) -> CType:
    """
    The C++ type that holds a value of `type_`.

    Raises:
        DiagnosticException: there is none.
    """
    if MemRefType.name == type_.name:
        return pointer_to(element_ctype(type_))
    if (scalar := SCALARS.get(str(type_))) is None:
        raise DiagnosticException(
            f"cpp: no C++ type for '{type_}'.\n"
            f"  help: lower it to one of {', '.join(SCALARS)}, or a memref of these."
        )
    return scalar


def as_memref(type_: Attribute) -> MemRefType[Attribute]:
    """`type_`, which is known to be a memref type."""
    assert isinstance(type_, MemRefType)
    return cast(MemRefType[Attribute], type_)


@cache
def element_ctype(type_: Attribute) -> CType:
    """The C++ type of an element of the memref type `type_`, which must be contiguous."""
    type_ = as_memref(type_)
    if type_.get_num_dims() > 1 or not isinstance(type_.layout, NoneAttr):
        raise DiagnosticException(
            f"cpp: no C++ type for '{type_}'.\n"
            "  help: compute the position and use a one-dimensional memref without a layout."
        )
    return ctype_of(type_.element_type)


def pointer_to(ctype: CType) -> CType:
    """`T *`."""
    return CType(f"{ctype.name}{'' if ctype.name.endswith('*') else ' '}*", Kind.POINTER, 64)


def unsigned(ctype: CType) -> CType:
    """The unsigned integer type as wide as `ctype`."""
    return CType(f"uint{ctype.bits}_t", Kind.INTEGER, ctype.bits, is_signed=False)


def fits(inner: CType, outer: CType) -> bool:
    """
    Whether an expression of C++ type `inner` may stand for a value of type `outer` as it is.

    Explicitly unsigned expressions never may: they would make their neighbours unsigned too.
    """
    if inner == outer or inner.kind is Kind.POINTER:
        return True
    if inner.kind is not outer.kind or outer == BOOL:
        return False
    return inner == BOOL or (inner.is_signed and inner.bits <= outer.bits)


def common(lhs: CType, rhs: CType) -> CType:
    """The wider of two types of one kind; bool counts as the narrowest integer."""
    return lhs if lhs.bits >= rhs.bits else rhs
