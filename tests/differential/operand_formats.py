"""
Operands in every pair of formats, and results in several, compared with NumPy.

    python tests/differential/operand_formats.py [--seed 1] [--cases 200]

Without `--cases`, all of them. `tests/unit/frontend/test_operand_conversions.py` runs a few.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from batches import FLAGS, BatchedKernel, join_sources
from numpy.typing import NDArray

from tamale.backends.jit.compiler import find_compiler
from tamale.dialects.format.named import resolve_format
from tamale.frontend.converting import convert
from tamale.frontend.entries import from_entries
from tamale.frontend.request import make_request
from tamale.frontend.tensor import Tensor

Array = NDArray[Any]

BATCH = 40
UNSORTED = "(i, j) -> (i : compressed(nonunique, nonordered), j : singleton(nonunique, nonordered))"
OPERANDS = (
    "dense",
    "dense(1, 0)",
    "coo",
    "ucoo",
    UNSORTED,
    "csr",
    "csc",
    "dcsr",
    "dcsc",
    "dia",
    "ell",
    "jad",
    "sell(2)",
    "bcsr(2, 3)",
    "bcsc(3, 2)",
    "dok",
    "bitmap",
    "hicoo(2)",
)
RESULTS = ("dense", "csr", "csc", "coo", "dia", "ell", "bcsr(2, 3)", "dok", "hicoo(2)")

PAIRS: Mapping[str, Callable[[Array, Array], Array]] = {
    "Z(i,j) = A(i,j) + B(i,j)": lambda A, B: A + B,
    "Z(i,j) = A(i,j) * B(i,j)": lambda A, B: A * B,
    "Z(i,j) = min(A(i,j), B(i,j))": np.minimum,
    "Z(i,k) = A(i,j) * B(k,j)": lambda A, B: A @ B.T,
}
"""Two matrices of one shape."""

SINGLES: Mapping[str, Callable[[Array], Array]] = {
    "Z(i,j) = A(i,j)": lambda A: A,
    "Z(j,i) = A(i,j)": lambda A: A.T,
}
SQUARES: Mapping[str, Callable[[Array], Array]] = {
    "Z(i,j) = A(i,j) + A(j,i)": lambda A: A + A.T,
    "Z(i,j) = A(i,j) * A(j,i)": lambda A: A * A.T,
}
PRODUCTS: Mapping[str, Callable[[Array, Array], Array]] = {
    "Z(i) = A(i,j) * x(j)": lambda A, x: A @ x,
    "Z(i) = sum(j, A(i,j)) * x(i)": lambda A, x: A.sum(axis=1) * x[: len(A)],
}


@dataclass(frozen=True)
class Case:
    """A statement, the formats of its tensors, and what it means on arrays."""

    statement: str
    formats: tuple[tuple[str, str], ...]
    meaning: Callable[..., Array]

    def __str__(self) -> str:
        return f"{self.statement}  {dict(self.formats)}"

    @property
    def operands(self) -> dict[str, str]:
        return {name: format for name, format in self.formats if name != "Z"}

    @property
    def is_square(self) -> bool:
        return self.statement in SQUARES or "x(i)" in self.statement


def every_case() -> Iterator[Case]:
    """All cases, alike ones next to each other."""
    for (a, b), (statement, meaning) in product(product(OPERANDS, OPERANDS), PAIRS.items()):
        for z in ("dense", "csr"):
            yield Case(statement, (("A", a), ("B", b), ("Z", z)), meaning)
    alone = {**SINGLES, **SQUARES}
    for (a, z), (statement, meaning) in product(product(OPERANDS, RESULTS), alone.items()):
        yield Case(statement, (("A", a), ("Z", z)), meaning)
    vectors = product(OPERANDS, ("dense", "csf"))
    for (a, x), (statement, meaning) in product(vectors, PRODUCTS.items()):
        yield Case(statement, (("A", a), ("x", x)), meaning)


def sample(count: int, seed: int) -> list[Case]:
    """Some of the cases."""
    return random.Random(seed).sample(list(every_case()), count)


def compile_cases(cases: Sequence[Case], folder: Path) -> list[BatchedKernel]:
    """The kernels of the cases, in one library."""
    library = folder / "kernels.so"
    kernels = [
        BatchedKernel(
            make_request(case.statement, dict(case.formats), {}, name=f"kernel_{n}"), library
        )
        for n, case in enumerate(cases)
    ]
    find_compiler().compile(join_sources([k.cpp for k in kernels]), library, (*FLAGS, "-O0"))
    return kernels


def stored(array: Array, name: str) -> Tensor:
    """The nonzeros of an array in a named format."""
    places = np.nonzero(array)
    entries = from_entries(places, array[places], array.shape, resolve_format("coo", array.ndim))
    return convert(entries, resolve_format(name, array.ndim))


def mismatches(case: Case, kernel: BatchedKernel, seed: int) -> Iterator[str]:
    """What is wrong with a kernel's results on a few shapes."""
    draw = np.random.default_rng(seed)
    shapes = ((5, 5), (1, 1), (0, 0)) if case.is_square else ((4, 6), (7, 3), (3, 0), (0, 3))
    for shape in shapes:
        arrays = {
            name: draw.integers(1, 9, size) * (draw.random(size) < 0.5) * 1.0
            for name in case.operands
            for size in [shape if name != "x" else shape[1:]]
        }
        given: dict[str, Any] = {
            name: stored(array, case.operands[name]) for name, array in arrays.items()
        }
        result, expected = kernel(**given), case.meaning(*arrays.values())
        found = result.check().to_numpy() if isinstance(result, Tensor) else result
        if not np.array_equal(found, expected):
            yield f"{case} on {shape}: got\n{found}\nexpected\n{expected}"


def run(cases: Sequence[Case], seed: int) -> list[str]:
    """Everything that is wrong with some cases."""
    with tempfile.TemporaryDirectory() as folder:
        kernels = compile_cases(cases, Path(folder))
        pairs = zip(cases, kernels, strict=True)
        return [text for case, kernel in pairs for text in mismatches(case, kernel, seed)]


def main() -> int:
    parser = argparse.ArgumentParser(description="operands in every pair of formats")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int)
    options = parser.parse_args()
    cases = list(every_case()) if options.cases is None else sample(options.cases, options.seed)
    wrong = 0
    for first in range(0, len(cases), BATCH):
        for text in run(cases[first : first + BATCH], options.seed):
            wrong += 1
            print(text, flush=True)
    print(f"{len(cases)} cases, {wrong} wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
