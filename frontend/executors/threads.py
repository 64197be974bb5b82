"""Parts on threads of this process."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tamale.frontend.executors.executor import Executor
from tamale.frontend.executors.task import Task
from tamale.frontend.schedule import worker_count


class ThreadExecutor(Executor):
    """
    A pool of threads. Kernels run outside of Python's lock, on the operands where they are.

    Args:
        workers: how many threads.

    Raises:
        ScheduleError: `workers` is no number of workers.
    """

    def __init__(self, workers: int) -> None:
        self._pool = ThreadPoolExecutor(worker_count(workers, "workers"), "tamale")

    def run(self, tasks: Sequence[Task]) -> Sequence[Any]:
        return list(self._pool.map(Task.run, tasks))

    def close(self) -> None:
        self._pool.shutdown()
