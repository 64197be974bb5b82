"""
What a call knows about the sizes of its operands, and which of it is worth a kernel of its own.

Numbers are rounded to powers of 2: tensors of about the same size get the same kernel. Where all
operands are small, no choice would save as much as it takes to find a kernel, and the kernel that
fits every size is taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from tamale.dialects.errors import ScheduleError
from tamale.dialects.format.statistics import Statistics
from tamale.frontend.request import Request
from tamale.frontend.tensor import Tensor

ENTRIES = 2**12
SIZE = 2**20
"""With fewer entries, and shorter modes, nothing is chosen anew."""


def operand_statistics(value: Any) -> Statistics:
    """How large an operand of a call is, rounded."""
    if type(value) is Tensor:
        return value.statistics
    return _statistics_of_sizes(tuple(getattr(value, "shape", ())))


@lru_cache(maxsize=4096)
def _statistics_of_sizes(sizes: tuple[int, ...]) -> Statistics:
    return Statistics(sizes).rounded()


def known_of(request: Request, given: Mapping[str, Any]) -> tuple[Statistics, ...]:
    """How large the operands of a call are, in their order in the request."""
    return tuple([operand_statistics(given.get(o.name)) for o in request.operands])


def worth_a_choice(request: Request, known: Sequence[Statistics]) -> dict[str, Statistics]:
    """Operand -> statistics; empty where all operands are small, or one does not fit."""
    pairs = list(zip(request.operands, known, strict=True))
    if any(len(o.indices) != len(statistics.sizes) for o, statistics in pairs):
        return {}
    large = any(s.largest >= ENTRIES or s.longest >= SIZE for s in known)
    return {operand.name: s for operand, s in pairs} if large else {}


def with_statistics(
    request: Request, sizes: Mapping[str, int], entries: Mapping[str, int]
) -> Request:
    """
    A request for operands that are about as large as a user says, before there are any.

    Args:
        sizes: index variable -> size.
        entries: operand -> stored entries.

    Raises:
        ScheduleError: a name is none of the statement's.
    """
    variables = dict.fromkeys(v for a in (request.result, *request.uses) for v in a.indices)
    operands = [operand.name for operand in request.operands]
    _check("sizes", "an index variable", sizes, list(variables), request)
    _check("entries", "an operand", entries, operands, request)
    if not request.has_choices:
        return request
    found: dict[str, Statistics] = {}
    for operand in request.operands:
        stored: list[int | None] = [None] * len(operand.format.levels)
        if operand.name in entries and stored:
            stored[-1] = entries[operand.name]
        own = tuple(sizes.get(variable) for variable in operand.indices)
        known = Statistics(own, tuple(stored)).rounded()
        if not known.is_empty:
            found[operand.name] = known
    return replace(request, statistics=found)


def _check(
    what: str, thing: str, numbers: Mapping[str, int], known: Sequence[str], request: Request
) -> None:
    for name in numbers:
        if name not in known:
            raise ScheduleError(
                f"{what}: '{name}' is not {thing} of  {request.source}\n"
                f"  help: there are {', '.join(known) or 'none'}"
            )
