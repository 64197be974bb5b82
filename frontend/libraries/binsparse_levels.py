"""
The levels of Binsparse formats, and ours that are stored in the same arrays.

    CSR    dense, sparse            (i, j) -> (i : dense, j : compressed)
    COO    sparse of two modes      (i, j) -> (i : compressed(nonunique), j : singleton)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, cast

from tamale.dialects.errors import FormatError
from tamale.dialects.format.notation import parse_format
from tamale.dialects.format.spec import Format, mode_names

Kind: TypeAlias = Literal["dense", "sparse"]


@dataclass(frozen=True)
class Stack:
    """Levels, outermost first, each of some modes; and the mode that each depth stores."""

    levels: tuple[tuple[Kind, int], ...]
    mode_order: tuple[int, ...]

    @property
    def order(self) -> int:
        """The number of modes."""
        return sum(rank for _, rank in self.levels)

    @property
    def format(self) -> Format:
        """Ours with the same arrays."""
        names = mode_names(self.order)
        kinds = (kind for level in self.levels for kind in _kinds(*level))
        pairs = zip(self.mode_order, kinds, strict=True)
        levels = ", ".join(f"{names[mode]} : {kind}" for mode, kind in pairs)
        return parse_format(f"({', '.join(names)}) -> ({levels})")


def _kinds(kind: Kind, rank: int) -> list[str]:
    """Our level kinds for one level of theirs."""
    if kind == "dense":
        return ["dense"] * rank
    if rank == 1:
        return ["compressed"]
    return ["compressed(nonunique)", *["singleton(nonunique)"] * (rank - 2), "singleton"]


def _stack(*levels: tuple[Kind, int], columns: bool = False) -> Stack:
    order = sum(rank for _, rank in levels)
    return Stack(levels, tuple(reversed(range(order)) if columns else range(order)))


ALIASES: Mapping[str, Stack] = {
    "DVEC": _stack(("dense", 1)),
    "DMATR": _stack(("dense", 1), ("dense", 1)),
    "DMAT": _stack(("dense", 1), ("dense", 1)),
    "DMATC": _stack(("dense", 1), ("dense", 1), columns=True),
    "CVEC": _stack(("sparse", 1)),
    "CSR": _stack(("dense", 1), ("sparse", 1)),
    "CSC": _stack(("dense", 1), ("sparse", 1), columns=True),
    "DCSR": _stack(("sparse", 1), ("sparse", 1)),
    "DCSC": _stack(("sparse", 1), ("sparse", 1), columns=True),
    "COO": _stack(("sparse", 2)),
    "COOR": _stack(("sparse", 2)),
    "COOC": _stack(("sparse", 2), columns=True),
}
"""The predefined formats; the first name of a stack is the one that is written."""


def stack_of(format: Format) -> Stack | None:
    """The levels of Binsparse that store a tensor as `format` does, None if there are none."""
    if not format.is_permutation or not _is_involution(format.mode_order):
        return None
    levels: list[tuple[Kind, int]] = []
    for level in format.levels:
        if level.kind == "singleton" and levels and levels[-1][0] == "sparse":
            levels[-1] = ("sparse", levels[-1][1] + 1)
        elif level.kind in ("dense", "compressed"):
            levels.append(("dense" if level.kind == "dense" else "sparse", 1))
        else:
            return None
    found = Stack(tuple(levels), format.mode_order)
    ours = found.format.with_widths(pos=format.pos, crd=format.crd)
    same = ours.canonical() == format.canonical()
    return found if same else None


def _is_involution(order: Sequence[int]) -> bool:
    """Whether a permutation is its own inverse: then it can be read in one way only."""
    return all(order[mode] == k for k, mode in enumerate(order))


def read_stack(header: Mapping[str, Any], order: int) -> Stack:
    """
    The levels that a descriptor names.

    Raises:
        FormatError: the format is not known, or does not fit the order.
    """
    name = header.get("format")
    if name == "custom":
        found = _read_custom(header.get("custom"), order)
    elif isinstance(name, str) and name in ALIASES:
        found = ALIASES[name]
    else:
        known = ", ".join(ALIASES)
        raise FormatError(f"binsparse: format {name!r} is not known; known are {known}")
    if found.order != order:
        raise FormatError(f"binsparse: format {name!r} does not fit a tensor of order {order}")
    return found


def _read_custom(custom: object, order: int) -> Stack:
    levels, transpose = list[tuple[Kind, int]](), None
    if isinstance(custom, dict):
        fields = cast("dict[str, Any]", custom)
        transpose = fields.get("transpose")
        levels = list(_read_levels(fields.get("level"), order))
    found = Stack(tuple(levels), tuple(range(sum(rank for _, rank in levels))))
    if transpose is None:
        return found
    mode_order = tuple(cast("list[int]", transpose)) if isinstance(transpose, list) else ()
    if sorted(map(repr, mode_order)) != sorted(map(repr, range(order))):
        raise FormatError(f"binsparse: transpose {transpose!r} is no order of {order} modes")
    if not _is_involution(mode_order):
        raise FormatError(
            f"binsparse: transpose {transpose} can be read in two ways\n"
            "  help: store the tensor in the order of its modes, or exchange pairs of them only"
        )
    return Stack(found.levels, mode_order)


def _read_levels(level: object, order: int) -> Iterator[tuple[Kind, int]]:
    for _ in range(order + 1):
        fields = cast("dict[str, Any]", level) if isinstance(level, dict) else {}
        kind, rank = fields.get("level_desc"), fields.get("rank")
        if kind == "element":
            return
        if kind not in ("dense", "sparse") or type(rank) is not int or not 1 <= rank <= order:
            raise FormatError(f"binsparse: a level of kind {kind!r} and rank {rank!r} is not known")
        yield kind, rank
        level = fields.get("level")
    raise FormatError(f"binsparse: more levels than the {order} modes of the tensor")


def written(stack: Stack) -> dict[str, Any]:
    """What a descriptor says about the levels."""
    for name, known in ALIASES.items():
        if known == stack:
            return {"format": name}
    level: dict[str, Any] = {"level_desc": "element"}
    for kind, rank in reversed(stack.levels):
        level = {"level_desc": kind, "rank": rank, "level": level}
    custom: dict[str, Any] = {"level": level}
    if stack.mode_order != tuple(range(stack.order)):
        custom["transpose"] = list(stack.mode_order)
    return {"format": "custom", "custom": custom}
