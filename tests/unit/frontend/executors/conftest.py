"""Executors of every kind, and tasks whose process dies."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from importlib import import_module
from typing import Any, TypeAlias

import pytest

import tamale as tm

MakeExecutor: TypeAlias = Callable[[ExitStack], tm.Executor]
MakeNamed: TypeAlias = Callable[[str], tm.Executor]


def make_dask(stack: ExitStack) -> tm.Executor:
    """A cluster of two processes."""
    distributed: Any = import_module("distributed")
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    )
    client = distributed.Client(stack.enter_context(cluster))
    return tm.DaskExecutor(stack.enter_context(client))


EXECUTORS: Mapping[str, MakeExecutor] = {
    "serial": lambda stack: stack.enter_context(tm.SerialExecutor()),
    "threads": lambda stack: stack.enter_context(tm.ThreadExecutor(2)),
    "processes": lambda stack: stack.enter_context(tm.ProcessExecutor(2)),
    "dask": make_dask,
}

MORTAL = """
import os
import signal
from dataclasses import dataclass
from pathlib import Path

from tamale.frontend.executors.task import Task


@dataclass(frozen=True)
class Dies(Task):
    times: int
    folder: str

    def run(self):
        deaths = len(list(Path(self.folder).glob("death*")))
        if deaths < self.times:
            (Path(self.folder) / f"death{deaths}").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().run()
"""


@pytest.fixture(scope="session")
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """
    A module that workers can import. Tasks `Dies(request, operands, shape, times, folder)` kill
    their process the first `times` times.
    """
    folder = tmp_path_factory.mktemp("mortal")
    (folder / "mortal_task.py").write_text(MORTAL)
    sys.path.insert(0, str(folder))
    yield import_module("mortal_task")
    sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def executors(mortal: Any) -> Iterator[MakeNamed]:
    """
    `executors("threads")`: one of each kind, made when it is asked for, and gone with the module,
    since clusters are busy even where they have nothing to do.
    """
    made: dict[str, tm.Executor] = {}
    with ExitStack() as stack:

        def named(name: str) -> tm.Executor:
            if name not in made:
                made[name] = EXECUTORS[name](stack)
            return made[name]

        yield named


@pytest.fixture(params=EXECUTORS)
def executor(request: pytest.FixtureRequest, executors: MakeNamed) -> tm.Executor:
    """An executor of any kind."""
    return executors(request.param)


@pytest.fixture(params=["processes", "dask"])
def processes(request: pytest.FixtureRequest, executors: MakeNamed) -> tm.Executor:
    """One that has processes of its own."""
    return executors(request.param)
