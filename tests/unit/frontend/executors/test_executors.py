"""Parts computed by threads, processes and clusters: the results of one process, whoever dies."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tamale as tm
from tamale.frontend.executors import shared
from tamale.frontend.executors.dask_cluster import Remote
from tamale.frontend.executors.task import Task

pytestmark = pytest.mark.xdist_group("executors")  # One process starts the clusters.

SPMV = "y(i) = A(i,j) * x(j)"
SHARED_MEMORY = Path("/dev/shm")
"""Where Linux shows what processes share."""
STATEMENTS = {
    "spmv": (SPMV, "Ax", "dense"),
    "spmm": ("Z(i,j) = A(i,k) * X(k,j)", "AX", "dense"),
    "spgemm": ("Z(i,j) = A(i,k) * B(k,j)", "AB", "csr"),
    "sum": ("Z(i,j) = A(i,j) + B(i,j)", "AB", "csr"),
    "mttkrp": ("M(i,r) = T(i,j,k) * X(j,r) * E(k,r)", "TXE", "dense"),
    "columns": ("y(i) = C(i,j) * x(j)", "Cx", "dense"),
    "number": ("s = A(i,j) * B(i,j)", "AB", "dense"),
}


def sample(random: np.random.Generator, *shape: int) -> NDArray[Any]:
    """Small integers, whose sums are exact."""
    return (random.random(shape) < 0.3) * random.integers(-9, 10, shape).astype(float)


@pytest.fixture(scope="module")
def tensors() -> Mapping[str, Any]:
    random = np.random.default_rng(0)
    return {
        "A": tm.tensor(sample(random, 20, 20), "csr"),
        "B": tm.tensor(sample(random, 20, 20), "csr"),
        "C": tm.tensor(sample(random, 20, 20), "csc"),
        "T": tm.tensor(sample(random, 12, 20, 5), "csf"),
        "X": sample(random, 20, 3),
        "E": sample(random, 5, 3),
        "x": sample(random, 20),
    }


@pytest.mark.parametrize("name", STATEMENTS)
def test_results_are_those_of_one_process(
    name: str, executor: tm.Executor, tensors: Mapping[str, Any]
):
    statement, names, out = STATEMENTS[name]
    given = {operand: tensors[operand] for operand in names}
    found = tm.partition(statement, given, 3, out=out).run(executor).gather()
    expected = tm.evaluate(statement, out=out, **given)
    assert np.array_equal(found, expected) if out == "dense" else found.check() == expected


def test_results_are_used_where_they_are(executor: tm.Executor, tensors: Mapping[str, Any]):
    given = {"A": tensors["A"], "B": tensors["B"]}
    S = tm.partition("S(i,j) = A(i,j) + B(i,j)", given, 3, out="csr").run(executor)
    y = tm.partition("y(i) = S(i,j) * x(j)", {"S": S, "x": tensors["x"]}, 3)
    assert [part.operands["S"] for part in y] == list(S.handles)
    z = tm.partition("z(i) = C(i,j) * y(j)", {"C": tensors["C"], "y": y.run(executor)}, 3)
    A, B, C, x = (np.asarray(tensors[name]) for name in "ABCx")
    assert np.array_equal(z.run(executor).gather(), C @ ((A + B) @ x))


def test_results_go_from_one_executor_to_another(
    executor: tm.Executor, tensors: Mapping[str, Any]
):
    y = tm.partition(SPMV, {name: tensors[name] for name in "Ax"}, 2).run(executor)
    z = tm.partition("z(i) = y(i) + y(i)", {"y": y}, 2).run()
    assert np.array_equal(z.gather(), 2 * y.gather())


def results(executor: tm.Executor, tasks: Sequence[Task]) -> list[Any]:
    return [executor.fetch(handle) for handle in executor.run(tasks)]


def failing(tensors: Mapping[str, Any]) -> list[Task]:
    """Two tasks, the second of which has sizes that clash."""
    parts = tm.partition(SPMV, {name: tensors[name] for name in "Ax"}, 2)
    good, bad = (Task(parts.request, part.operands, part.shape) for part in parts)
    return [good, bad.on({**bad.operands, "x": tm.tensor(np.ones(3))})]


def test_a_kernel_that_fails_says_so(executor: tm.Executor, tensors: Mapping[str, Any]):
    with pytest.raises(tm.KernelError, match="'j' has size 20 in A and 3 in x"):
        results(executor, failing(tensors))
    y = tm.partition(SPMV, {name: tensors[name] for name in "Ax"}, 2).run(executor)
    assert np.array_equal(y.gather(), tm.evaluate(SPMV, A=tensors["A"], x=tensors["x"]))


def dying(mortal: Any, tensors: Mapping[str, Any], times: int, folder: Any) -> list[Task]:
    """Five tasks, the third of which kills its process so many times."""
    parts = tm.partition(SPMV, {name: tensors[name] for name in "Ax"}, 5)
    tasks = [Task(parts.request, part.operands, part.shape) for part in parts]
    third = tasks[2]
    tasks[2] = mortal.Dies(third.request, third.operands, third.shape, times, str(folder))
    return tasks


def test_a_killed_worker_is_survived(
    mortal: Any, processes: tm.Executor, tensors: Mapping[str, Any], tmp_path: Any
):
    tasks = dying(mortal, tensors, 1, tmp_path)
    found = results(processes, tasks)
    assert (tmp_path / "death0").exists()
    expected = tm.evaluate(SPMV, A=tensors["A"], x=tensors["x"])
    assert np.array_equal(np.concatenate(found), expected)


def named_leftover(_size: int) -> str:
    """In the place of `token_hex`: part of the names of blocks."""
    return "leftover"


@pytest.mark.skipif(not SHARED_MEMORY.is_dir(), reason="the system shows no shared memory")
def test_no_shared_memory_is_left_behind(
    mortal: Any, tensors: Mapping[str, Any], tmp_path: Any, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(shared, "token_hex", named_leftover)
    with tm.ProcessExecutor(2) as executor:
        results(executor, dying(mortal, tensors, 1, tmp_path))
        given = {"A": executor.share(tensors["A"]), "B": tensors["B"]}
        S = tm.partition("S(i,j) = A(i,j) + B(i,j)", given, 3, out="csr").run(executor)
        y = tm.partition("y(i) = S(i,j) * x(j)", {"S": S, "x": tensors["x"]}, 3).run(executor)
        assert list(SHARED_MEMORY.glob("tmleftover*"))
        del given, S, y
    assert not list(SHARED_MEMORY.glob("tmleftover*"))


def test_workers_that_always_die_are_reported(
    mortal: Any, executors: Any, tensors: Mapping[str, Any], tmp_path: Any
):
    tasks = dying(mortal, tensors, 99, tmp_path)
    with pytest.raises(tm.KernelError, match=r"died .* parts of  y\(i\) = A\(i,j\) \* x\(j\)"):
        results(executors("processes"), tasks)


class KilledFuture:
    """What Dask gives for a task that took too many workers with it."""

    def result(self) -> None:
        distributed: Any = import_module("distributed")
        raise distributed.KilledWorker("compute", None, 3)


def test_a_part_that_dask_gave_up_is_reported(tensors: Mapping[str, Any]):
    handle = Remote(failing(tensors)[0], KilledFuture())
    with pytest.raises(tm.KernelError, match=r"died .* parts of  y\(i\) = A\(i,j\) \* x\(j\)"):
        tm.DaskExecutor(object()).fetch(handle)


def test_without_dask(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(tm.KernelError) as caught:
        tm.DaskExecutor()
    expected = "executor: Dask is not installed\n  help: pip install 'tamale[dask]'"
    assert str(caught.value) == expected
