"""
Where the time goes, told by those who spend it; nobody listens unless somebody asks.

    with measured("concretize"):
        pass_.apply(context, module)
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from time import perf_counter

Listener = Callable[[str, float], None]
"""Takes the name of a piece of work and its seconds."""

_listeners: list[Listener] = []


@contextmanager
def measured(name: str) -> Generator[None]:
    """Tells the listeners how long what is inside takes; pieces of work are not nested."""
    if not _listeners:
        yield
        return
    start = perf_counter()
    yield
    seconds = perf_counter() - start
    for listener in _listeners:
        listener(name, seconds)


@contextmanager
def listening(listener: Listener) -> Generator[None]:
    """Tells `listener` of all work inside."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)
