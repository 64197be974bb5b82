"""
Each worker of a conversion walks an equal part of the entries, whatever the tensor looks like.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from skewed import SQUARE, third_order
from xdsl.dialects import func
from xdsl.dialects.builtin import FunctionType, ModuleOp
from xdsl.ir import Block, Region
from xdsl.rewriter import InsertPoint

import tamale as tm
from tamale.backends.cpp.printer import print_cpp
from tamale.backends.jit.build import Build
from tamale.backends.jit.library import pointer
from tamale.backends.jit.native import native_kernel
from tamale.frontend.building import tensor_type
from tamale.frontend.signature import array_types
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.emit.upstream import array_type
from tamale.passes.lowering.entries import EntryWalk
from tamale.passes.lowering.entry_shares import find_entry_shares
from tamale.passes.pipeline import Pipeline

HYBRID = "(i, j, k) -> (i : dense, j : compressed, k : compressed)"
FORMATS = ("csr", "dcsr", "coo", "csc", "dia", "ell", "bcsr(2,2)", "sell(4)", "dense", "skyline")
WORKERS = (1, 2, 5, 17)
TENSORS = 90
Walks = Callable[[tm.Tensor], tuple[list[int], list[int]]]


def walks_of(text: str, order: int, workers: int) -> Walks:
    """What each worker walks: how many positions, and which, one worker after the other."""
    format = tm.resolve_format(text, order)
    block = Block(arg_types=[array_type(INDEX), tensor_type(format, "float64")])
    out, A = block.args
    A.name_hint, out.name_hint = "A", "out"
    emit = Emitter(InsertPoint.at_end(block), block)
    shares = find_entry_shares(emit, A, format, "A", workers, emit.constant(workers))
    one, walked = emit.constant(1), emit.variable(INDEX, "walked", emit.constant(workers))
    with emit.loop(emit.constant(0), emit.constant(workers), "worker") as worker:
        before = emit.load(walked)
        walk = EntryWalk(emit, A, format, "A", shares.of(worker))
        with walk.loops(len(format.levels)) as (_, position):
            emit.store(position, out, emit.load(walked))
            emit.store(emit.add(emit.load(walked), one), walked)
        emit.store(emit.sub(emit.load(walked), before), out, worker)
    emit.insert(func.ReturnOp())
    function = func.FuncOp("walks", FunctionType.from_lists(block.arg_types, []), Region(block))
    module = ModuleOp([function])
    Pipeline("lower-levels,simplify").run(module)
    parameters = ["int64_t *", *array_types(format, "float64", "const {} *")]
    key = ("entry shares", str(format), str(workers))
    native = native_kernel(key, lambda: Build(print_cpp(module), {}), "walks", parameters)

    def run(tensor: tm.Tensor) -> tuple[list[int], list[int]]:
        found = np.full(workers + tensor.vals.size, -1, np.int64)
        status = native.call(pointer(found, "int64_t *", writable=True), *tensor.arguments)
        assert status == 0
        return found[:workers].tolist(), found[workers:].tolist()

    return run


def skewed(random: np.random.Generator) -> NDArray[Any]:
    """Rows and columns of very different lengths, sometimes none."""
    shape = tuple(random.integers(0, 12, 2))
    rows, columns = random.random((shape[0], 1)) ** 6, random.random((1, shape[1])) ** 2
    return np.tril(random.random(shape) < 3 * rows * columns) * 1.0


@pytest.mark.parametrize("workers", WORKERS)
@pytest.mark.parametrize("format", FORMATS)
def test_matrices(format: str, workers: int):
    walks, random = walks_of(format, 2, workers), np.random.default_rng(workers)
    arrays = [*map(np.tril, SQUARE.values()), *(skewed(random) for _ in range(TENSORS))]
    for array in arrays:
        check(walks, tm.tensor(array, format), workers)


@pytest.mark.parametrize("workers", WORKERS)
@pytest.mark.parametrize("format", ["csf", "coo", HYBRID])
def test_tensors_of_order_three(format: str, workers: int):
    walks = walks_of(format, 3, workers)
    for array in third_order().values():
        check(walks, tm.tensor(array, format), workers)


def check(walks: Walks, tensor: tm.Tensor, workers: int) -> None:
    """Equal numbers of stored values, each once and in order; some padding is not walked."""
    counts, positions = walks(tensor)
    walked = [p for p in positions if p >= 0]
    assert sum(counts) == len(walked)
    assert walked == sorted(set(walked))
    begins = [len(positions) * worker // workers for worker in range(workers + 1)]
    inside = [sum(a <= p < b for p in walked) for a, b in zip(begins, begins[1:], strict=False)]
    assert counts == inside
    assert max(counts) <= -(-len(positions) // workers)
