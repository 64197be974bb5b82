"""
Variables bound to expressions: their values, and the counts of their counters.

A count is one number where the loops around the let run over the counter's own variables first,
each coordinate once: it starts anew right inside them. Otherwise it is an array, a count for each
value of the variables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Block, Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects import cfir
from tamale.dialects.cin.sets import leaves
from tamale.dialects.format.expressions import Binary, Const, Counter, Var, counters, to_text
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.lowering.coordinates import (
    CounterState,
    Extent,
    emit_level_expression,
    is_nonnegative,
)
from tamale.passes.lowering.scope import KernelContext, Scope
from tamale.passes.lowering.universes import dimension_sizes, universe


@dataclass(frozen=True)
class Counting:
    """One counter of one let, and the ops around it from the outside in, itself included."""

    let: cfir.LetOp
    counter: Counter
    path: tuple[Operation, ...]

    def start(self, kernel: KernelContext) -> Operation | None:
        """The op around the let before which a single count starts; None if an array is needed."""
        wanted, bound = set(self.counter.variables), set[str]()
        for op in self.path:
            if wanted <= bound:
                return op
            if isinstance(op, cfir.LatticeOp):
                if op.index_var.data not in wanted or not _visits_once(op, kernel):
                    return None
            bound |= _binds(op)
        return None


def _binds(op: Operation) -> set[str]:
    return {op.index_var.data} if isinstance(op, cfir.LatticeOp | cfir.LetOp) else set()


def _visits_once(op: cfir.LatticeOp, kernel: KernelContext) -> bool:
    """Whether a lattice's loops come to no coordinate twice."""
    return all(
        kernel.formats[leaf.access].properties(kernel.level(leaf)).unique
        for leaf in leaves(op.domain.data)
    )


def _counters(block: Block, path: tuple[Operation, ...]) -> Iterator[Counting]:
    """Every counter of every let in `block`."""
    for op in block.ops:
        inside = (*path, op)
        if isinstance(op, cfir.LetOp):
            for counter in sorted(counters(op.value.data), key=to_text):
                yield Counting(op, counter, inside)
        for region in op.regions:
            yield from _counters(region.block, inside)


@dataclass(frozen=True)
class Counters:
    """The counters of a kernel while it is being lowered."""

    kernel: KernelContext
    scalars: dict[Operation, list[Counting]] = field(
        default_factory=dict[Operation, list[Counting]]
    )
    """Op -> the counts that start right before it."""
    states: dict[tuple[cfir.LetOp, Counter], CounterState] = field(
        default_factory=dict[tuple[cfir.LetOp, Counter], CounterState]
    )

    @staticmethod
    def of(kernel: KernelContext, body: Block) -> Counters:
        """Finds the counters in `body`; emits the arrays that they need."""
        result = Counters(kernel)
        for counting in _counters(body, ()):
            _refuse_merges(counting)
            start = counting.start(kernel)
            if start is not None:
                result.scalars.setdefault(start, []).append(counting)
            else:
                key = counting.let, counting.counter
                result.states[key] = result._array(counting)
        return result

    def start_before(self, op: Operation) -> None:
        """Emits the counts that start right before `op`."""
        for counting in self.scalars.get(op, ()):
            hint = f"{counting.let.index_var.data}_count"
            state = CounterState.scalar(self.kernel.emit, hint)
            self.states[counting.let, counting.counter] = state

    def _array(self, counting: Counting) -> CounterState:
        extents = [self._extent(name, counting.path) for name in counting.counter.variables]
        hint = f"{counting.let.index_var.data}_counts"
        return CounterState.array(self.kernel.emit, extents, hint, INDEX)

    def _extent(self, variable: str, path: Sequence[Operation]) -> Extent:
        for op in path:
            if isinstance(op, cfir.LetOp) and op.index_var.data == variable and op.bound:
                sizes = dimension_sizes(self.kernel, op.bound)
                return Extent(None, emit_level_expression(self.kernel.emit, op.bound, sizes))
        return universe(self.kernel, variable)

    def value(self, op: cfir.LetOp, scope: Scope) -> SSAValue:
        """The value that a let binds at this point; counts go on."""
        emit, expression = self.kernel.emit, op.value.data
        counts = {
            counter: self.states[op, counter].next(emit, self._indices(op, counter, scope))
            for counter in sorted(counters(expression), key=to_text)
        }
        values = {**scope.coordinates, **dimension_sizes(self.kernel, expression)}
        value = emit_level_expression(
            emit, expression, values, nonnegative=scope.nonnegative, counters=counts
        )
        named = value.name_hint is not None and value.name_hint not in scope.coordinates
        if not named and not isinstance(expression, Var):
            value.name_hint = op.index_var.data
        return value

    def _indices(self, op: cfir.LetOp, counter: Counter, scope: Scope) -> list[SSAValue]:
        if not self.states[op, counter].extents:
            return []
        return [scope.coordinates[name] for name in counter.variables]

    def inside(self, op: cfir.LetOp, value: SSAValue, scope: Scope) -> SSAValue | None:
        """Whether the value is one that the let's body runs for; None if it surely is."""
        if op.within is None:
            return None
        emit, bound = self.kernel.emit, op.within.data
        if bound == Const(1):
            return self._is_zero(op, value, scope)
        values = {**scope.coordinates, **dimension_sizes(self.kernel, bound)}
        limit = emit_level_expression(emit, bound, values, nonnegative=scope.nonnegative)
        condition = emit.compare("slt", value, limit)
        if is_nonnegative_let(op, scope):
            return condition
        return emit.and_(emit.compare("sge", value, emit.constant(0)), condition)

    def _is_zero(self, op: cfir.LetOp, value: SSAValue, scope: Scope) -> SSAValue:
        """Whether the value is 0; of a difference, whether its sides are equal."""
        emit = self.kernel.emit
        match op.value.data:
            case Binary("-", lhs, rhs) as difference if not counters(difference):
                values = {**scope.coordinates, **dimension_sizes(self.kernel, difference)}
                sides = (
                    emit_level_expression(emit, side, values, nonnegative=scope.nonnegative)
                    for side in (lhs, rhs)
                )
                return emit.compare("eq", *sides)
            case _:
                return emit.compare("eq", value, emit.constant(0))

    def release(self) -> None:
        """Frees all arrays."""
        for state in self.states.values():
            state.release(self.kernel.emit)


def is_nonnegative_let(op: cfir.LetOp, scope: Scope) -> bool:
    """Whether a let's value cannot be negative, whatever its bound says."""
    signs = dict.fromkeys(scope.coordinates, False) | dict.fromkeys(scope.nonnegative, True)
    return is_nonnegative(op.value.data, signs)


def _refuse_merges(counting: Counting) -> None:
    """Cases of a merge have bodies of their own, each of which would count for itself."""
    for op in counting.path:
        if isinstance(op, cfir.LatticeOp) and len(op.guards) > 1:
            text, variable = to_text(counting.counter), op.index_var.data
            raise PassFailedException(
                f"lower-lattices: '{text}' counts the entries of one operand, but the loop of "
                f"'{variable}' visits several at once\n"
                "  help: convert the operands to one format first"
            )
