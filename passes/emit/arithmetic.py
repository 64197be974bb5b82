"""
Arithmetic on SSA values that picks the upstream op from the operands' type.

`Arithmetic` is what operators and level kinds write their formulas in: `build.add(a, b)` is
`arith.addi` on integers and index, `arith.addf` on floats, `complex.add` on complex numbers.
"""

from __future__ import annotations

import math
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import TypeVar, cast

from xdsl.dialects import arith
from xdsl.dialects import complex as complex_dialect
from xdsl.dialects import math as math_dialect
from xdsl.dialects.builtin import (
    AnyFloat,
    ComplexType,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    i1,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects.operators import Number
from tamale.passes.emit.upstream import Predicate, comparing, computing

OpT = TypeVar("OpT", bound=Operation)
INDEX = IndexType()

_BINARY: dict[tuple[str, str], type[Operation]] = {
    ("add", "int"): arith.AddiOp,
    ("sub", "int"): arith.SubiOp,
    ("mul", "int"): arith.MuliOp,
    ("div", "int"): arith.FloorDivSIOp,
    ("mod", "int"): arith.RemSIOp,
    ("min", "int"): arith.MinSIOp,
    ("max", "int"): arith.MaxSIOp,
    ("and", "int"): arith.AndIOp,
    ("or", "int"): arith.OrIOp,
    ("xor", "int"): arith.XOrIOp,
    ("shl", "int"): arith.ShLIOp,
    ("shr", "int"): arith.ShRSIOp,
    ("add", "float"): arith.AddfOp,
    ("sub", "float"): arith.SubfOp,
    ("mul", "float"): arith.MulfOp,
    ("div", "float"): arith.DivfOp,
    ("min", "float"): arith.MinimumfOp,
    ("max", "float"): arith.MaximumfOp,
    ("add", "complex"): complex_dialect.AddOp,
    ("sub", "complex"): complex_dialect.SubOp,
    ("mul", "complex"): complex_dialect.MulOp,
    ("div", "complex"): complex_dialect.DivOp,
}
_UNARY: dict[tuple[str, str], type[Operation]] = {
    ("neg", "float"): arith.NegfOp,
    ("neg", "complex"): complex_dialect.NegOp,
    ("abs", "int"): math_dialect.AbsIOp,
    ("trailing_zeros", "int"): math_dialect.CountTrailingZerosOp,
    ("abs", "float"): math_dialect.AbsFOp,
    ("sqrt", "float"): math_dialect.SqrtOp,
    ("exp", "float"): math_dialect.ExpOp,
    ("sqrt", "complex"): complex_dialect.SqrtOp,
    ("exp", "complex"): complex_dialect.ExpOp,
}


def kind_of(type: Attribute) -> str:
    """`int`, `float` or `complex`: the family of ops that computes on `type`."""
    if isinstance(type, IndexType | IntegerType):
        return "int"
    return "complex" if isinstance(type, ComplexType) else "float"


class Arithmetic(ABC):
    """The formulas; where the ops go is the subclass's business."""

    @abstractmethod
    def insert(self, op: OpT) -> OpT: ...

    @abstractmethod
    def constant(self, value: Number, type: Attribute = INDEX) -> SSAValue: ...

    def binary(self, name: str, a: SSAValue, b: SSAValue) -> SSAValue:
        if name in _KNOWN and (folded := _folded(_KNOWN[name], a, b)) is not None:
            return self.constant(folded)
        op = _BINARY.get((name, kind_of(a.type)))
        if op is None:
            raise PassFailedException(f"lower-lattices: '{name}' has no meaning on {a.type}")
        return self.insert(computing(op, (a, b), a.type)).results[0]

    def unary(self, name: str, a: SSAValue) -> SSAValue:
        op = _UNARY.get((name, kind_of(a.type)))
        if op is None:
            raise PassFailedException(f"lower-lattices: '{name}' has no meaning on {a.type}")
        return self.insert(computing(op, (a,), a.type)).results[0]

    def add(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.binary("add", a, b)

    def sub(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.binary("sub", a, b)

    def mul(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.binary("mul", a, b)

    def div(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.binary("div", a, b)

    def min(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.binary("min", a, b)

    def max(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.binary("max", a, b)

    def and_(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.binary("and", a, b)

    def or_(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.binary("or", a, b)

    def xor(self, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.binary("xor", a, b)

    def neg(self, a: SSAValue) -> SSAValue:
        if kind_of(a.type) == "int":
            return self.sub(self.constant(0, a.type), a)
        return self.unary("neg", a)

    def abs(self, a: SSAValue) -> SSAValue:
        if kind_of(a.type) == "complex":
            modulus = self.insert(complex_dialect.AbsOp(a)).results[0]
            return self.cast(modulus, a.type)
        return self.unary("abs", a)

    def sqrt(self, a: SSAValue) -> SSAValue:
        return self.unary("sqrt", a)

    def exp(self, a: SSAValue) -> SSAValue:
        return self.unary("exp", a)

    def trailing_zeros(self, a: SSAValue) -> SSAValue:
        """Zero bits below the lowest 1; as i64, since LLVM's pipeline cannot count in `index`."""
        return self.cast(self.unary("trailing_zeros", self.cast(a, i64)), a.type)

    def compare(self, predicate: Predicate, a: SSAValue, b: SSAValue) -> SSAValue:
        """Integer comparison, as i1."""
        return self.insert(comparing(predicate, a, b)).result

    def nonzero(self, a: SSAValue) -> SSAValue:
        """Whether a value is not zero, as i1; NaN is not."""
        zero = self.constant(0, a.type)
        match kind_of(a.type):
            case "int":
                return self.compare("ne", a, zero)
            case "complex":
                return self.insert(complex_dialect.NotEqualOp(a, zero)).results[0]
            case _:
                return self.insert(arith.CmpfOp(a, zero, "une")).result

    def select(self, condition: SSAValue, a: SSAValue, b: SSAValue) -> SSAValue:
        return self.insert(computing(arith.SelectOp, (condition, a, b), a.type)).result

    def cast(self, value: SSAValue, type: Attribute) -> SSAValue:
        """`value` converted to `type`, by NumPy's rules for safe casts."""
        if value.type == type:
            return value
        if isinstance(value.type, IndexType) or isinstance(type, IndexType):
            return self._cast_index(value, type)
        if kind_of(type) == "complex":
            return self._cast_complex(value, part_type(type))
        return self._cast_real(value, type)

    def as_index(self, value: SSAValue) -> SSAValue:
        """An integer as a position or coordinate."""
        return self.cast(value, INDEX)

    def _cast_index(self, value: SSAValue, type: Attribute) -> SSAValue:
        if value.type == i1:
            raise PassFailedException("lower-levels: a truth value is no coordinate")
        return self.insert(computing(arith.IndexCastOp, (value,), type)).result

    def _cast_complex(self, value: SSAValue, part: AnyFloat) -> SSAValue:
        """Part by part; a real number has none that is imaginary."""
        if kind_of(value.type) == "complex":
            real = self.cast(self.insert(complex_dialect.ReOp(value)).results[0], part)
            imaginary = self.cast(self.insert(complex_dialect.ImOp(value)).results[0], part)
        else:
            real, imaginary = self.cast(value, part), self.constant(0, part)
        parts = complex_dialect.CreateOp(real, imaginary, ComplexType(part))
        return self.insert(parts).results[0]

    def _cast_real(self, value: SSAValue, type: Attribute) -> SSAValue:
        source = value.type
        if isinstance(source, IntegerType) and isinstance(type, AnyFloat):
            op = arith.UIToFPOp if source == i1 else arith.SIToFPOp
            return self.insert(computing(op, (value,), type)).result
        if isinstance(source, IntegerType) and isinstance(type, IntegerType):
            target = cast("IntegerType", type)
            if source.bitwidth > target.bitwidth:
                return self.insert(computing(arith.TruncIOp, (value,), target)).result
            op = arith.ExtUIOp if source == i1 else arith.ExtSIOp
            return self.insert(computing(op, (value,), target)).result
        if isinstance(source, AnyFloat) and isinstance(type, AnyFloat):
            wider = type.bitwidth > source.bitwidth
            op = arith.ExtFOp if wider else arith.TruncFOp
            return self.insert(computing(op, (value,), type)).result
        raise PassFailedException(f"lower-lattices: no conversion from {source} to {type}")


_KNOWN: Mapping[str, Callable[[int, int], int]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "min": min,
    "max": max,
}
"""What constants of type index fold by at once; xDSL has no folder for the last two."""


def _folded(compute: Callable[[int, int], int], a: SSAValue, b: SSAValue) -> int | None:
    x, y = constant_index(a), constant_index(b)
    return None if x is None or y is None else compute(x, y)


def constant_index(value: SSAValue) -> int | None:
    """The number that a value of type index always is, if it is a constant."""
    owner = value.owner
    if value.type != INDEX or not isinstance(owner, arith.ConstantOp):
        return None
    attribute = owner.value
    return attribute.value.data if isinstance(attribute, IntegerAttr) else None


def number_attribute(value: Number, type: Attribute) -> IntegerAttr | FloatAttr:
    """
    `value` as a constant of an integer, index or float type; infinities clamp to integers' limits.
    """
    if isinstance(type, IndexType):
        return IntegerAttr(int(value.real), INDEX)
    if isinstance(type, IntegerType):
        bits = type.bitwidth
        low, high = (0, 1) if bits == 1 else (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
        if isinstance(value, float) and math.isinf(value):
            value = high if value > 0 else low
        clamped = int(value.real)
        return IntegerAttr(-1 if bits == 1 and clamped else clamped, cast("IntegerType", type))
    assert isinstance(type, AnyFloat)
    return FloatAttr(float(value.real), type)


def as_complex(value: Number) -> complex:
    """Any number as a complex one."""
    return complex(value)


def part_type(type: Attribute) -> AnyFloat:
    """The type of the real and imaginary parts of a complex type."""
    part: Attribute = cast("ComplexType[AnyFloat]", type).element_type
    assert isinstance(part, AnyFloat)
    return part
