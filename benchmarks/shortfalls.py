"""
Why limits are missed, which the report says beside each that is.

What was measured for it, and tried, is in `docs/rationale/missed-limits.md`.
"""

from __future__ import annotations

PAGE = "docs/rationale/missed-limits.md"

REASONS = (
    ("SpMV csr, kernel, share", "rows of unforeseen lengths, whose ends are guessed wrong, and x"),
    ("TTM", "it takes little longer than to copy as much as the result; the peer does the same"),
    ("MTTKRP to", "small tensors, where the call and short rows of the result count"),
    ("csr_bcsr", "three passes over the entries, and one that clears all blocks before"),
    ("csc_ell", "the scatter into slots; rows are counted twice, for the width and the slots"),
    ("coo_ell", "the same as csc_ell"),
    ("coo_csr to MKL", "runs differ by more than is missing: nothing but memory, in both"),
    ("P' A P", "runs differ by more than is missing: 1.24 and 1.38 by the same schedule"),
    ("C++ compiler", "rows in registers: loops of 32 and 16 elements, each unrolled"),
    ("A B, 32 columns, two threads", "both wait for the memory that one keeps busy already"),
    ("A * A, two threads", "memory, and what is done before and behind the shared loop"),
    ("MTTKRP, two threads", "the tensors are small: a thread begins and ends in tens of us"),
    ("A + B, two threads", "one thread takes half of the bandwidth; parts are joined by a copy"),
    ("conversions, two threads", "memory: what one thread moves already, and scatters of entries"),
    ("skewed products", "hand-written rows wait for memory just as shared entries do"),
)
"""The beginning of a limit's name, and the reason."""


def reason(limit: str) -> str | None:
    """Why a limit is missed, as far as that was found out."""
    return next((why for start, why in REASONS if limit.startswith(start)), None)
