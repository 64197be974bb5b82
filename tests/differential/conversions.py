"""
The long form of the conversion test: random formats, shapes, entries, types and widths.

    python tests/differential/conversions.py --cases 400 --seed 1 [--sanitize] [--minutes 30]
    python tests/differential/conversions.py --seed 1 --only 17

Each case stores random entries in one random format, converts them to another, and compares with
NumPy. Cases run in batches, each compiled at once in a process of its own, which may crash.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from batches import FAST, SANITIZED
from conversion_batches import BatchedConversion, compile_conversions
from entry_lists import any_list, random_entries, unlike
from format_lines import random_format
from run import sanitizer_environment

from tamale.dialects.errors import FormatError, KernelError
from tamale.dialects.format.spec import Format
from tamale.frontend.converting import conversion

HERE = Path(__file__).resolve()
BATCH = 12
DRAWS = 8
"""How many tensors each case converts."""
DTYPES = ("float64", "float32", "int32", "int64", "complex128")
LARGEST = {2: 9, 3: 5}
"""Order -> the largest size of a mode."""


@dataclass(frozen=True)
class Case:
    """A conversion by way of a random format."""

    number: int
    source: Format
    target: Format
    dtype: str

    def __str__(self) -> str:
        return f"case {self.number}: {self.source}  to  {self.target}  ({self.dtype})"

    @property
    def pairs(self) -> list[tuple[Format, Format]]:
        return [(any_list(self.source.order), self.source), (self.source, self.target)]


@dataclass
class Tally:
    """What became of the cases."""

    verdicts: Counter[str] = field(default_factory=Counter[str])
    runs: int = 0
    """How many tensors were converted right."""
    failures: list[str] = field(default_factory=list[str])

    def __str__(self) -> str:
        counts = ", ".join(f"{n} {verdict}" for verdict, n in sorted(self.verdicts.items()))
        return f"conversions: {counts}; {self.runs} tensors right"


def random_case(seed: int, number: int) -> Case:
    """The same for the same numbers."""
    random = np.random.default_rng([seed, number])
    order = 2 if random.random() < 0.75 else 3
    source, target = (random_format(random, order) for _ in range(2))
    return Case(number, source, target, str(random.choice(DTYPES)))


# In the process of a batch


def run_batch(seed: int, numbers: Sequence[int], *, sanitize: bool) -> None:
    """Says `{"at": number}` before each case and its verdict after."""
    cases = [case for case in (random_case(seed, n) for n in numbers) if _is_planned(case)]
    with tempfile.TemporaryDirectory(prefix="conversions-") as folder:
        batch = compile_conversions(
            [pair for case in cases for pair in case.pairs],
            Path(folder),
            dtypes=[case.dtype for case in cases for _ in case.pairs],
            flags=SANITIZED if sanitize else FAST,
        )
        for number, case in enumerate(cases):
            say(at=case.number)
            into, conversion = batch[2 * number : 2 * number + 2]
            say(at=case.number, **_attempt(seed, case, into, conversion))


def _is_planned(case: Case) -> bool:
    """Whether code can be made; a refusal is said at once."""
    say(at=case.number)
    try:
        for source, target in case.pairs:
            _ = conversion(source, target, case.dtype).cpp
    except FormatError as error:
        say(at=case.number, verdict="refused", why=str(error))
        return False
    return True


def _attempt(
    seed: int, case: Case, into: BatchedConversion, conversion: BatchedConversion
) -> dict[str, Any]:
    runs = 0
    for draw in range(DRAWS):
        random = np.random.default_rng([seed, case.number, draw])
        order = case.source.order
        shape = random.integers(0 if draw == 0 else 1, LARGEST[order] + 1, order).tolist()
        entries = random_entries(random, shape, case.dtype)
        if any(level.kind == "banded" for f in (case.source, case.target) for level in f.levels):
            entries = entries.lower
        try:
            tensor = into(entries.as_list())
            problem = unlike(tensor, entries.as_list(), entries.dense)
            if not problem:
                problem = unlike(conversion(tensor), tensor, entries.dense)
        except KernelError as error:
            if "diagonal" not in str(error):
                return {"verdict": "failed", "why": f"draw {draw}, {shape}: {error}"}
            continue
        except Exception as error:
            return {"verdict": "failed", "why": f"draw {draw}, {shape}: {error!r}"}
        if problem:
            return {"verdict": "failed", "why": f"draw {draw}, {shape}: {problem}"}
        runs += 1
    return {"verdict": "right", "runs": runs}


def say(**message: Any) -> None:
    print(json.dumps(message), flush=True)


# In the process that is called


def run(
    seed: int,
    numbers: Sequence[int],
    *,
    sanitize: bool = False,
    minutes: float | None = None,
    show: Callable[[str], None] = print,
) -> Tally:
    """Runs cases, and says every failure as soon as it is known."""
    tally, began = Tally(), time.monotonic()
    for start in range(0, len(numbers), BATCH):
        if minutes is not None and time.monotonic() - began > 60 * minutes:
            break
        for message in _messages(seed, numbers[start : start + BATCH], sanitize=sanitize):
            tally.verdicts[message["verdict"]] += 1
            tally.runs += message.get("runs", 0)
            if message["verdict"] == "failed":
                case = random_case(seed, message["at"])
                tally.failures.append(f"FAILED: seed {seed}, {case}\n{message['why']}")
                show(tally.failures[-1])
    return tally


def _messages(seed: int, numbers: Sequence[int], *, sanitize: bool) -> Iterator[dict[str, Any]]:
    """The verdicts on a batch; the case during which the process died failed."""
    command = [sys.executable, str(HERE), "--seed", str(seed), "--batch", *map(str, numbers)]
    command += ["--sanitize"] * sanitize
    environment = dict(os.environ) | (sanitizer_environment() if sanitize else {})
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    at, judged = numbers[0], set[int]()
    for line in done.stdout.splitlines():
        message = json.loads(line)
        at = message["at"]
        if "verdict" in message:
            judged.add(at)
            yield message
    if done.returncode != 0:
        judged.add(at)
        yield {"at": at, "verdict": "failed", "why": done.stderr[-3000:]}
        rest = [number for number in numbers if number not in judged]
        if rest:
            yield from _messages(seed, rest, sanitize=sanitize)


def main() -> int:
    """The command line; the exit code is 1 if a case failed."""
    parser = argparse.ArgumentParser(description="Random conversions, compared with NumPy.")
    parser.add_argument("--cases", type=int, default=200, help="how many (default: 200)")
    parser.add_argument("--seed", type=int, default=1, help="of all random choices (default: 1)")
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--only", type=int, help="number of the only case to run")
    parser.add_argument("--minutes", type=float, help="start no batch after so many minutes")
    parser.add_argument("--sanitize", action="store_true", help="with ASan and UBSan")
    parser.add_argument("--batch", type=int, nargs="+", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.batch:
        warnings.simplefilter("error")
        os.environ.pop("LD_PRELOAD", None)  # The compiler need not run under a sanitizer.
        run_batch(given.seed, given.batch, sanitize=given.sanitize)
        return 0
    numbers = range(given.first, given.first + given.cases) if given.only is None else [given.only]
    began = time.monotonic()
    tally = run(given.seed, numbers, sanitize=given.sanitize, minutes=given.minutes)
    print(f"{tally}\n{time.monotonic() - began:.0f} s")
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
