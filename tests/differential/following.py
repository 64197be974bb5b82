"""A kernel followed through its passes: every stage is interpreted, and has to give the same."""

from __future__ import annotations

from outcomes import Outcome

from tamale.frontend.kernel import Kernel
from tamale.interpreters.checking import PassChecker
from tamale.passes import Pipeline
from tamale.passes.pipelines import TABLE

SAMPLES = 2
"""An ordinary one and a nearly full one; see `interpreters/sampling.py`."""


def follow(kernel: Kernel, seed: int) -> Outcome:
    """Runs the passes of a kernel, as it asks for them, and after each the kernel on samples."""
    module = kernel.stages.module("tin")
    checker = PassChecker(module, seed=seed, samples=SAMPLES)
    if checker.skipped:
        return Outcome("failed", f"check-passes: not checked: {'; '.join(checker.skipped)}")
    road = ",".join(map(kernel.stages.with_options, TABLE.expand("compute")))
    for pass_ in Pipeline(road).steps(module, verify=False):
        if (difference := checker.after(pass_.name, module)) is not None:
            return Outcome("failed", str(difference))
    return Outcome("right")
