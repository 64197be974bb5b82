"""
Fuzzing: texts and modules that nobody would write, in processes that may die.

    python tests/fuzzing/run.py --count 10000 --seed 0
    python tests/fuzzing/run.py --subjects module --count 1 --seed 1234    # one input again

Every input has to be accepted, or refused with an error that users are told. Whatever else is
raised, a hang and the death of the process are faults: each is printed once, with the command
that repeats it, and the run ends with 1. Input `n` of a subject depends on `n` alone.
"""

from __future__ import annotations

import argparse
import os
import pickle
import resource
import select
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from types import FrameType
from typing import NoReturn

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "differential"))

from corpus import formats, statements
from subjects import subjects

MEMORY = 3 << 30
"""Bytes of address space of each process."""

LONGEST = 20
"""Seconds of processor time that one input may take."""

SHARES = {"module": 6, "request": 2, "IR of passes": 2, "IR of dialects": 2}
"""How often a subject comes where another one comes once."""

BATCH = 200
"""How many inputs one process gets."""


class Hang(BaseException):
    """An input takes too long."""


@dataclass(frozen=True)
class Fault:
    """An input that was neither accepted nor refused."""

    subject: str
    number: int
    what: str
    place: str = ""
    """Where it happened: inputs that fail there are one fault."""

    def __str__(self) -> str:
        again = f"--subjects '{self.subject}' --count 1 --seed {self.number}"
        return f"{self.what}\n  again: python tests/fuzzing/run.py {again}"


@dataclass
class Tally:
    """What became of the inputs."""

    outcomes: Counter[str] = field(default_factory=Counter[str])
    faults: list[Fault] = field(default_factory=list[Fault])

    def __str__(self) -> str:
        outcomes = ", ".join(f"{count} {name}" for name, count in sorted(self.outcomes.items()))
        return f"{self.outcomes.total()} inputs: {outcomes}"


def schedule(names: Sequence[str], first: int, count: int) -> Iterator[tuple[str, int]]:
    """So many inputs, as subject and number: subjects take turns."""
    turns = [name for name in names for _ in range(SHARES.get(name, 1))]
    numbers = {name: first for name in names}
    for k in range(count):
        name = turns[k % len(turns)]
        yield name, numbers[name]
        numbers[name] += 1


def attempt(name: str, number: int) -> str | Fault:
    """What becomes of one input."""
    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
    try:
        return f"{name} {subjects()[name](Random(f'{name}:{number}'), number)}"
    except (Exception, Hang) as error:
        summary = f"{type(error).__name__}: {error}".split("\n", 1)[0]
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{type(error).__name__} {frame.filename}:{frame.lineno}"
        return Fault(name, number, f"{name} {number}: {summary}\n{_tail(error)}", place)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def _tail(error: BaseException) -> str:
    """The last calls before an error."""
    return "".join(traceback.format_tb(error.__traceback__, limit=-6)).rstrip()


def _hang(signum: int, frame: FrameType | None) -> NoReturn:
    raise Hang(f"more than {LONGEST} s")


def work(inputs: Sequence[tuple[str, int]], pipe: int) -> None:
    """In a process of its own: the outcomes of some inputs, written one by one."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.signal(signal.SIGVTALRM, _hang)
    for name, number in inputs:
        record = pickle.dumps(attempt(name, number))
        os.write(pipe, len(record).to_bytes(4, "big") + record)


def run_batch(inputs: Sequence[tuple[str, int]]) -> Iterator[str | Fault]:
    """The outcomes of some inputs; where the process dies, the rest gets another one."""
    done = 0
    while done < len(inputs):
        for outcome in _outcomes(inputs[done:]):
            done += 1
            yield outcome


def _outcomes(inputs: Sequence[tuple[str, int]]) -> Iterator[str | Fault]:
    """The outcomes up to the last input, or to the one that kills the process."""
    reading, writing = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            work(inputs, writing)
        finally:
            os._exit(0)
    os.close(writing)
    seen = 0
    with os.fdopen(reading, "rb") as stream:
        while select.select([stream], [], [], 20 * LONGEST)[0] and (head := stream.read(4)):
            seen += 1
            yield pickle.loads(stream.read(int.from_bytes(head, "big")))
    if seen < len(inputs):
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if seen < len(inputs):
        name, number = inputs[seen]
        what = f"{name} {number}: the process died or was stuck (status {status})"
        yield Fault(name, number, what)


def run(names: Sequence[str], first: int, count: int) -> Tally:
    """So many inputs, or as many as there are until somebody interrupts."""
    tally = Tally()
    statements()  # Made once, for every process.
    formats()
    with suppress(KeyboardInterrupt):
        run_all(names, first, count, tally)
    return tally


def run_all(names: Sequence[str], first: int, count: int, tally: Tally) -> None:
    """So many inputs, in processes of a few hundred."""
    places: set[str] = set()
    inputs = list(schedule(names, first, count))
    for start in range(0, count, BATCH):
        for outcome in run_batch(inputs[start : start + BATCH]):
            if isinstance(outcome, str):
                tally.outcomes[outcome] += 1
                continue
            tally.outcomes["FAULTS"] += 1
            if outcome.place not in places:
                places.add(outcome.place)
                tally.faults.append(outcome)
                print(outcome, flush=True)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Fuzzes parsers, the verifier and the passes.")
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0, help="number of the first input")
    parser.add_argument("--subjects", nargs="+", choices=sorted(subjects()), metavar="NAME")
    options = parser.parse_args(arguments)
    tally = run(options.subjects or list(subjects()), options.seed, options.count)
    print(tally)
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
