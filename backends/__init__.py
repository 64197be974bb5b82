"""What a lowered module can become. Importing this package imports no backend and no xDSL."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tamale.dialects.lazy import lazy_table
from tamale.dialects.plugins import lazy_plugins

if TYPE_CHECKING:
    from xdsl.utils.target import Target

TARGETS = {
    "mlir": "xdsl.targets.mlir:MLIRTarget",
    "cpp": "tamale.backends.cpp.target:CppTarget",
    "dot": "tamale.backends.dot.target:DotTarget",
}
"""Where each output form of `tamale-opt -t` lives."""

ENTRY_POINT_GROUP = "tamale.targets"
"""Where installed packages offer others."""


def get_all_targets() -> dict[str, Callable[[], type[Target]]]:
    """Every output form of `tamale-opt -t`, each behind a factory that imports it."""
    plugins = lazy_plugins(ENTRY_POINT_GROUP, "xdsl.utils.target:Target", TARGETS)
    return lazy_table(TARGETS) | plugins
