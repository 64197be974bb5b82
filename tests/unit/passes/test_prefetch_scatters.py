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
from tamale.passes import Pipeline
from tamale.passes.pipelines import TABLE
from tamale.passes.prefetch_scatters import PrefetchScattersPass

sparse: Any = import_module("scipy.sparse")

EAGER = ",".join(
    f"{name}{{distance=3 least=0}}" if name == "prefetch-scatters" else name
    for name in TABLE.expand("compute")
)
PAIRS = ("csr csc", "coo csc", "ucoo csr", "dcsr csc", "csc ell", "csr jad", "coo jad")


@pytest.mark.parametrize("pair", PAIRS)
def test_later_places_are_inside_of_their_arrays(pair: str):
    """The interpreter checks the bounds of every load, on tensors of all shapes."""
    source, target = (resolve_format(name, 2) for name in pair.split())
    module = build_conversion(source, target, "float64")
    checker = PassChecker(module)
    for pass_ in Pipeline(EAGER).steps(module):
        assert (difference := checker.after(pass_.name, module)) is None, str(difference)
    assert any(isinstance(op, PrefetchOp) for op in module.walk())


@pytest.mark.parametrize("pair", ["csr csc", "ucoo csr", "csc ell"])
def test_many_entries(pair: str):
    """So many that compiled code looks ahead."""
    source, target = pair.split()
    random = np.random.default_rng(7)
    given = sparse.random_array((3000, 4000), density=0.01, rng=random)
    assert given.nnz > PrefetchScattersPass.least
    A = tm.tensor(given).to_format(source).to_format(target)
    A.check()
    assert (A.to_scipy().tocsr() != given.tocsr()).nnz == 0
