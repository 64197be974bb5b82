"""
The differential test: random statements, formats, sizes and types, each compared with NumPy.

    python tests/differential/run.py --cases 20000 --seed 1 --jobs 2 [--sanitize] [--check-passes]
    python tests/differential/run.py --seed 1 --only 137

Cases run in worker processes, so that a crash is caught and blamed on its case. What became of them
so far is told on standard error.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from generate import random_case

HERE = Path(__file__).resolve().parent
BATCH = 40
PATIENCE = 300.0
"""Seconds without a sign of life after which a worker is killed."""


@dataclass(frozen=True)
class Options:
    """What to run, and how."""

    seed: int = 1
    draws: int = 4
    """How many data sets each kernel runs on."""
    jobs: int = 2
    sanitize: bool = False
    shrink: bool = True
    check_passes: bool = False
    """Also interpret each kernel after every pass."""
    minutes: float | None = None
    worker: Path = HERE / "worker.py"


@dataclass
class Tally:
    """What became of the cases so far."""

    verdicts: Counter[str] = field(default_factory=Counter[str])
    refusals: Counter[str] = field(default_factory=Counter[str])
    runs: int = 0
    """How often a kernel ran right; each run has sizes and entries of its own."""
    failures: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def add(self, message: dict[str, Any]) -> None:
        self.verdicts[message["verdict"]] += 1
        self.runs += message.get("runs", 0)
        if message["verdict"] == "refused":
            self.refusals[message["why"]] += 1
        elif message["verdict"] == "failed":
            self.failures.append(message)

    @property
    def totals(self) -> str:
        """How many kernels were right, refused and wrong, and how often they ran."""
        verdicts = ", ".join(f"{self.verdicts[v]} {v}" for v in ("right", "refused", "failed"))
        return f"kernels: {verdicts}; {self.runs} runs right"

    def __str__(self) -> str:
        reasons = "".join(f"\n  {count} x {why}" for why, count in self.refusals.most_common())
        return f"{self.totals}{reasons}"


class Worker:
    """One process that runs batches, and is started again when it dies."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.errors = tempfile.TemporaryFile("w+")
        self.process = self._start()

    def _start(self) -> subprocess.Popen[str]:
        options = self.options
        command = [sys.executable, str(options.worker), str(options.seed), str(options.draws)]
        command += ["--sanitize"] * options.sanitize + ["--shrink"] * options.shrink
        command += ["--check-passes"] * options.check_passes
        environment = dict(os.environ)
        if options.sanitize:
            environment |= sanitizer_environment()
        pipe = subprocess.PIPE
        return subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=self.errors, text=True, env=environment
        )

    def run(self, first: int, count: int, add: Callable[[dict[str, Any]], None]) -> None:
        """Runs the cases of a batch; what a dying worker left undone goes to the next one."""
        end = first + count
        while first < end:
            last = self._run_until_death(first, end - first, add)
            if last is None:
                return
            add(self._obituary(last))
            first = last + 1
            self._close_pipes()
            self.process = self._start()

    def _run_until_death(
        self, first: int, count: int, add: Callable[[dict[str, Any]], None]
    ) -> int | None:
        """The case that killed the worker, or None if it survived."""
        assert self.process.stdin
        assert self.process.stdout
        at = first
        self.process.stdin.write(f"{first} {count}\n")
        self.process.stdin.flush()
        while True:
            watchdog = threading.Timer(PATIENCE, self.process.kill)
            watchdog.start()
            line = self.process.stdout.readline()
            watchdog.cancel()
            if not line:
                return at
            message = json.loads(line)
            if "end" in message:
                return None
            at = message["at"]
            if "verdict" in message:
                add(message)
                at = min(at + 1, first + count - 1)

    def _obituary(self, number: int) -> dict[str, Any]:
        """The message of a worker that could not send it any more."""
        case = random_case(self.options.seed, number)
        why = self._last_words()
        return {
            "at": number, "verdict": "failed", "why": why, "case": str(case), "code": case.code()
        }  # fmt: skip

    def _last_words(self) -> str:
        code = self.process.wait()
        self.errors.seek(0)
        said = self.errors.read()
        said = said[max(said.find("ERROR: "), 0) :][:2000]
        self.errors.seek(0)
        self.errors.truncate()
        return f"the worker died with exit code {code}\n{said}"

    def close(self) -> None:
        """Lets the process end."""
        self._close_pipes()
        self.process.wait()
        self.errors.close()

    def _close_pipes(self) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        self.process.stdout.close()


def sanitizer_environment() -> dict[str, str]:
    compiler = os.environ.get("CXX", "g++")
    asked = [compiler, "-print-file-name=libasan.so"]
    library = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    return {
        "LD_PRELOAD": library,
        # Python itself leaks; what NumPy keeps for later would hide errors.
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONMALLOC": "malloc",
    }


def run(first: int, count: int, options: Options, show: Callable[[str], None] = print) -> Tally:
    """Runs cases `first` up to `first + count`, and says every failure as soon as it is known."""
    batches = deque(
        (start, min(BATCH, first + count - start)) for start in range(first, first + count, BATCH)
    )
    tally, lock, began = Tally(), threading.Lock(), time.monotonic()

    def add(message: dict[str, Any]) -> None:
        with lock:
            tally.add(message)
            if message["verdict"] == "failed":
                show(failure_text(message, options.seed))

    def in_time() -> bool:
        return options.minutes is None or time.monotonic() - began < 60 * options.minutes

    def serve() -> None:
        worker = Worker(options)
        while in_time():
            try:
                start, size = batches.popleft()
            except IndexError:
                break
            worker.run(start, size, add)
            print(f"{time.monotonic() - began:.0f} s: {tally.totals}", file=sys.stderr, flush=True)
        worker.close()

    threads = [threading.Thread(target=serve) for _ in range(options.jobs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return tally


def failure_text(message: dict[str, Any], seed: int) -> str:
    """A failure with all that is needed to see it again."""
    return "\n".join(
        [
            f"FAILED: case {message['at']} of seed {seed}; again with",
            f"  python tests/differential/run.py --seed {seed} --only {message['at']}",
            message["case"],
            message["why"],
            "",
            *(f"    {line}" for line in message["code"].splitlines()),
            "",
        ]
    )


def main() -> int:
    """The command line; the exit code is 1 if a case failed."""
    parser = argparse.ArgumentParser(description="Random kernels, compared with NumPy.")
    parser.add_argument("--cases", type=int, default=1000, help="how many kernels (default: 1000)")
    parser.add_argument("--seed", type=int, default=1, help="of all random choices (default: 1)")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--only", type=int, help="number of the only case to run")
    parser.add_argument("--draws", type=int, default=4, help="data sets per kernel (default: 4)")
    parser.add_argument("--jobs", type=int, default=2, help="worker processes (default: 2)")
    parser.add_argument("--minutes", type=float, help="start no batch after so many minutes")
    parser.add_argument("--sanitize", action="store_true", help="with ASan and UBSan")
    parser.add_argument(
        "--check-passes", action="store_true", help="interpret the kernels after every pass, too"
    )
    parser.add_argument("--no-shrink", action="store_true", help="leave failing cases as they are")
    given = parser.parse_args()
    options = Options(
        seed=given.seed,
        draws=given.draws,
        jobs=1 if given.only is not None else given.jobs,
        sanitize=given.sanitize,
        shrink=not given.no_shrink,
        check_passes=given.check_passes,
        minutes=given.minutes,
    )
    first, count = (given.first, given.cases) if given.only is None else (given.only, 1)
    began = time.monotonic()
    tally = run(first, count, options)
    print(f"{tally}\n{time.monotonic() - began:.0f} s")
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
