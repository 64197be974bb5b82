"""`prefetch-scatters`: what is looked at ahead is there, and nothing else changes."""

from importlib import import_module
from typing import Any

import numpy as np
import pytest

import tamale as tm
from tamale.dialects.format.named import resolve_format
from tamale.dialects.memref import PrefetchOp
from tamale.frontend.conversion_stages import build_conversion
from tamale.interpreters.checking import PassChecker
from tamale.interpreters.counting import WorkCounter
from tamale.interpreters.running import ResultType, run_function
from tamale.passes import Pipeline
from tamale.passes.pipelines import TABLE
from tamale.passes.prefetch_scatters import PrefetchScattersPass

sparse: Any = import_module("scipy.sparse")



def road(options: str) -> str:
    """The road of conversions, its last pass with options."""
    return ",".join(
        f"{name}{{{options}}}" if name == "prefetch-scatters" else name
        for name in TABLE.expand("compute")
    )


PAIRS = ("csr csc", "coo csc", "ucoo csr", "dcsr csc", "csc ell", "csr jad", "coo jad")


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("samples", [0, 3])
def test_later_places_are_inside_of_their_arrays(pair: str, samples: int):
    """The interpreter checks the bounds of every load, on tensors of all shapes."""
    source, target = (resolve_format(name, 2) for name in pair.split())
    module = build_conversion(source, target, "float64")
    checker = PassChecker(module)
    Pipeline(road(f"distance=3 least=0 samples={samples}")).run(module)
    assert (difference := checker.after("prefetch-scatters", module)) is None, str(difference)
    assert any(isinstance(op, PrefetchOp) for op in module.walk())


SCATTERED = sparse.random_array((3000, 4000), density=0.01, rng=np.random.default_rng(7))
BY_CHANCE = sparse.random_array((60, 60), density=0.05, rng=np.random.default_rng(7))
THREE_DIAGONALS = sparse.diags_array(np.ones(3), offsets=[-10, 0, 10], shape=(60, 60))
MANY_DIAGONALS = sparse.diags_array(np.ones(9), offsets=range(-20, 25, 5), shape=(60, 60))


@pytest.mark.parametrize(
    "given, asks", [(BY_CHANCE, True), (THREE_DIAGONALS, False), (MANY_DIAGONALS, True)]
)
def test_asks_where_entries_are_far_from_those_before(given: Any, asks: bool):
    """A few diagonals are as many streams; more than the processor follows are not."""
    source, target = (resolve_format(name, 2) for name in ("csr", "csc"))
    module, work = build_conversion(source, target, "float64"), WorkCounter()
    Pipeline(road("least=0 samples=32")).run(module)
    result = ResultType(target, np.dtype(np.float64))
    operands = [tm.tensor(given.tocsr())]
    run_function(module, operands, result, shape=given.shape, listeners=[work])
    assert work.ops["memref.prefetch"] == (2 * given.nnz if asks else 0)


DIAGONALS = [-150, -1, 0, 1, 150]
STENCIL = sparse.diags_array(np.ones(5), offsets=DIAGONALS, shape=(20000, 20000))


@pytest.mark.parametrize("pair", ["csr csc", "ucoo csr", "csc ell"])
@pytest.mark.parametrize("given", [SCATTERED, STENCIL], ids=["scattered", "stencil"])
def test_many_entries(pair: str, given: Any):
    """So many that compiled code decides whether to look ahead."""
    source, target = pair.split()
    assert given.nnz > PrefetchScattersPass.least
    A = tm.tensor(given).to_format(source).to_format(target)
    A.check()
    assert (A.to_scipy().tocsr() != given.tocsr()).nnz == 0
