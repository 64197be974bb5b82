"""Sizes of index variables, told by the tensors that they index."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tamale.dialects.notation.ast import Access, to_text
from tamale.interpreters.memory import InterpretationFailure


def sizes_in(uses: Iterable[tuple[Access, Sequence[int]]], what: str) -> dict[str, int]:
    """
    Index variable -> size.

    Raises:
        InterpretationFailure: two accesses of `what` disagree.
    """
    sizes: dict[str, int] = {}
    for access, shape in uses:
        for variable, size in zip(access.indices, shape, strict=True):
            if sizes.setdefault(variable, size) != size:
                raise InterpretationFailure(
                    f"interpret: '{variable}' has size {sizes[variable]} and, in "
                    f"{to_text(access)}, {size}, in the kernel of {what}"
                )
    return sizes
