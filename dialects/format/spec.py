"""`Format`: how a tensor is stored, as one immutable value with cheap hash and equality."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Literal, TypeAlias

from tamale.dialects.errors import FormatError
from tamale.dialects.format.expressions import Expr, Var
from tamale.dialects.format.kinds import level_kind
from tamale.dialects.format.level import Level, LevelProperties
from tamale.dialects.format.normal import normalize
from tamale.dialects.format.substitution import number_lets, substitute

__all__ = ["DEFAULT_WIDTH", "WIDTHS", "Format", "Level", "LevelProperties", "Width", "mode_names"]

Width: TypeAlias = Literal["i32", "i64"]
"""The integer type of an index array."""

WIDTHS: Final[tuple[Width, ...]] = ("i32", "i64")
DEFAULT_WIDTH: Final[Width] = "i32"

FAMILIAR_NAMES: Final = ("i", "j", "k", "l", "m", "n")


def mode_names(order: int) -> tuple[str, ...]:
    """
    The names of the modes of a tensor whose format names none.

    >>> mode_names(2), mode_names(7)[-1]
    (('i', 'j'), 'i6')
    """
    if order <= len(FAMILIAR_NAMES):
        return FAMILIAR_NAMES[:order]
    return tuple(f"i{k}" for k in range(order))


@dataclass(frozen=True)
class Format:
    """
    `(modes) -> (expression : kind(properties), ...)`: the levels that store a tensor.

    Levels are listed from the outermost; `str` gives the format line. A `Format` that was
    parsed obeys `tamale.dialects.format.verify`; one made by hand may not.
    """

    modes: tuple[str, ...]
    levels: tuple[Level, ...]
    pos: Width = DEFAULT_WIDTH
    """Width of positions arrays."""
    crd: Width = DEFAULT_WIDTH
    """Width of coordinates arrays."""

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.modes, self.levels, self.pos, self.crd))

    def __reduce__(self) -> tuple[Any, ...]:
        """Leaves the cached hash behind: string hashes differ between processes."""
        return Format, (self.modes, self.levels, self.pos, self.crd)

    def __str__(self) -> str:
        return self._text

    @cached_property
    def _text(self) -> str:
        levels = ", ".join(map(str, self.levels))
        line = f"({', '.join(self.modes)}) -> ({levels})"
        for array, width in (("pos", self.pos), ("crd", self.crd)):
            if width != DEFAULT_WIDTH:
                line += f", {array} = {width}"
        return line

    @cached_property
    def order(self) -> int:
        """The number of modes."""
        return len(self.modes)

    @cached_property
    def stored_modes(self) -> tuple[int | None, ...]:
        """Per level: the number of the mode that it stores plainly, None for an expression."""
        numbers = {mode: number for number, mode in enumerate(self.modes)}
        plain = (normalize(level.expression) for level in self.levels)
        return tuple(numbers.get(e.name) if isinstance(e, Var) else None for e in plain)

    @cached_property
    def is_permutation(self) -> bool:
        """Whether the levels store each mode plainly and once: a mode ordering."""
        return len(self.levels) == self.order == len(set(self.stored_modes) - {None})

    @cached_property
    def mode_order(self) -> tuple[int, ...]:
        """
        Per level: the number of the mode that it stores; CSC has (1, 0).

        Raises:
            FormatError: the format is no mode ordering, see `is_permutation`.
        """
        if not self.is_permutation:
            raise FormatError(
                f"format: '{self}' is no mode ordering: not every level stores one mode plainly."
            )
        return tuple(mode for mode in self.stored_modes if mode is not None)

    @cached_property
    def level_of_mode(self) -> tuple[int, ...]:
        """
        Per mode: the number of the level that stores it, the inverse of `mode_order`.

        Raises:
            FormatError: the format is no mode ordering, see `is_permutation`.
        """
        return tuple(self.mode_order.index(mode) for mode in range(self.order))

    @cached_property
    def all_dense(self) -> bool:
        """Whether this is a dense array, in some order of its modes."""
        return self.is_permutation and all(level.kind == "dense" for level in self.levels)

    @cached_property
    def tail(self) -> int:
        """
        The first level of the *tail*: last levels that store every coordinate of a mode each.

        Below an entry of the levels above, its values are a block of known size. A dense array is
        all tail; a format without one gives the number of its levels.
        """
        first = len(self.levels)
        while first and self.is_permutation and self.levels[first - 1].kind == "dense":
            first -= 1
        return first

    @cached_property
    def has_tail(self) -> bool:
        """Whether a block of values belongs to each entry, and not one value, or all of them."""
        return self.tail < len(self.levels) and not self.all_dense

    @cached_property
    def may_repeat(self) -> bool:
        """
        Whether two entries of a tensor may have the same coordinates.

        A level that repeats coordinates is told apart by the branchless levels that share its
        positions, as the rows of COO are by its columns; other levels speak of one position only.
        """
        return any(
            not self.properties(k).unique and not self._told_apart(k)
            for k in range(len(self.levels))
        )

    def _told_apart(self, k: int) -> bool:
        for properties in self._properties[k + 1 :]:
            if not properties.branchless:
                return False
            if properties.unique:
                return True
        return False

    def properties(self, k: int) -> LevelProperties:
        """The properties of level `k`, counted from 0."""
        return self._properties[k]

    @cached_property
    def _properties(self) -> tuple[LevelProperties, ...]:
        properties: list[LevelProperties] = []
        for level in self.levels:
            parent = properties[-1] if properties else None
            properties.append(level_kind(level.kind).properties(level, parent))
        return tuple(properties)

    def with_widths(self, *, pos: Width | None = None, crd: Width | None = None) -> "Format":
        """The same levels with other index widths."""
        widths = pos or self.pos, crd or self.crd
        for width in widths:
            if width not in WIDTHS:
                raise FormatError(
                    f"format: index width '{width}' is not supported; use {' or '.join(WIDTHS)}."
                )
        return replace(self, pos=widths[0], crd=widths[1])

    def renamed(self, modes: tuple[str, ...]) -> "Format":
        """The same format with its modes called `modes`."""
        names: dict[str, Expr] = {old: Var(new) for old, new in zip(self.modes, modes, strict=True)}
        levels = (
            replace(level, expression=substitute(level.expression, names)) for level in self.levels
        )
        return replace(self, modes=modes, levels=tuple(levels))

    def canonical(self) -> "Format":
        """
        The format with modes and let variables renamed in a fixed way.

        Equal canonical formats store every tensor in the same arrays.
        """
        return self._canonical

    @cached_property
    def _canonical(self) -> "Format":
        renamed = self.renamed(mode_names(self.order))
        levels = (
            replace(level, expression=number_lets(level.expression)) for level in renamed.levels
        )
        return replace(renamed, levels=tuple(levels))
