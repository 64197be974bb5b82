"""Which passes there are, by name; importing this imports no pass and no xDSL."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tamale.dialects.lazy import lazy_table
from tamale.dialects.plugins import lazy_plugins
from tamale.passes.pipelines import TABLE

if TYPE_CHECKING:
    from xdsl.passes import ModulePass

XDSL_PASSES = {
    "canonicalize": "xdsl.transforms.canonicalize:CanonicalizePass",
    "cse": "xdsl.transforms.common_subexpression_elimination:CommonSubexpressionElimination",
    "dce": "xdsl.transforms.dead_code_elimination:DeadCodeElimination",
    "licm": "xdsl.transforms.loop_invariant_code_motion:LoopInvariantCodeMotionPass",
}
"""Passes of xDSL that `tamale-opt` offers next to ours."""


ENTRY_POINT_GROUP = "tamale.passes"
"""Where installed packages offer passes."""


def get_all_passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """Every pass by its name, those of installed packages included, behind a factory each."""
    own = own_passes()
    taken = (*own, *TABLE.pipelines)
    return own | lazy_plugins(ENTRY_POINT_GROUP, "xdsl.passes:ModulePass", taken)


def own_passes() -> dict[str, Callable[[], type[ModulePass]]]:
    """The passes that come with tamale, each behind a factory that imports it."""
    ours = {step.name: step.path for step in TABLE.steps.values()}
    return lazy_table(ours | XDSL_PASSES)
