"""Why a conversion stopped, in the user's terms: the formats, the sizes, and what would help."""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamale.backends.cpp.status import OUT_OF_MEMORY, STATUS_MESSAGES
from tamale.dialects.errors import FormatError, KernelError
from tamale.dialects.format.expressions import Counter, Expr, counters
from tamale.dialects.format.normal import normal_form
from tamale.dialects.format.selection import Selection
from tamale.dialects.format.spec import Format, Level
from tamale.frontend.dtypes import INDEX_TYPES
from tamale.frontend.entries import list_format
from tamale.frontend.levels import evaluate_columns, level_range
from tamale.frontend.naming import shown
from tamale.frontend.tensor import Tensor
from tamale.passes.levels import array_width, storage_kind
from tamale.passes.levels.functions import StoredLevel

LARGE_COUNTERS = 1 << 31
"""Bytes of the counters of a selection from which on they are the first suspects."""


def conversion_error(
    status: int, tensor: Tensor, target: Format, where: Selection | None = None
) -> KernelError:
    """The error for a status that a conversion returned, of selected entries or of all."""
    meaning = STATUS_MESSAGES.get(status, f"status {status}")
    head = f"convert: {_described(tensor)} cannot be stored as {shown(target)}: "
    if where is not None and (status == OUT_OF_MEMORY or meaning == "size overflow"):
        modes, count = _largest_counter(tensor, where)
        if count * 8 >= LARGE_COUNTERS:
            return KernelError(
                f"{head}the selection '{where}' counts per {' '.join(modes)}, which takes {count} "
                "counters\n  help: count per a mode of fewer coordinates"
            )
    match meaning:
        case "position overflow":
            return KernelError(head + _too_wide(target))
        case "size overflow":
            return KernelError(head + _too_large(tensor, target))
        case "format cannot hold an entry":
            return KernelError(head + _refused_entry(target))
        case _ if status == OUT_OF_MEMORY:
            return KernelError(head + _too_big(tensor, target))
        case _:
            return KernelError(head + meaning)


def _largest_counter(tensor: Tensor, where: Selection) -> tuple[tuple[str, ...], int]:
    """The modes that the largest counter of a selection counts per, and how many counts that is."""
    sizes = dict(zip(tensor.format.modes, tensor.shape, strict=True))
    found = [c.variables for comparison in where.comparisons for c in comparison.counters]
    counts = [(modes, prod(sizes[mode] for mode in modes)) for modes in found]
    return max(counts, key=lambda item: item[1], default=((), 0))


def _described(tensor: Tensor) -> str:
    """`the 3 x 4 tensor with 5 entries (csr)`."""
    sizes = " x ".join(map(str, tensor.shape))
    count = len(tensor.nonzeros()[1])
    entries = "1 entry" if count == 1 else f"{count} entries"
    format = tensor.format
    where = "" if format == list_format(format.order, format.pos) else f" ({shown(format)})"
    return f"the {sizes} tensor with {entries}{where}"


def _too_wide(target: Format) -> str:
    wide = target.with_widths(pos="i64", crd="i64")
    if wide == target:
        return "a count or coordinate does not fit into 64 bits"
    return f"a count or coordinate does not fit into 32 bits\n  help: convert to '{shown(wide)}'"


def _too_large(tensor: Tensor, target: Format) -> str:
    """A size did not fit into the elements of an array, or the sizes' product into 64 bits."""
    for k, level in enumerate(target.levels):
        low, size = level_range(target, tensor.shape, k)
        for array in storage_kind(level.kind).arrays:
            most = np.iinfo(INDEX_TYPES[array_width(target, k, array)]).max
            if "crd" in array and low + size - 1 > most:
                return _too_wide(target)
    return _too_big(tensor, target)


def _too_big(tensor: Tensor, target: Format) -> str:
    needed = positions_needed(tensor, target)
    if needed[-1] is None:
        return "it does not fit into memory"
    size = _bytes(needed[-1] * tensor.dtype.itemsize)
    known = [positions for positions in needed if positions is not None]
    if needed[-1] == max(known):
        where = f"it would hold {needed[-1]:,} values, {size}"
    else:
        k = known.index(max(known))
        where = f"level {k + 1} ('{target.levels[k]}') would have {known[k]:,} positions"
    return f"{where}, which do not fit into memory\n  help: csf and coo store entries only"


def _bytes(size: float) -> str:
    """`1.5 GB`."""
    for unit in ("bytes", "kB", "MB", "GB", "TB", "PB"):
        if size < 1000:
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:,.0f} EB"


def _refused_entry(target: Format) -> str:
    kinds = {level: storage_kind(level.kind).holds for level in target.levels}
    limits = [f"level '{level}' holds {what} only" for level, what in kinds.items() if what]
    return (
        f"{' and '.join(limits) or 'it cannot hold one of the entries'}\n"
        "  help: convert only those entries, or to another format"
    )


# How large a result is


def positions_needed(tensor: Tensor, target: Format) -> list[int | None]:
    """
    How many positions each level would have in another format, padding included; None if nothing
    short of the conversion tells. Those of the last level are the values.

    Cost: as that of sorting the entries once per level.
    """
    columns, needed = _level_columns(tensor, target), list[int | None]()
    parents: int | None = 1
    for k in range(len(target.levels)):
        if parents is not None and columns is not None:
            parents = _positions(tensor, target, k, columns[: k + 1], parents)
        needed.append(parents if columns is not None else None)
    return needed


def _level_columns(tensor: Tensor, target: Format) -> list[NDArray[np.int64]] | None:
    """Per level of the target: the coordinate of every entry."""
    crds, _ = tensor.nonzeros()
    modes: dict[str, Any] = dict(zip(target.modes, crds, strict=True))
    columns: list[NDArray[np.int64]] = []
    for level in target.levels:
        expression: Expr = normal_form(level.expression)
        if isinstance(expression, Counter):
            columns.append(_ranks([modes[name] for name in expression.variables], len(crds[0])))
        elif counters(expression):
            return None
        else:
            column = np.asarray(evaluate_columns(expression, modes), np.int64)
            columns.append(np.broadcast_to(column, (len(crds[0]),)))
    return columns


def _ranks(keys: list[NDArray[np.int64]], count: int) -> NDArray[np.int64]:
    """For each entry: how many before it have the same keys."""
    order = np.lexsort(keys) if keys else np.arange(count)
    new = np.zeros(count, np.bool_)
    for key in keys:
        new[1:] |= key[order][1:] != key[order][:-1]
    new[:1] = True
    places = np.arange(count)
    ranks = np.empty(count, np.int64)
    ranks[order] = places - np.maximum.accumulate(np.where(new, places, 0))
    return ranks


def _positions(
    tensor: Tensor, target: Format, k: int, columns: list[NDArray[np.int64]], parents: int
) -> int | None:
    """How many positions level k has below its parents."""
    level, kind = target.levels[k], storage_kind(target.levels[k].kind)
    low, size = level_range(target, tensor.shape, k)
    arrays: dict[str, Any] = {}
    if kind.arrays[:1] == ("size",):
        arrays["size"] = [_stored_size(level, columns[-1], low)]
    try:
        return kind.count(StoredLevel(arrays, size, target.properties(k), "", low), parents)
    except (KeyError, FormatError):  # The number is in arrays that only a conversion fills.
        if kind.pads is not False:
            return None
        if not target.properties(k).unique:
            return len(columns[0])
        return np.unique(np.stack(columns), axis=1).shape[1]


def _stored_size(level: Level, column: NDArray[np.int64], low: int) -> int:
    """What the array `size` of a level would say: the largest coordinate, or how many differ."""
    queries = storage_kind(level.kind).queries(level, (), "own")
    if any(a.function == "max" for query in queries for a in query.aggregates):
        return int(column.max(initial=low - 1)) - low + 1
    return len(np.unique(column))
