"""
One pass a file; `passes/pipelines.py` shows the journey.

Importing this package imports no pass and no xDSL.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tamale.dialects.lazy import load
from tamale.passes.registry import get_all_passes

if TYPE_CHECKING:
    from tamale.passes.pipeline import Pipeline

__all__ = ["Pipeline", "get_all_passes"]


def __getattr__(name: str) -> Any:
    if name == "Pipeline":  # needs xDSL, which `import tamale` must not
        return load("tamale.passes.pipeline:Pipeline")
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
