"""The interface of executors, and the one that does all by itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from tamale.frontend.executors.task import Task


class Executor(ABC):
    """
    Computes parts. An executor of one's own has `run` and `close`, and `fetch` and `shape` where
    what it returns are no results but where they are.

    >>> with tm.ThreadExecutor(2) as executor:
    ...     y = tm.partition("y(i) = A(i,j) * x(j)", {"A": A, "x": x}, 8).run(executor).gather()
    """

    @abstractmethod
    def run(self, tasks: Sequence[Task]) -> Sequence[Any]:
        """
        Computes all tasks; a handle for each result.

        Handles among the operands of tasks are those that this executor returned before.

        Raises:
            TamaleError: what the kernel of a task raised.
        """

    def fetch(self, handle: Any) -> Any:
        """The result behind a handle; by default the handle is the result."""
        return handle

    def shape(self, handle: Any) -> tuple[int, ...]:
        """The dimension sizes of the result behind a handle."""
        return np.shape(self.fetch(handle))

    @abstractmethod
    def close(self) -> None:
        """Ends the workers. Results that were fetched stay."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class SerialExecutor(Executor):
    """One part after the other, in this thread."""

    def run(self, tasks: Sequence[Task]) -> Sequence[Any]:
        return [task.run() for task in tasks]

    def close(self) -> None:
        """There is nobody to stop."""
