"""Loops over the elements of a row, written anew with a tile of sums inside."""

from __future__ import annotations

from xdsl.dialects import func, memref, scf
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from tamale.passes.emit.arithmetic import INDEX, constant_index
from tamale.passes.emit.tiles import Tiles
from tamale.passes.emit.upstream import counting, element_type, loading, storing, yielding
from tamale.passes.unroll_and_jam.nests import Nest


class Jamming:
    """Rewrites the nests of one function."""

    def __init__(self, function: func.FuncOp, elements: int) -> None:
        self.tiles = Tiles(function)
        sizes = {elements: "in_tiles", elements // 2: "in_halves", elements // 8: "in_eighths"}
        self.sizes = {size: hint for size, hint in sizes.items() if size > 1}

    def apply(self, nest: Nest) -> None:
        """Whole tiles, a half and eighths come before the loop, which keeps what is left of it."""
        emit, length = self.tiles.emit, nest.loop.ub
        steps, begin = constant_index(length), emit.constant(0)
        for size, hint in self.sizes.items():
            end = self.tiles.end(length, size, nest.loop, hint)
            with emit.at(InsertPoint.before(nest.loop), nest.loop):
                if end is not begin:
                    _Tile(self.tiles, nest, size).loop(begin, end)
            begin = end
        nest.loop.operands[0] = begin
        if steps is not None and constant_index(begin) == steps:
            Rewriter.erase_op(nest.loop)


class _Tile:
    """A copy of a nest that makes some elements at once."""

    def __init__(self, tiles: Tiles, nest: Nest, size: int) -> None:
        self.emit, self.nest, self.size = tiles.emit, nest, size
        self.tiles = {
            sum: tiles.room(element_type(sum), size, nest.loop, f"{sum.name_hint or 'sum'}_tile")
            for sum in nest.sums
        }

    def loop(self, begin: SSAValue, end: SSAValue) -> None:
        """The tiles from `begin` to `end`."""
        emit, body = self.emit, self.nest.loop.body.block
        block = Block(arg_types=[INDEX])
        (self.first,) = block.args
        self.first.name_hint = f"{self.nest.element.name_hint or 'r'}_tile"
        emit.insert(counting(begin, end, emit.constant(self.size), block))
        with emit.at(InsertPoint.at_end(block)):
            self._copy(body, {})
            emit.insert(yielding())

    def _copy(self, block: Block, meant: dict[SSAValue, SSAValue]) -> None:
        """The ops of a block: what all elements share once, what each has its own of for each."""
        stores = list[memref.StoreOp]()
        for op in block.ops:
            if isinstance(op, memref.StoreOp):
                stores.append(op)
            elif isinstance(op, scf.ForOp):
                self._for_each(stores, meant)
                stores = []
                self._copy_loop(op, meant)
            elif not isinstance(op, memref.AllocaOp | scf.YieldOp) and op not in self.nest.own:
                self._clone(op, meant)
        self._for_each(stores, meant)

    def _copy_loop(self, loop: scf.ForOp, meant: dict[SSAValue, SSAValue]) -> None:
        emit, inside = self.emit, Block(arg_types=[INDEX])
        (old,), (new,) = loop.body.block.args, inside.args
        meant[old], new.name_hint = new, old.name_hint
        low, high, step = (meant.get(bound, bound) for bound in loop.operands)
        emit.insert(counting(low, high, step, inside))
        with emit.at(InsertPoint.at_end(inside)):
            self._copy(loop.body.block, meant)
            emit.insert(yielding())

    def _for_each(self, stores: list[memref.StoreOp], meant: dict[SSAValue, SSAValue]) -> None:
        """What each element of the tile stores, one after the other."""
        if not stores:
            return
        emit = self.emit
        with emit.loop(emit.constant(0), emit.constant(self.size), "t") as t:
            element = emit.named(emit.add(self.first, t), self.nest.element.name_hint or "r")
            own = {**meant, self.nest.element: element}
            for op in self.nest.needed(stores):
                if isinstance(op, memref.StoreOp) and op.memref in self.tiles:
                    value = own.get(op.value, op.value)
                    emit.insert(storing(value, self.tiles[op.memref], [t]))
                elif isinstance(op, memref.LoadOp) and op.memref in self.tiles:
                    load = emit.insert(loading(self.tiles[op.memref], [t]))
                    own[op.results[0]] = _named_alike(load, op).results[0]
                else:
                    self._clone(op, own)

    def _clone(self, op: Operation, meant: dict[SSAValue, SSAValue]) -> None:
        _named_alike(self.emit.insert(op.clone(meant)), op)


def _named_alike(copy: Operation, op: Operation) -> Operation:
    for result, original in zip(copy.results, op.results, strict=True):
        result.name_hint = original.name_hint
    return copy
