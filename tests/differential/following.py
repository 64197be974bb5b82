"""A kernel followed through its passes: every stage is interpreted, and has to give the same."""

from __future__ import annotations

from outcomes import Outcome

from tamale.frontend.kernel import Kernel
from tamale.interpreters.checking import PassChecker
from tamale.passes import Pipeline

SAMPLES = 2
"""An ordinary one and a nearly full one; see `interpreters/sampling.py`."""


def follow(kernel: Kernel, seed: int) -> Outcome:
    """Runs the passes of a kernel, and after each of them the kernel on random tensors."""
    module = kernel.stages.module("tin")
    checker = PassChecker(module, seed=seed, samples=SAMPLES)
    if checker.skipped:
        return Outcome("failed", f"check-passes: not checked: {'; '.join(checker.skipped)}")
    for pass_ in Pipeline("compute").steps(module, verify=False):
        if (difference := checker.after(pass_.name, module)) is not None:
            return Outcome("failed", str(difference))
    return Outcome("right")
