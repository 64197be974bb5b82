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
from generate import random_case
from outcomes import Outcome, attempt
from shrinking import shrink


def run_batch(seed: int, first: int, count: int, *, sanitize: bool, shrinking: bool) -> None:
    """All cases of a batch, from compiling to comparing."""
    cases: list[Case] = []
    for number in range(first, first + count):
        say(at=number)
        cases.append(random_case(seed, number))
    say(at=first)
    with tempfile.TemporaryDirectory(prefix="differential-") as folder:
        batch = compile_batch(cases, Path(folder), SANITIZED if sanitize else FAST)
        for number, (case, kernel) in enumerate(zip(cases, batch.kernels, strict=True), first):
            say(at=number)
            outcome = kernel if isinstance(kernel, Outcome) else attempt(case, kernel)
            report(number, case, outcome, shrinking=shrinking)
    say(end=first)


def report(number: int, case: Case, outcome: Outcome, *, shrinking: bool) -> None:
    """Says what became of a case, with a script if it failed."""
    code, text = "", ""
    if outcome.verdict == "failed":
        small = case
        if shrinking:
            small, outcome = shrink(case, outcome)
        code, text = small.code(), str(small)
    say(at=number, verdict=outcome.verdict, why=outcome.why, case=text, code=code)


def say(**message: Any) -> None:
    print(json.dumps(message), flush=True)


def main() -> None:
    """Serves batches until standard input ends; arguments: seed, then flags."""
    seed, flags = int(sys.argv[1]), sys.argv[2:]
    warnings.simplefilter("error")
    os.environ.pop("LD_PRELOAD", None)  # The compiler need not run under a sanitizer.
    for line in sys.stdin:
        first, count = map(int, line.split())
        run_batch(seed, first, count, sanitize="--sanitize" in flags, shrinking="--shrink" in flags)


if __name__ == "__main__":
    main()
