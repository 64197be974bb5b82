"""Many cases compiled at once: their kernels become one translation unit, each in a namespace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from cases import Case
from outcomes import Outcome, judge_error

from tamale.backends.cpp.flags import REQUIRED_FLAGS
from tamale.backends.jit.compiler import find_compiler
from tamale.backends.jit.library import NativeKernel, load
from tamale.dialects.errors import KernelError
from tamale.frontend.kernel import Kernel

STRICT = ("-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas")
"""Without OpenMP: the shares of workers are computed one after the other."""
FLAGS = (*REQUIRED_FLAGS, "-fPIC", "-shared", *STRICT)
FAST = ("-O1",)
SANITIZED = ("-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g1")


@dataclass(frozen=True)
class BatchedKernel(Kernel):
    """A kernel whose function is in a library with others."""

    library: Path

    @cached_property
    def native(self) -> NativeKernel:
        """The loaded function."""
        return load(self.library, self.request.name, self.parameters())


@dataclass(frozen=True)
class Batch:
    """What became of every case of a batch: a kernel to call, or an outcome already."""

    kernels: Sequence[BatchedKernel | Outcome]


def compile_batch(cases: Sequence[Case], folder: Path, flags: Sequence[str] = FAST) -> Batch:
    """
    Kernels for cases, in one library in `folder`, compiled with `flags` as well.

    A case that is refused, or whose code the C++ compiler refuses, has its outcome instead.
    """
    library = folder / "batch.so"
    requests: list[Any] = []
    sources: list[str] = []
    for number, case in enumerate(cases):
        try:
            kernel = BatchedKernel(case.request(f"case_{number}"), library)
            sources.append(kernel.cpp)
            requests.append(kernel)
        except Exception as error:
            requests.append(judge_error(error))
    try:
        find_compiler().compile(join_sources(sources), library, (*FLAGS, *flags))
    except KernelError as error:
        if len(cases) == 1:
            return Batch([judge_error(error)])
        return Batch(_one_by_one(cases, folder, flags))
    return Batch(requests)


def _one_by_one(
    cases: Sequence[Case], folder: Path, flags: Sequence[str]
) -> list[BatchedKernel | Outcome]:
    found: list[BatchedKernel | Outcome] = []
    for number, case in enumerate(cases):
        own = folder / f"alone_{number}"
        own.mkdir()
        found += compile_batch([case], own, flags).kernels
    return found


def join_sources(sources: Sequence[str]) -> str:
    """One translation unit; helpers that two kernels print do not clash."""
    includes: dict[str, None] = {}
    parts: list[str] = []
    for number, source in enumerate(sources):
        lines = source.splitlines()
        includes |= dict.fromkeys(line for line in lines if line.startswith("#include"))
        body = "\n".join(line for line in lines if not line.startswith("#include"))
        parts.append(f"namespace part_{number} {{\n{body}\n}}")
    return "\n".join([*sorted(includes), *parts]) + "\n"
