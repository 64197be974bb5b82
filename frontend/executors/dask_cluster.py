"""Parts on a cluster of Dask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from tamale.dialects.errors import KernelError
from tamale.frontend.executors.executor import Executor
from tamale.frontend.executors.task import Task
from tamale.frontend.tensor import Tensor

QUIET = {"distributed.admin.large-graph-warning-threshold": "1 PiB"}
"""Operands are sent as tasks on purpose: Dask computes tasks again, but not scattered data."""


@dataclass(frozen=True, eq=False)
class Remote:
    """A result on a worker."""

    task: Task
    future: Any


def compute(task: Task, operands: Mapping[str, Any]) -> Any:
    """What a worker does; Dask has put operands in the place of futures."""
    return task.on(operands).run()


def given(value: Tensor) -> Tensor:
    """An operand, as a task."""
    return value


class DaskExecutor(Executor):
    """
    The workers of a Dask cluster, which need tamale and a C++ compiler of their own. Results stay
    on the workers until they are fetched; an error of a kernel is raised then. What is lost
    with a worker is computed again, from operands that the scheduler keeps.

    Args:
        client: a `distributed.Client`; None: a new cluster on this machine.

    Raises:
        KernelError: Dask is not installed.
    """

    def __init__(self, client: Any = None) -> None:
        try:
            self._distributed: Any = import_module("distributed")
            self._config: Any = import_module("dask.config")
        except ImportError as error:
            raise KernelError(
                "executor: Dask is not installed\n  help: pip install 'tamale[dask]'"
            ) from error
        self._owned = None if client is not None else self._distributed.Client()
        self._client: Any = client if client is not None else self._owned

    def run(self, tasks: Sequence[Task]) -> Sequence[Remote]:
        sent = dict[int, Any]()
        with self._config.set(QUIET):
            return [Remote(task.on({}), self._submit(task, sent)) for task in tasks]

    def _submit(self, task: Task, sent: dict[int, Any]) -> Any:
        operands = {name: self._there(value, sent) for name, value in task.operands.items()}
        return self._client.submit(compute, task.on({}), operands, pure=False)

    def _there(self, value: Any, sent: dict[int, Any]) -> Any:
        """An operand on the cluster; one that several parts have is sent once."""
        if isinstance(value, Remote):
            return value.future
        if id(value) not in sent:
            sent[id(value)] = self._client.submit(given, value, pure=False)
        return sent[id(value)]

    def fetch(self, handle: Remote) -> Any:
        try:
            return handle.future.result()
        except self._distributed.KilledWorker as error:
            raise KernelError(
                "executor: workers died again and again while they computed parts of  "
                f"{handle.task.request.source}\n  help: is there enough memory?"
            ) from error

    def shape(self, handle: Remote) -> tuple[int, ...]:
        return handle.task.shape

    def close(self) -> None:
        """Ends the cluster if it is this executor's own."""
        if self._owned is not None:
            self._owned.close()
