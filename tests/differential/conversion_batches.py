"""Many conversions compiled at once: one translation unit, each function in a name of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from batches import FLAGS, join_sources

from tamale.backends.jit.compiler import find_compiler
from tamale.backends.jit.library import NativeKernel, load
from tamale.dialects.format.spec import Format
from tamale.frontend.converting import NAME, Conversion

CHEAP = ("-O0",)
"""Compiling is what a test of many conversions on small tensors costs."""


@dataclass(frozen=True)
class BatchedConversion(Conversion):
    """A conversion whose function is in a library with others."""

    library: Path = Path()
    name: str = NAME

    @cached_property
    def native(self) -> NativeKernel:
        """The loaded function."""
        return load(self.library, self.name, list(self._parameters()))

    @cached_property
    def source_text(self) -> str:
        """The C++ with the function's own name."""
        return re.sub(rf"\b{NAME}(?=\(|_free\()", self.name, self.cpp)


def compile_conversions(
    pairs: Sequence[tuple[Format, Format]],
    folder: Path,
    *,
    dtypes: Sequence[str] = (),
    threads: Sequence[int] = (),
    flags: Sequence[str] = CHEAP,
    name: str = "conversions.so",
) -> list[BatchedConversion]:
    """
    The conversions between pairs of formats, in one library in `folder`, without a warning.

    Args:
        pairs: source and target of each conversion.
        folder: where the library goes.
        dtypes: the element type of each, f64 by default.
        threads: how many workers share each, one by default.
        flags: for the compiler, besides those of every kernel and all warnings.
        name: of the library.
    """
    library = folder / name
    types = dtypes or ["float64"] * len(pairs)
    teams = threads or [1] * len(pairs)
    batch = [
        BatchedConversion(*pair, dtype, threads=team, library=library, name=f"convert_{number}")
        for number, (pair, dtype, team) in enumerate(zip(pairs, types, teams, strict=True))
    ]
    compiler = find_compiler()
    openmp = compiler.openmp if threads else ()
    compiler.compile(
        join_sources([one.source_text for one in batch]), library, (*FLAGS, *openmp, *flags)
    )
    return batch
