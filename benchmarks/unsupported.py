"""Peers that were tried and are not timed, and why."""

from __future__ import annotations

from collections.abc import Iterator

from results import Gap

GAPS = (
    Gap(
        "contractions",
        "finch-tensor",
        "0.7.0 interprets what it is given and has no product of a sparse matrix of SciPy's; the "
        "versions before it run in Julia, which they download",
    ),
    Gap(
        "converting",
        "nvmath-python",
        "without a GPU its universal sparse tensor (1.0.0) converts in Python loops: 1.3 s from "
        "CSR to CSC of 27000 entries",
    ),
)


def gaps(section: str) -> Iterator[Gap]:
    """Those that a section would have."""
    return (gap for gap in GAPS if gap.section == section)
