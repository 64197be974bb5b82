"""
Attacks in a process of its own, whose memory is limited.

    python tests/hostile/run.py --count 10000 --seed 0

Prints how many inputs were refused and how many turned out sound. Ends with 1 and the seed at the
first attack that raises anything else, hangs, or leaves the process larger and larger.
"""

from __future__ import annotations

import argparse
import faulthandler
import resource
import sys
import tempfile
import traceback
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from attacks import attack_arrays, attack_file, tensors

MEMORY = 6 << 30
"""Bytes of address space; a file that claims more must be refused, not believed."""

LONGEST = 60
"""Seconds that one attack may take, compilation included."""

GROWTH = 200 << 10
"""Kilobytes by which the second half of a run may grow the process."""


def largest() -> int:
    """The largest size of the process so far, in kilobytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def run(count: int, seed: int, folder: Path) -> Counter[str]:
    """The outcomes of so many attacks, half of them on files."""
    whole, outcomes, halfway = tensors(), Counter[str](), 0
    for number in range(seed, seed + count):
        faulthandler.dump_traceback_later(LONGEST, exit=True)
        on_file = number % 2 == 0
        try:
            found = attack_file(number, folder) if on_file else attack_arrays(number, whole)
        except BaseException:
            traceback.print_exc()
            sys.exit(f"seed {number}: not refused, and no sound tensor")
        outcomes[f"{'file' if on_file else 'arrays'} {found}"] += 1
        if number == seed + count // 2:
            halfway = largest()
    faulthandler.cancel_dump_traceback_later()
    if count >= 2000 and largest() - halfway > GROWTH:
        sys.exit(f"the process grew by {largest() - halfway} kB in the second half")
    return outcomes


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    with tempfile.TemporaryDirectory() as folder:
        outcomes = run(arguments.count, arguments.seed, Path(folder))
    print(", ".join(f"{count} {name}" for name, count in sorted(outcomes.items())))


if __name__ == "__main__":
    main()
