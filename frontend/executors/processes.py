"""Parts on processes of this machine, which share the memory of operands and results."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Any

from tamale.dialects.errors import KernelError
from tamale.frontend.executors.executor import Executor
from tamale.frontend.executors.shared import Blocks, Sending, discard, packed, read
from tamale.frontend.executors.task import Task
from tamale.frontend.schedule import worker_count

ATTEMPTS = 4
"""How often the parts that are left are begun when a worker process died."""


def work(message: bytes, block: str) -> tuple[int, bytes]:
    """What a worker process does with a task: its result goes to a block of that name."""
    task: Task = read(message)
    return packed(task.run(), block)


class ProcessExecutor(Executor):
    """
    A pool of processes. Results lie in memory that all of them share, and so do operands once they
    have been copied there: those of `share` are never copied again, others once in each run.

    The parts that a process works on when it dies are begun again by others. Processes are
    started afresh and import the program's main module, which therefore has to begin its work under
    `if __name__ == "__main__":`.

    Args:
        workers: how many processes.

    Raises:
        ScheduleError: `workers` is no number of workers.
    """

    def __init__(self, workers: int) -> None:
        self._workers = worker_count(workers, "workers")
        self._blocks = Blocks()
        self._pool = self._started()
        self._close_blocks = weakref.finalize(self, Blocks.close, self._blocks)

    def _started(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._workers, get_context("spawn"))

    def share(self, value: Any) -> Any:
        """A tensor or an array, with all of its arrays in shared memory."""
        name = self._blocks.name()
        return self._received(name, packed(value, name))

    def run(self, tasks: Sequence[Task]) -> Sequence[Any]:
        sending = Sending(self._blocks)
        messages = [sending.message(task) for task in tasks]
        results: dict[int, Any] = {}
        for _ in range(ATTEMPTS):
            left = [k for k in range(len(tasks)) if k not in results]
            results |= self._round(messages, left)
            if len(results) == len(tasks):
                return [results[k] for k in range(len(tasks))]
            self._pool.shutdown()
            self._pool = self._started()
        raise KernelError(
            f"executor: worker processes died {ATTEMPTS} times while they computed parts of  "
            f"{tasks[0].request.source}\n"
            "  help: is there enough memory? is the program's main module safe to import, its work "
            'under `if __name__ == "__main__":`?'
        )

    def _round(self, messages: Sequence[bytes], left: Iterable[int]) -> dict[int, Any]:
        """The results of the parts that are left; without those whose process died."""
        names = {k: self._blocks.name() for k in left}
        begun = dict(self._begun(messages, names))
        results: dict[int, Any] = {}
        try:
            for k, future in begun.items():
                try:
                    results[k] = self._received(names[k], future.result())
                except BrokenProcessPool:
                    discard(names[k])
        except BaseException:
            for future in begun.values():
                future.cancel()
            wait(begun.values())
            for k in begun.keys() - results.keys():
                discard(names[k])
            raise
        return results

    def _begun(
        self, messages: Sequence[bytes], names: dict[int, str]
    ) -> Iterator[tuple[int, Future[tuple[int, bytes]]]]:
        for k, name in names.items():
            try:
                yield k, self._pool.submit(work, messages[k], name)
            except BrokenProcessPool:
                return

    def _received(self, name: str, sent: tuple[int, bytes]) -> Any:
        size, message = sent
        return read(message, lambda _name, _size: self._blocks.own(name, size))

    def close(self) -> None:
        self._pool.shutdown()
        self._close_blocks()
