"""
Level expressions as index arithmetic, and counters.

Values are those of `tamale.dialects.format.expressions`: `/` rounds down and `%` has the sign of
its divisor. Powers of two become shifts and masks, which do so anyway; what is provably not
negative divides as C does; only the rest pays for rounding.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from types import MappingProxyType

from xdsl.dialects import arith, memref
from xdsl.ir import Attribute, Operation, SSAValue

from tamale.dialects.format.bits import is_power
from tamale.dialects.format.expressions import (
    Binary,
    Const,
    Counter,
    Expr,
    Let,
    Operator,
    Var,
)
from tamale.dialects.format.folding import DIMENSION, add
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.emit.upstream import computing, element_type

NO_COUNTERS: Mapping[Counter, SSAValue] = MappingProxyType({})


def emit_level_expression(
    emit: Emitter,
    expr: Expr,
    values: Mapping[str, SSAValue],
    *,
    nonnegative: Collection[str] = (),
    counters: Mapping[Counter, SSAValue] = NO_COUNTERS,
) -> SSAValue:
    """
    The value of `expr`, of type index; equal subterms are computed once.

    Args:
        emit: where the arithmetic goes.
        expr: a level expression.
        values: what its variables stand for, dimension sizes `dim_i` among them.
        nonnegative: the variables that are known not to be negative, beside dimension sizes.
        counters: what its counters stand for.
    """
    signs = {name: name in nonnegative for name in values}
    return _Emission(emit, counters).value(expr, _Scope(values, signs))


@dataclass(frozen=True)
class _Scope:
    """What variables stand for, and whether each is known not to be negative."""

    values: Mapping[str, SSAValue]
    signs: Mapping[str, bool]

    def binding(self, name: str, value: SSAValue, *, nonnegative: bool) -> _Scope:
        return _Scope({**self.values, name: value}, {**self.signs, name: nonnegative})


@dataclass(frozen=True)
class _Emission:
    """Emits one expression."""

    emit: Emitter
    counters: Mapping[Counter, SSAValue]
    known: dict[tuple[Operator, SSAValue, SSAValue], SSAValue] = field(
        default_factory=dict[tuple[Operator, SSAValue, SSAValue], SSAValue]
    )

    def value(self, expr: Expr, scope: _Scope) -> SSAValue:
        match expr:
            case Var(name):
                return scope.values[name]
            case Const(value):
                return self.emit.constant(value)
            case Counter():
                return self.counters[expr]
            case Binary():
                return self._binary(expr, scope)
            case Let(name, value, body):
                bound = self.value(value, scope)
                if bound.name_hint is None:
                    bound.name_hint = name
                sign = is_nonnegative(value, scope.signs)
                return self.value(body, scope.binding(name, bound, nonnegative=sign))

    def _binary(self, expr: Binary, scope: _Scope) -> SSAValue:
        match expr:
            case Binary("&", x, Binary(">>", y, Const(63))) if x == y:
                return self.emit.min(self.value(x, scope), self.emit.constant(0))
            case Binary("+", Binary("/", x, Const(c)), Const(n)) if c > 0:
                # Whole multiples pass through a division that rounds down: (d - 1) / 3 + 1 is
                # (d + 2) / 3, which can be seen not to be negative.
                return self.value(Binary("/", add(x, Const(n * c)), Const(c)), scope)
            case _:
                pass
        lhs, rhs = self.value(expr.lhs, scope), self.value(expr.rhs, scope)
        key = expr.op, lhs, rhs
        if key not in self.known:
            self.known[key] = self._operate(expr, lhs, rhs, scope)
        return self.known[key]

    def _operate(self, expr: Binary, lhs: SSAValue, rhs: SSAValue, scope: _Scope) -> SSAValue:
        if expr.op not in ("/", "%"):
            return self._op(_PLAIN[expr.op], lhs, rhs)
        divisor = expr.rhs.value if isinstance(expr.rhs, Const) else 0
        if is_power(divisor):
            return self._by_power(expr.op, lhs, divisor)
        if is_nonnegative(expr.lhs, scope.signs) and is_nonnegative(expr.rhs, scope.signs):
            return self._op(arith.DivSIOp if expr.op == "/" else arith.RemSIOp, lhs, rhs)
        quotient = self._op(arith.FloorDivSIOp, lhs, rhs)
        if expr.op == "/":
            return quotient
        return self.emit.sub(lhs, self.emit.mul(quotient, rhs))

    def _by_power(self, op: Operator, lhs: SSAValue, divisor: int) -> SSAValue:
        """Shifts round down and masks give remainders, for negative numbers too."""
        if op == "%":
            return self._op(arith.AndIOp, lhs, self.emit.constant(divisor - 1))
        shift = divisor.bit_length() - 1
        return self._op(arith.ShRSIOp, lhs, self.emit.constant(shift)) if shift else lhs

    def _op(self, op_class: type[Operation], lhs: SSAValue, rhs: SSAValue) -> SSAValue:
        return self.emit.insert(computing(op_class, (lhs, rhs), INDEX)).results[0]


_PLAIN: Mapping[Operator, type[Operation]] = {
    "|": arith.OrIOp,
    "^": arith.XOrIOp,
    "&": arith.AndIOp,
    "<<": arith.ShLIOp,
    ">>": arith.ShRSIOp,
    "+": arith.AddiOp,
    "-": arith.SubiOp,
    "*": arith.MuliOp,
}


def is_nonnegative(expr: Expr, signs: Mapping[str, bool]) -> bool:
    """
    Whether `expr` is surely not negative; `signs` tells which variables are not.

    >>> is_nonnegative(Binary("&", Var("d"), Const(3)), {"d": False})
    True
    """
    match expr:
        case Var(name):
            return name.startswith(DIMENSION) or signs[name]
        case Const(value):
            return value >= 0
        case Counter():
            return True
        case Binary("-", _, _):
            return False
        case Binary("<<" | ">>", lhs, _):
            return is_nonnegative(lhs, signs)
        case Binary("%", _, rhs):
            return is_nonnegative(rhs, signs)
        case Binary("&", lhs, rhs):
            return is_nonnegative(lhs, signs) or is_nonnegative(rhs, signs)
        case Binary(_, lhs, rhs):
            return is_nonnegative(lhs, signs) and is_nonnegative(rhs, signs)
        case Let(name, value, body):
            return is_nonnegative(body, {**signs, name: is_nonnegative(value, signs)})


@dataclass(frozen=True)
class Extent:
    """The values that a variable takes: from `low` on, `size` many."""

    low: SSAValue | None
    """None: from 0."""
    size: SSAValue


@dataclass(frozen=True)
class CounterState:
    """
    How often a counter was reached: one number, or one for each value of its variables.

    The number does where nothing else than the loops of the counter's variables lies around the
    place where `scalar` is called: what it emits there starts the count anew each time.
    """

    memory: SSAValue
    extents: Sequence[Extent] = ()
    start: SSAValue | None = None
    """Where the counts begin in `memory`; None: with its first element."""

    @staticmethod
    def scalar(emit: Emitter, hint: str, count: SSAValue | None = None) -> CounterState:
        """Starts a count here, from 0 or from another number."""
        return CounterState(emit.variable(INDEX, hint, count or emit.constant(0)))

    @staticmethod
    def array(
        emit: Emitter, extents: Sequence[Extent], hint: str, element: Attribute
    ) -> CounterState:
        """Starts a count for each value of the variables; `release` frees it."""
        count = emit.max(counts_of(emit, extents), emit.constant(1))
        memory = emit.allocate(element, count, hint)
        with emit.loop(emit.constant(0), count, "p") as p:
            emit.store(emit.constant(0, element), memory, p)
        return CounterState(memory, tuple(extents))

    def next(self, emit: Emitter, coordinates: Sequence[SSAValue] = ()) -> SSAValue:
        """How often this was reached before, for these values of the variables."""
        place = place_of(emit, self.extents, coordinates) if self.extents else None
        if self.start is not None:
            place = self.start if place is None else emit.add(self.start, place)
        count = emit.as_index(emit.load(self.memory, place))
        after = emit.add(count, emit.constant(1))
        emit.store(emit.cast(after, element_type(self.memory)), self.memory, place)
        return count

    def release(self, emit: Emitter) -> None:
        """Frees what `array` made; nothing counts any more."""
        if self.extents:
            emit.insert(memref.DeallocOp.get(self.memory))


def counts_of(emit: Emitter, extents: Sequence[Extent]) -> SSAValue:
    """How many counts there are, one for each value of a counter's variables."""
    sizes = [extent.size for extent in extents]
    return reduce(emit.mul, sizes) if sizes else emit.constant(1)


def place_of(
    emit: Emitter, extents: Sequence[Extent], coordinates: Sequence[SSAValue]
) -> SSAValue:
    """Which of the counts is that of these values of the variables."""
    place: SSAValue | None = None
    for extent, coordinate in zip(extents, coordinates, strict=True):
        shifted = coordinate if extent.low is None else emit.sub(coordinate, extent.low)
        row = None if place is None else emit.mul(place, extent.size)
        place = shifted if row is None else emit.add(row, shifted)
    return emit.constant(0) if place is None else place
