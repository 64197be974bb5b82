"""Which processor this is: a kernel compiled for one may use instructions that another lacks."""

import platform
from collections.abc import Iterable
from functools import cache
from pathlib import Path

_CPUINFO = Path("/proc/cpuinfo")

# What stays the same from boot to boot and decides what `-march=native` means: the names
# that x86, Arm, RISC-V and POWER kernels use. Frequencies and the like are left out.
_LASTING = {
    "vendor_id", "cpu family", "model", "model name", "stepping", "cache size", "flags",
    "CPU implementer", "CPU architecture", "CPU variant", "CPU part", "Features",
    "isa", "uarch", "cpu",
}  # fmt: skip


@cache
def cpu_identity() -> str:
    """The text that tells this machine's kind of processor from others."""
    lines = [platform.system(), platform.machine()]
    try:
        with _CPUINFO.open() as file:
            lines += lasting_facts(file)
    except OSError:  # Not Linux.
        lines.append(platform.processor())
    return "\n".join(lines)


def lasting_facts(lines: Iterable[str]) -> list[str]:
    """
    The lasting facts of the first processor. The file says the same again for every core,
    which takes long on large machines, so it is read no further.
    """
    facts: list[str] = []
    for line in lines:
        if not line.strip():
            break
        if line.partition(":")[0].strip() in _LASTING:
            facts.append(line.strip())
    return facts
