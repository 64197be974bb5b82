"""How much to measure: everything, or just enough to see that the suite works."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Effort:
    """Sizes of the matrices made here, and numbers of repetitions."""

    repetitions: int
    """Samples of each contender; their median counts. At least 7 for a figure to be believed."""

    sample_seconds: float
    """A sample repeats a short call until it lasts about this long."""

    slow_repetitions: int
    """The same of what takes long by itself: a pipeline, the C++ compiler, a new process."""

    grid_2d: int
    """Points along each side of the 5-point stencil."""

    grid_3d: int
    """Points along each side of the 7-point stencil."""

    power_law: int
    """Rows of the power-law matrix."""

    elasticity: int
    """Points along each side of the finite-element grid."""

    wide_scale: float
    """Factor on the sizes of the first three where operands have many dense columns."""

    dense_bytes: int
    """The size of the largest dense operand; matrices that need a larger one are left out there."""

    stand_ins: bool
    """Whether to make the stencils of the conversion paper in their sizes."""

    files: int
    """How many matrices to read from the data folder, the largest files first."""

    tensor_files: int
    """The same of tensors."""


USUAL = Effort(
    repetitions=7,
    sample_seconds=0.005,
    slow_repetitions=7,
    grid_2d=800,
    grid_3d=75,
    power_law=360_000,
    elasticity=300,
    wide_scale=0.6,
    dense_bytes=1 << 27,
    stand_ins=False,
    files=5,
    tensor_files=2,
)
"""For figures: 16 minutes with all peers. What is made here is just larger than caches are."""

FULL = replace(
    USUAL,
    repetitions=11,
    sample_seconds=0.01,
    slow_repetitions=11,
    grid_2d=1500,
    grid_3d=120,
    power_law=1_000_000,
    wide_scale=0.4,
    dense_bytes=1 << 30,
    stand_ins=True,
    files=100,
    tensor_files=100,
)
"""For figures from all that there is in the data folder: an hour."""

QUICK = Effort(
    repetitions=7,
    sample_seconds=0.0002,
    slow_repetitions=1,
    grid_2d=30,
    grid_3d=10,
    power_law=1000,
    elasticity=10,
    wide_scale=0.5,
    dense_bytes=1 << 30,
    stand_ins=False,
    files=0,
    tensor_files=0,
)
"""For a look and for tests; a few seconds. Its figures mean nothing."""
