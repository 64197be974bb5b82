"""
What the traits of an op's class say, looked up once a class.

xDSL searches the list of traits at every question; asked for each op of a kernel several times,
that was most of the time of `simplify`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cache

from xdsl.ir import Operation
from xdsl.pattern_rewriter import RewritePattern
from xdsl.traits import (
    ConstantLike,
    HasCanonicalizationPatternsTrait,
    HasFolder,
    IsolatedFromAbove,
    IsTerminator,
    MemoryAllocEffect,
    MemoryEffect,
    MemoryFreeEffect,
    MemoryReadEffect,
    MemoryWriteEffect,
    NoMemoryEffect,
    RecursiveMemoryEffect,
    SymbolOpInterface,
)


class Effect(IntEnum):
    """What an op does besides its results; ops together do the greatest of what each does."""

    NONE = 0
    READS = 1
    OWNS = 2
    """Allocates or frees."""
    WRITES = 3
    UNKNOWN = 4


_EFFECTS: dict[type[MemoryEffect], Effect] = {
    NoMemoryEffect: Effect.NONE,
    RecursiveMemoryEffect: Effect.NONE,
    MemoryReadEffect: Effect.READS,
    MemoryAllocEffect: Effect.OWNS,
    MemoryFreeEffect: Effect.OWNS,
    MemoryWriteEffect: Effect.WRITES,
}


@dataclass(frozen=True)
class Facts:
    """What holds for every op of a class."""

    effect: Effect
    """Of the op itself, without its regions."""
    is_recursive: bool
    """Whether the op has the effects of the ops inside it too."""
    is_terminator: bool
    is_isolated: bool
    """Whether its regions use no value from outside."""
    is_kept: bool
    """Whether it stays although nobody uses its results, whatever its effects."""
    can_fold: bool
    patterns: tuple[RewritePattern, ...]
    """Its canonicalisation, in order."""


@cache
def facts_of(op_class: type[Operation]) -> Facts:
    """The facts of a class; one that xDSL does not know may do anything."""
    effects = op_class.get_traits_of_type(MemoryEffect)
    rewrites = op_class.get_traits_of_type(HasCanonicalizationPatternsTrait)
    is_folder = op_class.has_trait(HasFolder, value_if_unregistered=False)
    return Facts(
        effect=max(map(_effect_of, effects), default=Effect.UNKNOWN),
        is_recursive=any(isinstance(trait, RecursiveMemoryEffect) for trait in effects),
        is_terminator=op_class.has_trait(IsTerminator),
        is_isolated=op_class.has_trait(IsolatedFromAbove),
        is_kept=op_class.has_trait(IsTerminator) or op_class.has_trait(SymbolOpInterface),
        # A constant folds to its own value: an endless loop.
        can_fold=is_folder and not op_class.has_trait(ConstantLike),
        patterns=tuple(p for trait in rewrites for p in trait.get_patterns(op_class)),
    )


def _effect_of(trait: MemoryEffect) -> Effect:
    """The effect that a trait stands for; a trait that may depend on the op may mean anything."""
    known = (effect for kind, effect in _EFFECTS.items() if isinstance(trait, kind))
    return next(known, Effect.UNKNOWN)
