"""Nests of loops, written anew with a tile of the row in registers."""

from __future__ import annotations

from contextlib import AbstractContextManager

from xdsl.dialects import arith, func, scf
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from tamale.dialects.memref import PrefetchOp
from tamale.dialects.walking import walk_ops
from tamale.passes.emit.arithmetic import INDEX, constant_index
from tamale.passes.emit.tiles import Tiles
from tamale.passes.emit.upstream import counting, element_type, loading, storing, yielding
from tamale.passes.tile_accumulators.clearing import Clearing, clearing_of
from tamale.passes.tile_accumulators.nests import Nest, is_hint


class Tiling:
    """Tiles the nests of one function."""

    def __init__(self, function: func.FuncOp, elements: int, longest: int) -> None:
        self.tiles = Tiles(function, longest)
        self.emit, self.longest = self.tiles.emit, longest
        self.sizes = {elements: "in_tiles", elements // 2: "in_halves"}

    def apply(self, nest: Nest) -> None:
        """Whole tiles, and half a one, come before the nest, which keeps what is left of rows."""
        steps = constant_index(nest.elements.ub)
        if steps is not None and not min(self.sizes) <= steps <= self.longest:
            return
        clearing, begin = clearing_of(nest), self.emit.constant(0)
        for size, hint in self.sizes.items():
            end = self.tiles.end(nest.elements.ub, size, nest.outer, hint)
            with self.emit.at(InsertPoint.before(nest.outer), nest.outer):
                self._tiles(nest, clearing, begin, end, size)
            begin = end
        self._keep_rest(nest, clearing, begin)

    # Tiles

    def _tiles(
        self, nest: Nest, clearing: Clearing | None, begin: SSAValue, end: SSAValue, size: int
    ) -> None:
        """The nest for each tile from `begin` to `end`: loaded or cleared before, stored after."""
        emit = self.emit
        type = element_type(nest.store.memref)
        tile = self.tiles.room(type, size, nest.outer, "tile")
        block = Block(arg_types=[INDEX])
        (first,) = block.args
        first.name_hint = f"{nest.element.name_hint or 'r'}_tile"
        emit.insert(counting(begin, end, emit.constant(size), block))
        with emit.at(InsertPoint.at_end(block)):
            with self._elements(size) as t:
                if clearing is None:
                    start = emit.load(*self._place(nest, emit.add(first, t)))
                else:
                    start = clearing.value
                emit.store(start, tile, t)
            self._add_to(nest, tile, first, size)
            with self._elements(size) as t:
                emit.store(emit.load(tile, t), *self._place(nest, emit.add(first, t)))
            emit.insert(yielding())

    def _elements(self, size: int) -> AbstractContextManager[SSAValue]:
        return self.emit.loop(self.emit.constant(0), self.emit.constant(size), "t")

    def _place(self, nest: Nest, element: SSAValue) -> tuple[SSAValue, SSAValue]:
        """The array that the row is in, and the place of an element."""
        meant = {nest.element: element}
        for op in nest.place:
            clone = self.emit.insert(op.clone(meant))
            clone.results[0].name_hint = op.results[0].name_hint
        row, place = nest.store.memref, nest.store.indices[0]
        return meant.get(row, row), meant.get(place, place)

    def _add_to(self, nest: Nest, tile: SSAValue, first: SSAValue, size: int) -> None:
        """A copy of the nest that adds to a tile, and does nothing else."""
        copy = self.emit.insert(nest.outer.clone())
        twins = dict(zip(walk_ops(nest.outer), walk_ops(copy), strict=True))
        for op, twin in twins.items():
            for result, original in zip(twin.results, op.results, strict=True):
                result.name_hint = original.name_hint
        elements = twins[nest.elements]
        assert isinstance(elements, scf.ForOp)
        self._aim(elements, first, size)
        (t,) = elements.body.block.args
        before, store = twins[nest.before], twins[nest.store]
        Rewriter.replace_op(before, loading(tile, [t]))
        Rewriter.replace_op(store, storing(store.operands[0], tile, [t]), [])
        for loop in nest.loops:
            for op in reversed(loop.body.block.ops):
                if is_hint(op):
                    self._narrow(twins[op], copy, first, size)
                elif op not in nest.kept:
                    Rewriter.erase_op(twins[op])

    def _aim(self, elements: scf.ForOp, first: SSAValue, size: int) -> None:
        """Makes a loop over the elements of a row one over those of a tile."""
        block = elements.body.block
        (element,) = block.args
        t = block.insert_arg(INDEX, 0)
        t.name_hint = "t"
        with self.emit.at(InsertPoint.at_start(block), elements):
            moved = self.emit.add(first, t)
        moved.name_hint = element.name_hint
        element.replace_all_uses_with(moved)
        block.erase_arg(element)
        elements.operands[1] = self.emit.constant(size)

    def _narrow(
        self, hint: Operation, around: Operation, first: SSAValue, size: int | None = None
    ) -> None:
        """Asks for no more of a row than the lines from an element on, as many as a tile has."""
        emit = self.emit
        for loop in walk_ops(hint):
            bits = _bits_of_line(loop)
            if bits is None:
                continue
            with emit.at(InsertPoint.before(around), loop):
                low = emit.named(emit.binary("shr", first, emit.constant(bits)), "line_begin")
                loop.operands[0] = low
                if size is not None:
                    end = emit.add(low, emit.constant(max(size >> bits, 1)))
                    loop.operands[1] = emit.named(emit.min(loop.operands[1], end), "line_end")

    # What is left

    def _keep_rest(self, nest: Nest, clearing: Clearing | None, begin: SSAValue) -> None:
        """The nest as it was, from an element on; not at all, if none is left to do."""
        emit, outer = self.emit, nest.outer
        if clearing is not None:
            clearing.loop.operands[0] = begin
        nest.elements.operands[0] = begin
        for loop in nest.loops:
            for hint in filter(is_hint, list(loop.body.block.ops)):
                self._narrow(hint, outer, begin)
        if nest.does_more:
            return
        with emit.at(InsertPoint.before(outer), outer):
            is_left = emit.compare("slt", begin, nest.elements.ub)
            with emit.when(is_left):
                outer.detach()
                emit.insert(outer)


def _bits_of_line(loop: Operation) -> int | None:
    """Of a loop that asks for the lines of a row, one by one: the logarithm of their elements."""
    if not isinstance(loop, scf.ForOp) or constant_index(loop.lb) != 0:
        return None
    block = loop.body.block
    asks = any(isinstance(op, PrefetchOp) for op in block.ops)
    for op in block.ops:
        if asks and isinstance(op, arith.MuliOp) and op.lhs is block.args[0]:
            elements = constant_index(op.rhs) or 0
            return elements.bit_length() - 1 if elements.bit_count() == 1 else None
    return None
