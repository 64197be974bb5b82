"""What a new process waits for."""

from __future__ import annotations

import sys
import sysconfig
from collections.abc import Iterator, Sequence
from pathlib import Path

from effort import Effort
from results import Latency, Result, Seconds
from timing import child_seconds, medians, output_of

SECTION = "starting"
VERSION = "tamale-opt --version"
IMPORT = "import tamale"
FIRST_CALL = "first call, kernel on disk"

PROLOGUE = "from time import perf_counter, process_time; import numpy as np"
TIMED = "cpu, wall = process_time(), perf_counter()"
EPILOGUE = "print(process_time() - cpu, perf_counter() - wall)"
CALL = """\
import tamale as tm
kernel = tm.compile("y(i) = A(i,j) * x(j)", A="csr")
y = kernel(A=tm.tensor(np.eye(2), "csr"), x=np.ones(2))
assert y.tolist() == [1, 1]
"""


def measure(effort: Effort) -> Iterator[Result]:
    """Whole programs, and parts of them that they time themselves."""
    program = str(Path(sysconfig.get_path("scripts")) / "tamale-opt")
    for what, command in (
        ("python -c pass", [sys.executable, "-c", "pass"]),
        (VERSION, [program, "--version"]),
    ):
        yield Latency(SECTION, what, "", whole(command, effort.slow_repetitions))
    yield Latency(SECTION, IMPORT, "", inside(IMPORT, effort.slow_repetitions))
    yield Latency(SECTION, FIRST_CALL, "", inside(CALL, effort.slow_repetitions))


def whole(command: Sequence[str], count: int) -> Seconds:
    """The median of `count` runs of a program, after one that fills the caches of the disk."""
    output_of(command)
    return medians([child_seconds(lambda: output_of(command)) for _ in range(count)])


def inside(code: str, count: int) -> Seconds:
    """The median time of `code` in new processes, which have NumPy; one before fills caches."""
    script = "\n".join([PROLOGUE, TIMED, code, EPILOGUE])
    samples: list[Seconds] = []
    for _ in range(count + 1):
        cpu, wall = output_of([sys.executable, "-c", script]).split()
        samples.append(Seconds(float(cpu), float(wall)))
    return medians(samples[1:])
