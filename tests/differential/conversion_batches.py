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
    flags: Sequence[str] = CHEAP,
) -> list[BatchedConversion]:
    """
    The conversions between pairs of formats, in one library in `folder`, without a warning.

    Args:
        pairs: source and target of each conversion.
        folder: where the library goes.
        dtypes: the element type of each, f64 by default.
        flags: for the compiler, besides those of every kernel and all warnings.
    """
    library = folder / "conversions.so"
    types = dtypes or ["float64"] * len(pairs)
    batch = [
        BatchedConversion(source, target, dtype, library=library, name=f"convert_{number}")
        for number, ((source, target), dtype) in enumerate(zip(pairs, types, strict=True))
    ]
    find_compiler().compile(
        join_sources([one.source_text for one in batch]), library, (*FLAGS, *flags)
    )
    return batch
