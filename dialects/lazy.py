"""Tables of things that are imported only when they are used; keeps start-up short."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any


def load(path: str) -> Any:
    """
    The object that `module:NAME` names, importing the module if need be.

    >>> load("math:pi")
    3.141592653589793
    """
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


def lazy_table(paths: Mapping[str, str]) -> dict[str, Callable[[], Any]]:
    """A table `name -> factory`; calling a factory imports and returns the object."""
    return {name: partial(load, path) for name, path in paths.items()}
