"""
How each family of compilers is asked for a fast kernel without long waiting.

The figures behind the choice for GCC are in `docs/rationale/compile-time.md`.
"""

import sys
from dataclasses import dataclass

from tamale.backends.cpp.flags import REQUIRED_FLAGS

_COMMON = (
    *REQUIRED_FLAGS,
    "-march=native",
    "-fPIC",
    "-shared",
    # Nobody looks at errno or at the floating-point exception flags of a kernel. Without
    # these two, branches around a division or a square root would not be vectorised.
    # Neither changes a result: floating-point arithmetic keeps its order and its NaNs.
    "-fno-math-errno",
    "-fno-trapping-math",
)

_GCC_OPTIMISATION = (
    # What -O3 adds does next to nothing for a kernel. The three passes left out take half of the
    # time that merges need, and make none of them faster.
    "-O2",
    "-fvect-cost-model=dynamic",
    "-fno-gcse",
    "-fno-tree-vrp",
    "-fno-thread-jumps",
    # Only C headers are included; those of the same name in the C++ library read far more.
    "-nostdinc++",
)


@dataclass(frozen=True)
class Family:
    """Compilers that understand the same flags."""

    flags: tuple[str, ...]
    """How kernels are compiled."""

    lean_link: tuple[str, ...] = ()
    """Flags that leave out what no kernel needs from the link, but what other flags may need."""

    shared_memory: tuple[str, ...] = ()
    """Flags that let a kernel take its memory from the library of `backends/cpp/memory.py`."""

    libraries: tuple[str, ...] = ()
    """What to link in place of what `lean_link` leaves out; stands after the source."""


OTHERS = Family((*_COMMON, "-O3"))
"""Clang, and whatever else understands the options of GCC that Clang does."""

GCC = Family((*_COMMON, *_GCC_OPTIMISATION))
"""GCC, wherever it links as the system likes it."""

GCC_ON_LINUX = Family(
    GCC.flags,
    # Most of a link goes into reading the C++ library, start-up files and the plug-in for LTO.
    lean_link=("-nostdlib", "-fno-use-linker-plugin"),
    shared_memory=tuple(f"-Wl,--wrap={name}" for name in ("malloc", "calloc", "realloc", "free")),
    libraries=("-lm", "-lgcc", "-lc"),
)
"""GCC that links ELF libraries against a C library in the Unix manner."""


def family_of(version: str, platform: str = sys.platform) -> Family:
    """
    The family of the compiler whose `--version` prints `version`.

    GCC calls itself by the name it was run by, so what tells it is its copyright notice.
    """
    if "Free Software Foundation" not in version:
        return OTHERS
    return GCC_ON_LINUX if platform == "linux" else GCC
