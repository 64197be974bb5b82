"""`insert-prefetches`: what is looked at ahead is there, and nothing else changes."""

from importlib import import_module
from typing import Any

import numpy as np
import pytest

import tamale as tm
from tamale.dialects.format.named import resolve_format
from tamale.dialects.memref import PrefetchOp
from tamale.interpreters.checking import PassChecker
from tamale.interpreters.counting import WorkCounter
from tamale.interpreters.running import ResultType, run_function
from tamale.passes import Pipeline
from tamale.passes.insert_prefetches import InsertPrefetchesPass
from tamale.passes.pipelines import TABLE

sparse: Any = import_module("scipy.sparse")

DENSE = resolve_format("dense", 2)
SPMM = "Y(i,k) = A(i,j) * X(j,k)"
"""One row of X for each entry of A."""
KERNELS = {
    SPMM: {"A": "csr"},
    "Z(i,j) = A(i,j) * U(i,k) * V(j,k)": {"A": "csr", "Z": "csr"},
    "Y(i,r) = T(i,j,k) * U(j,r) * V(k,r)": {"T": "csf"},
    "Y(i) = A(i,j) * T(j,k,l)": {"A": "csr"},
}


def road(options: str) -> str:
    """All passes, this one with options."""
    return ",".join(
        f"{name}{{{options}}}" if name == "insert-prefetches" else name
        for name in TABLE.expand("compute")
    )


@pytest.mark.parametrize("statement", KERNELS)
@pytest.mark.parametrize("samples", [0, 3])
def test_later_rows_are_inside_of_their_arrays(statement: str, samples: int):
    """The interpreter checks the bounds of every load, on tensors of all shapes."""
    module = tm.parse(statement, **KERNELS[statement])
    checker = PassChecker(module)
    Pipeline(road(f"least=0 samples={samples} cached=0")).run(module)
    assert (difference := checker.after("insert-prefetches", module)) is None, str(difference)
    assert any(isinstance(op, PrefetchOp) for op in module.walk())


BY_CHANCE = sparse.random_array((60, 900), density=0.01, rng=np.random.default_rng(7))
DIAGONALS = sparse.diags_array(np.ones(3), offsets=[0, 200, 400], shape=(60, 900))


@pytest.mark.parametrize(
    "given, cached, asks", [(BY_CHANCE, 0, True), (DIAGONALS, 0, False), (BY_CHANCE, 18000, False)]
)
def test_asks_for_rows_that_are_far_and_not_in_the_cache(given: Any, cached: int, asks: bool):
    """A row of 20 values takes three lines; there are 900 of them."""
    module, work = tm.parse(SPMM, A="csr"), WorkCounter()
    Pipeline(road(f"least=0 samples=32 cached={cached}")).run(module)
    result = ResultType(DENSE, np.dtype(np.float64))
    X = tm.tensor(np.random.default_rng(3).random((900, 20)))
    operands = [tm.tensor(given.tocsr()), X]
    run_function(module, operands, result, shape=(60, 20), listeners=[work])
    assert work.ops["memref.prefetch"] == (3 * given.nnz if asks else 0)


@pytest.mark.parametrize("dtype", ["float64", "complex128"])
def test_many_entries(dtype: str):
    """So many that compiled code decides to look ahead; more lines than are asked for at most."""
    random = np.random.default_rng(5)
    given: Any = sparse.random_array((3000, 500), density=0.05, rng=random).tocsr()
    count: int = given.nnz
    given.data = random.integers(-3, 3, count).astype(dtype)
    assert count > InsertPrefetchesPass.least
    X = random.integers(-3, 3, (500, 300)).astype(dtype)
    assert X.size > InsertPrefetchesPass.cached
    Y = tm.evaluate(SPMM, A=given, X=X)
    assert np.array_equal(np.asarray(Y), given @ X)
