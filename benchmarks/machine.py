"""What the figures were measured on."""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import eigen
import onemkl
import sparsifier
from bandwidth import memory

from tamale.backends.jit.compiler import compile_flags, find_compiler

PACKAGES = (
    *("tamale", "numpy", "scipy", "xdsl", "pyamg", "sparse", "pyttb"),
    *("python-graphblas", "torch"),
)
_CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
_UNITS = {"K": 2**10, "M": 2**20}


def describe_machine() -> Mapping[str, str]:
    """Names and values for the report."""
    load, _, _ = os.getloadavg()
    return {
        "processor": f"{processor()}, {os.cpu_count()} CPUs",
        "last-level cache": f"{cache_bytes() / 2**20:.0f} MiB",
        "load when started": f"{load:.1f}",
        "system": f"{platform.system()} {platform.release()}",
        "Python": platform.python_version(),
        **{package: package_version(package) for package in PACKAGES},
        "mkl": onemkl.description(),
        "Eigen": eigen.version(),
        "MLIR": sparsifier.version(),
        "compiler": find_compiler().version,
        "flags": " ".join(compile_flags()),
    }


def describe_memory() -> Mapping[str, str]:
    """The speed of memory, if a section has measured it."""
    if not memory.cache_info().currsize:
        return {}
    return {f"memory, {n} thread{'s' * (n > 1)}": speeds(n) for n in (1, 2)}


def speeds(threads: int) -> str:
    """The speeds of the loops of STREAM."""
    speed = memory(threads)
    return f"copy {speed.copy / 1e9:.1f} GB/s, triad {speed.triad / 1e9:.1f}"


def processor() -> str:
    """The name that the processor gives itself."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def package_version(package: str) -> str:
    """The version that is installed; `absent` if none is."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "absent"


@cache
def cache_bytes() -> int:
    """The size of the largest cache of a core; 32 MiB where the system does not tell."""
    sizes = [size_in_bytes(path.read_text()) for path in _CACHES.glob("index*/size")]
    return max(sizes, default=32 * 2**20)


def size_in_bytes(text: str) -> int:
    """`32768K` -> 33554432."""
    digits, unit = text.strip()[:-1], text.strip()[-1:]
    return int(digits) * _UNITS[unit] if unit in _UNITS else int(text)
