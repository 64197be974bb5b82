"""
Partial results: what a worker computes of places that an earlier worker began.

Where the loops that are cut go below those of the result's coordinates, several workers may meet
in one place, or in the places below one coordinate. All but the first write to rows of their own;
when all are done, an associative operator combines these in order, so that the result is the same
each time.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects.cfir.storage import LoadOp, StoreOp
from tamale.dialects.cin.partition import Partition
from tamale.dialects.notation.ast import to_text
from tamale.dialects.operators import Operator, operator_named
from tamale.passes.algebra.combining import own_variables
from tamale.passes.lowering.assembling import Assembler
from tamale.passes.lowering.boundaries import Boundaries
from tamale.passes.lowering.scope import KernelContext, Scope
from tamale.passes.lowering.spans import NOWHERE, SURELY
from tamale.passes.lowering.universes import universe_size


@dataclass(frozen=True)
class Partials:
    """The partial results of all workers but the first."""

    kernel: KernelContext
    own: tuple[str, ...]
    """The loops that are cut first: of coordinates of the result."""
    operator: Operator
    values: SSAValue
    """A row per worker, its columns the places below one coordinate of each loop in `own`."""
    sizes: Sequence[SSAValue]
    """Of the result's other modes."""

    @property
    def rest(self) -> tuple[str, ...]:
        return _rest(self.kernel, self.own)

    def begun(self, scope: Scope) -> SSAValue | None:
        """Whether another worker began what lies inside; None where it is not the time to ask."""
        span, emit = scope.span, self.kernel.emit
        if span is None or scope.partial is not None or span.depth != len(self.own):
            return None
        if not self.own:
            return emit.compare("ne", span.worker, emit.constant(0))
        return span.at_begin.told

    def chosen(self, scope: Scope, *, partial: bool) -> Scope:
        """The scope where another worker began what lies inside, or where none did."""
        span = scope.span
        if span is not None and self.own:
            span = replace(span, at_begin=SURELY if partial else NOWHERE)
        return replace(scope, partial=partial, span=span)

    def position(self, scope: Scope, worker: SSAValue) -> SSAValue:
        """Where a worker's own value of a place of the result is."""
        emit = self.kernel.emit
        position = emit.sub(worker, emit.constant(1))
        for variable, size in zip(self.rest, self.sizes, strict=True):
            position = emit.add(emit.mul(position, size), scope.coordinates[variable])
        return position

    def update(self, operator: str | None, value: SSAValue, scope: Scope) -> None:
        """Writes a value to a worker's own place, combined with the old one by an operator."""
        assert scope.span is not None
        emit, position = self.kernel.emit, self.position(scope, scope.span.worker)
        if operator is not None:
            old = emit.load(self.values, position)
            value = operator_named(operator).emit(emit, old, value)
        emit.store(value, self.values, position)

    def combine(self, assembler: Assembler, boundaries: Boundaries, workers: int) -> None:
        """Adds the rows to the result, one worker after the other."""
        emit = self.kernel.emit
        first, last = emit.constant(1), emit.constant(workers)
        with emit.loop(first, last, "worker") as worker:
            begin = boundaries.read(worker, "first")
            if not self.own:
                self._combine_row(assembler, Scope(self.kernel), worker)
                return
            shared = emit.compare("ne", begin.inside[len(self.own) - 1], emit.constant(0))
            for flag in begin.inside[: len(self.own) - 1]:
                shared = emit.and_(shared, emit.compare("ne", flag, emit.constant(0)))
            with emit.when(shared):
                scope = Scope(self.kernel)
                for variable, coordinate in zip(self.own, begin.coordinates, strict=False):
                    scope = scope.at(variable, coordinate, nonnegative=True)
                self._combine_row(assembler, scope, worker)

    def _combine_row(self, assembler: Assembler, scope: Scope, worker: SSAValue) -> None:
        emit = self.kernel.emit
        with self._places(scope, self.rest) as place:
            partial = emit.load(self.values, self.position(place, worker))
            position = assembler.dense_position(place, len(assembler.variables))
            old = emit.insert(LoadOp(assembler.result, position)).value
            value = self.operator.emit(emit, old, partial)
            emit.insert(StoreOp(value, assembler.result, position))

    @contextmanager
    def _places(self, scope: Scope, variables: tuple[str, ...]) -> Generator[Scope]:
        """Loops over all coordinates of `variables`."""
        if not variables:
            yield scope
            return
        emit, (variable, *inner) = self.kernel.emit, variables
        with emit.loop(emit.constant(0), universe_size(self.kernel, variable), variable) as c:
            inside = scope.at(variable, c, nonnegative=True)
            with self._places(inside, tuple(inner)) as place:
                yield place


def open_partials(kernel: KernelContext, partition: Partition) -> Partials | None:
    """The partial results that a partition needs, at the start of the reduction; None if none."""
    emit, own = kernel.emit, own_variables(kernel.kernel, partition.variables)
    if own == partition.variables:
        return None
    if partition.combined is None:
        raise PassFailedException(
            "lower-lattices: workers that share the loops of "
            f"{', '.join(partition.variables)} meet in one place of {to_text(kernel.result)}, "
            "but nothing combines what they give\n"
            "  help: write 'combined by' and an operator"
        )
    operator = operator_named(partition.combined)
    sizes = [universe_size(kernel, variable) for variable in _rest(kernel, own)]
    count = emit.mul(_product(kernel, sizes), emit.constant(partition.parts - 1))
    room = emit.max(count, emit.constant(1))
    values = emit.allocate(kernel.element, room, f"{kernel.result.tensor}_partial")
    identity = operator.reduction_identity
    assert identity is not None, "verify_partition"
    start = emit.constant(identity, kernel.element)
    with emit.loop(emit.constant(0), count, "p") as p:
        emit.store(start, values, p)
    return Partials(kernel, own, operator, values, sizes)


def _rest(kernel: KernelContext, own: Sequence[str]) -> tuple[str, ...]:
    """The variables of the result whose coordinates the loops `own` leave open."""
    return tuple(variable for variable in kernel.result.indices if variable not in own)


def _product(kernel: KernelContext, sizes: Sequence[SSAValue]) -> SSAValue:
    product = kernel.emit.constant(1)
    for size in sizes:
        product = kernel.emit.mul(product, size)
    return product
