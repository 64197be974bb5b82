"""
Runs batches in a process of its own, which may crash.

Standard input has lines `first count`. Standard output has lines of JSON: `{"at": number}` before
anything is done with a case, the same with its verdict after, `{"end": first}` last.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

from batches import FAST, SANITIZED, compile_batch
from cases import Case
from following import follow
from generate import random_case
from outcomes import Outcome, attempt
from shrinking import shrink


def run_batch(
    seed: int,
    first: int,
    count: int,
    draws: int,
    *,
    sanitize: bool,
    shrinking: bool,
    check_passes: bool = False,
) -> None:
    """All cases of a batch, from compiling to comparing; each kernel on `draws` data sets."""
    cases: list[Case] = []
    for number in range(first, first + count):
        say(at=number)
        cases.append(random_case(seed, number))
    say(at=first)
    with tempfile.TemporaryDirectory(prefix="differential-") as folder:
        batch = compile_batch(cases, Path(folder), SANITIZED if sanitize else FAST)
        for number, (case, kernel) in enumerate(zip(cases, batch.kernels, strict=True), first):
            say(at=number)
            runs = 0
            outcome = kernel if isinstance(kernel, Outcome) else attempt(case, kernel)
            while not isinstance(kernel, Outcome) and outcome.verdict == "right":
                runs += 1
                if runs == draws:
                    break
                case = random_case(seed, number, runs)
                outcome = attempt(case, kernel)
            followed = check_passes and outcome.verdict == "right"
            if followed and not isinstance(kernel, Outcome):
                outcome = follow(kernel, seed)
            report(number, case, outcome, runs, shrinking=shrinking and not followed)
    say(end=first)


def report(number: int, case: Case, outcome: Outcome, runs: int, *, shrinking: bool) -> None:
    """Says what became of a case and how often it ran right, with a script if it failed."""
    code, text = "", ""
    if outcome.verdict == "failed":
        small = case
        if shrinking:
            small, outcome = shrink(case, outcome)
        code, text = small.code(), str(small)
    say(at=number, verdict=outcome.verdict, why=outcome.why, runs=runs, case=text, code=code)


def say(**message: Any) -> None:
    print(json.dumps(message), flush=True)


def main() -> None:
    """Serves batches until standard input ends; arguments: seed, draws, then flags."""
    seed, draws, flags = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    warnings.simplefilter("error")
    os.environ.pop("LD_PRELOAD", None)  # The compiler need not run under a sanitizer.
    for line in sys.stdin:
        first, count = map(int, line.split())
        run_batch(
            seed,
            first,
            count,
            draws,
            sanitize="--sanitize" in flags,
            shrinking="--shrink" in flags,
            check_passes="--check-passes" in flags,
        )


if __name__ == "__main__":
    main()
