"""
The rules behind the page `passes/pipelines.py`: rows, their consistency, and what a name means.

Nothing here imports a pass or xDSL.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tamale.dialects.errors import TamaleError

EVERYWHERE = frozenset({"builtin", "func", "test"})
"""Dialects no pass has to promise: containers, and the ops that tests put in as landmarks."""


@dataclass(frozen=True)
class Step:
    """One row of the page: a pass, the dialects it reads and leaves, and why it exists."""

    name: str
    reads: frozenset[str]
    leaves: frozenset[str]
    why: str

    @property
    def path(self) -> str:
        """`foo-bar` is found at `tamale.passes.foo_bar:FooBarPass`."""
        module = self.name.replace("-", "_")
        words = "".join(word.capitalize() for word in self.name.split("-"))
        return f"tamale.passes.{module}:{words}Pass"


def step(name: str, reads: str, leaves: str, why: str) -> Step:
    """A row; `reads` and `leaves` list dialects, separated by spaces."""
    return Step(name, frozenset(reads.split()), frozenset(leaves.split()), why)


class Before(NamedTuple):
    """In every named pipeline that has both, `first` runs before `second`."""

    first: str
    second: str
    why: str


@dataclass(frozen=True)
class PassTable:
    """Rows, the named pipelines made of them, and the orders that must hold."""

    steps: Mapping[str, Step]
    pipelines: Mapping[str, tuple[str, ...]]
    before: tuple[Before, ...]

    def expand(self, name: str) -> tuple[str, ...]:
        """The passes that `name` stands for: a pipeline is its passes, a pass is itself."""
        if name not in self.pipelines:
            return (name,)
        return tuple(inner for part in self.pipelines[name] for inner in self.expand(part))

    def check(self) -> None:
        """
        Checks that every name resolves, every pass leaves what the next reads, and every order
        holds.

        Raises:
            ValueError: the page contradicts itself.
        """
        known = (*self.steps, *self.pipelines)
        if twice := sorted(self.steps.keys() & self.pipelines.keys()):
            raise ValueError(f"pipelines: {twice} name a pass and a pipeline")
        for names in (*self.pipelines.values(), *((b.first, b.second) for b in self.before)):
            if strangers := [name for name in names if name not in known]:
                raise ValueError(f"pipelines: {strangers} have no row")
        for pipeline in self.pipelines:
            passes = self.expand(pipeline)
            self._check_chain(pipeline, passes)
            self._check_order(pipeline, passes)

    def _check_chain(self, pipeline: str, passes: Sequence[str]) -> None:
        for first, second in zip(passes, passes[1:], strict=False):
            unread = self.steps[first].leaves - self.steps[second].reads - EVERYWHERE
            if unread:
                raise ValueError(
                    f"pipelines: in '{pipeline}', {first} leaves {sorted(unread)}, "
                    f"which {second} does not read"
                )

    def _check_order(self, pipeline: str, passes: Sequence[str]) -> None:
        for first, second, why in self.before:
            late = [i for i, name in enumerate(passes) if name == first]
            if late and second in passes and passes.index(second) < late[-1]:
                raise ValueError(
                    f"pipelines: in '{pipeline}', {first} must run before {second}: {why}"
                )


def pass_table(
    passes: Iterable[Step],
    pipelines: Mapping[str, tuple[str, ...]],
    before: Iterable[tuple[str, str, str]],
) -> PassTable:
    """The checked table of the page."""
    rows = tuple(passes)
    table = PassTable({s.name: s for s in rows}, pipelines, tuple(Before(*b) for b in before))
    if len(table.steps) < len(rows):
        raise ValueError("pipelines: a pass has two rows")
    table.check()
    return table


def unknown_name(what: str, name: str, known: Iterable[str]) -> TamaleError:
    """The error for a misspelt name, with the names that were perhaps meant."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=3)
    help_ = f"did you mean {' or '.join(map(repr, close))}?" if close else f"one of {names}"
    return TamaleError(f"unknown {what} '{name}'\n  help: {help_}")
