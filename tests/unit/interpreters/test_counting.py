"""Work is in proportion to what is stored, at every stage: the universe is never walked."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import tamale as tm
from tamale.dialects.format.named import resolve_format
from tamale.frontend.building import build_module
from tamale.frontend.entries import from_entries
from tamale.frontend.request import make_request
from tamale.interpreters.counting import WorkCounter
from tamale.interpreters.running import ResultType, run_function
from tamale.passes import Pipeline
from tamale.passes.pipelines import TABLE

UNIVERSE, STORED = 5_000, 12
SHARED = (0, 1, 2)
BEFORE_LOOPS = ("insert-temporaries", "insert-conversions", "plan-conversion")


def vector(seed: int) -> tm.Tensor:
    """A vector of few entries, of integers; all vectors share some."""
    own = np.random.default_rng(seed).choice(UNIVERSE, STORED, replace=False)
    places = np.unique([*SHARED, *own])[:STORED]
    vals = np.arange(1, STORED + 1, dtype=np.int64)
    return from_entries([places], vals, (UNIVERSE,), resolve_format("csf", 1))


def counted(module: ModuleOp, operands: list[Any]) -> Iterator[tuple[str, WorkCounter]]:
    """The work done at every stage that has loops."""
    result = ResultType(resolve_format("csf", 1), np.dtype(np.int64))
    for pass_ in Pipeline("compute").steps(module):
        work = WorkCounter()
        run_function(module, operands, result, shape=(UNIVERSE,), listeners=[work])
        if pass_.name not in BEFORE_LOOPS:
            yield pass_.name, work


@pytest.mark.parametrize(
    "expression, most",
    [
        ("z(i) = unless(a(i), b(i))", 2 * STORED),
        ("z(i) = xor(a(i), b(i))", 2 * STORED),
        ("z(i) = a(i) + b(i)", 2 * STORED),
        ("z(i) = a(i) * b(i)", 2 * STORED),
    ],
)
def test_steps_are_bounded_by_entries(expression: str, most: int):
    request = make_request(expression, dict.fromkeys("abz", "csf"), dict.fromkeys("ab", "int64"))
    stages = list(counted(build_module(request), [vector(1), vector(2)]))
    assert len(stages) == len(TABLE.expand("compute")) - len(BEFORE_LOOPS)
    for name, work in stages:
        assert 0 < work.steps <= most, (name, work.visits)
        assert work.loads <= 20 * most, name


def test_a_universe_in_the_domain_is_walked():
    request = make_request("z(i) = a(i) + 1", {"a": "csf", "z": "dense"}, {"a": "int64"})
    work, module = WorkCounter(), build_module(request)
    Pipeline("concretize").run(module)
    dense = ResultType(resolve_format("dense", 1), np.dtype(np.int64))
    run_function(module, [vector(1)], dense, listeners=[work])
    assert work.visits == {"i": UNIVERSE}


def test_locating_saves_the_walk_of_a_full_level():
    request = make_request(
        "z(i) = a(i) * x(i)", {"a": "csf", "z": "csf"}, dict.fromkeys("ax", "int64")
    )
    module = build_module(request)
    operands = [vector(1), tm.tensor(np.arange(UNIVERSE))]
    for name, work in counted(module, operands):
        assert work.steps == STORED, name
