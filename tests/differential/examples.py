"""Statements with operands and what they give; the kernels of a list are compiled at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from batches import compile_batch
from cases import Case, Entries
from numpy.typing import NDArray
from outcomes import Outcome, attempt

from tamale.dialects.notation.parser import parse_notation
from tamale.frontend.notation.reductions import accesses

Array: TypeAlias = NDArray[Any]


@dataclass(frozen=True)
class Example:
    """A statement with its operands, each an array and its format, and the result to expect."""

    statement: str
    operands: Mapping[str, tuple[Array, str]]
    expected: Array
    out: str = "dense"

    @cached_property
    def case(self) -> Case:
        operands = tuple(entries(name, *value) for name, value in self.operands.items())
        return Case(str(self), self.statement, operands, self.out, self._sizes(operands))

    def _sizes(self, operands: Iterable[Entries]) -> dict[str, int]:
        """The size of every index variable."""
        shapes = {operand.name: operand.shape for operand in operands}
        statement = parse_notation(self.statement)
        sizes = dict(zip(statement.result.indices, self.expected.shape, strict=True))
        for access in accesses(statement.expression):
            sizes |= zip(access.indices, shapes[access.tensor], strict=True)
        return sizes

    @property
    def kernel(self) -> tuple[str, ...]:
        """What the kernel depends on."""
        operands = self.operands.items()
        types = [f"{name}: {format} {array.dtype}" for name, (array, format) in operands]
        return (self.statement, self.out, *types)

    def __str__(self) -> str:
        formats = ", ".join(
            f"{name}: {format} {array.dtype} {array.shape}"
            for name, (array, format) in self.operands.items()
        )
        return f"{self.statement}  [{formats}; out: {self.out}]"


def entries(name: str, array: Array, format: str) -> Entries:
    """The nonzeros of an array, or all of it in a dense format."""
    kept = np.ones(array.shape, np.bool_) if format.startswith("dense") else array != 0
    coordinates = tuple(np.nonzero(kept)) if array.shape else ()
    return Entries(name, format, array.shape, coordinates, array[kept].reshape(-1))


def check(examples: Iterable[Example], folder: Path) -> None:
    """Compiles all examples, equal kernels once, runs them, and says which are wrong."""
    listed = list(examples)
    kinds = {example.kernel: example.case for example in listed}
    batch = compile_batch(list(kinds.values()), folder, ["-O0"])
    kernels = dict(zip(kinds, batch.kernels, strict=True))
    problems = [(example, difference(example, kernels[example.kernel])) for example in listed]
    wrong = [f"{example}\n{problem}" for example, problem in problems if problem]
    assert not wrong, f"{len(wrong)} of {len(listed)}:\n" + "\n".join(wrong[:5])


def difference(example: Example, kernel: Any) -> str:
    """What is wrong with an example: with its values, or with the structure of its result."""
    if isinstance(kernel, Outcome):
        return kernel.why
    outcome = attempt(example.case, kernel)
    if outcome.verdict != "right":
        return outcome.why
    found = np.asarray(kernel(shape=example.expected.shape, **example.case.tensors))
    if found.dtype != example.expected.dtype:
        return f"{found.dtype}, expected {example.expected.dtype}"
    single = found.dtype.name in ("float32", "complex64")
    if np.allclose(found, example.expected, 1e-5 if single else 1e-12, 1e-6 if single else 1e-12):
        return ""
    return f"got\n{found}\nexpected\n{example.expected}"


def random(*shape: int, seed: int = 0, density: float = 1.0, dtype: Any = np.float64) -> Array:
    """Random small numbers, zero but for a share of `density`."""
    numbers = np.random.default_rng([seed, *shape])
    values = numbers.integers(1, 9, shape) * numbers.choice((-1, 1), shape) / 4
    if np.issubdtype(dtype, np.integer):
        values = values * 4
    if np.issubdtype(dtype, np.complexfloating):
        values = values + 1j * numbers.integers(-4, 5, shape)
    return np.where(numbers.random(shape) < density, values, 0).astype(dtype)


def gaps(rows: int, columns: int, *, seed: int = 0, dtype: Any = np.float64) -> Array:
    """A sparse matrix with empty rows and columns."""
    matrix = random(rows, columns, seed=seed, density=0.4, dtype=dtype)
    matrix[::3], matrix[:, 1::4] = 0, 0
    return matrix
