"""
`iterate-locate`: cin -> cin, optimised.

Decides what a loop iterates and what it locates: a level that stores every coordinate is never
walked, its position is computed from the coordinate that something else, or the universe, gives.
Before / after, with A in CSR, x and y dense:

    cin.forall i in A.i { cin.forall j in A.j & x.j { ... } }
    cin.forall i in U.i with A.i = i { cin.forall j in A.j with x.j = j { ... } }

A level below one that may lack the coordinate stays in the domain, since its parent may be absent;
a level whose parent has no position yet is located by the loop that gives it one. A full level
that stores an expression is walked as sparse ones are, unless another access shares its loop: only
its tensor knows its size. Where operands of an intersection have very unequal numbers of entries,
the next entry of those that have many is searched for (`algebra/seeking.py`):

    cin.forall k in A.k & B.k seeking B.k { ... }

Source: the guide.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.ir import Block, Operation
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import (
    PatternRewriter,
    PatternRewriteWalker,
    RewritePattern,
    op_type_rewrite_pattern,
)

from tamale.dialects import cin
from tamale.dialects.cin.scope import is_universe, level_of
from tamale.dialects.cin.sets import SetExpr, Stored, Universe, leaves
from tamale.dialects.cin.walks import leaves_attribute, walk_of
from tamale.dialects.debug import debug
from tamale.dialects.format.spec import Format
from tamale.dialects.level_variables import level_variables
from tamale.dialects.notation.ast import Access
from tamale.passes.algebra.estimates import Estimates
from tamale.passes.algebra.reading import known_statistics
from tamale.passes.algebra.seeking import may_be_sought, sought_leaves
from tamale.passes.algebra.simplification import substitute_all
from tamale.passes.algebra.terms import accesses_in
from tamale.passes.levels import storage_kind


@dataclass(frozen=True)
class Locating:
    """
    What a kernel's accesses are, and how many of their levels have positions at a point of it.
    """

    accesses: Mapping[str, Access]
    formats: Mapping[str, Format]
    estimates: Estimates

    @classmethod
    def of(cls, kernel: cin.KernelOp) -> Locating:
        operands, formats = kernel.operands_by_name, kernel.formats
        accesses = {name: access for name, (access, _) in operands.items()}
        known = known_statistics({name: tensor for name, (_, tensor) in operands.items()})
        return cls(kernel.read_accesses, formats, Estimates(accesses, formats, known))

    def can_be_sought(self, leaf: Stored) -> bool:
        """Whether each of its positions has an entry, and they are in the order of coordinates."""
        format, level = self.formats[leaf.access], self.level(leaf)
        kind = storage_kind(format.levels[level].kind)
        by_position = kind.iterates == "positions" and not kind.skips
        return by_position and may_be_sought(format.properties(level))

    def is_full(self, access: str, level: int) -> bool:
        return self.formats[access].properties(level).full

    def is_universe(self, leaf: Stored) -> bool:
        return is_universe(leaf, self.accesses, self.formats)

    def always_present(self, access: str, level: int) -> bool:
        """Whether the level and all above it store every coordinate."""
        return all(self.is_full(access, k) for k in range(level + 1))

    def level(self, leaf: Stored) -> int:
        return level_of(leaf, self.accesses, self.formats)

    def iterated(self, loop: cin.ForallOp, located: Collection[Stored]) -> SetExpr:
        """
        The loop's domain, with full levels that bound nothing replaced by the universe.

        That is one which is always present, and one whose parent has no position yet: it is
        located further inside.
        """
        variable, domain = loop.index_var.data, loop.domain.data
        universes: dict[Stored, SetExpr] = {}
        for leaf in leaves(domain):
            full = leaf.variable == variable and self.is_universe(leaf)
            present = full and self.always_present(leaf.access, self.level(leaf))
            if present or (full and leaf not in located):
                universes[leaf] = Universe(variable)
        return substitute_all(domain, universes, variable, below_complements=False)

    def walked(self, loop: cin.ForallOp) -> Iterator[Stored]:
        """The levels of the loop that are not located."""
        for leaf in leaves(loop.domain.data):
            if leaf.variable == loop.index_var.data and not self.is_universe(leaf):
                yield leaf

    def locate_in(
        self,
        op: cin.ForallOp | cin.LetOp,
        bound: frozenset[str],
        resolved: Mapping[str, int],
    ) -> tuple[list[Stored], dict[str, int]]:
        """The levels to locate once those that are walked have positions, parents first."""
        positions = dict(resolved)
        for leaf in self.walked(op) if isinstance(op, cin.ForallOp) else ():
            positions[leaf.access] = self.level(leaf) + 1
        located: list[Stored] = []
        for access in self.used_accesses(op):
            for level, variable in self._locatable(access, positions.get(access, 0)):
                if variable not in bound:
                    break
                located.append(Stored(access, variable))
                positions[access] = level + 1
        return located, positions

    def _locatable(self, access: str, first: int) -> Iterator[tuple[int, str]]:
        """The run of levels from `first` on that can be located."""
        variables = level_variables(self.accesses[access], self.formats[access])
        for level in range(first, len(variables)):
            if not self.is_universe(Stored(access, variables[level])):
                return
            yield level, variables[level]

    def used_accesses(self, op: Operation) -> list[str]:
        """The accesses that domains and statements in `op` name, in order."""
        names: dict[str, None] = {}
        for inner in op.walk():
            match inner:
                case cin.ForallOp():
                    names |= dict.fromkeys(leaf.access for leaf in leaves(inner.domain.data))
                case cin.AssignOp():
                    read = accesses_in(inner.statement.data.expression)
                    names |= dict.fromkeys(a.tensor for a in read if a.tensor in self.accesses)
                case _:
                    pass
        return list(names)


class IterateLocate(RewritePattern):
    """`forall i in S & B.i`, B.i full  ->  `forall i in S with B.i = i`, over a whole kernel."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: cin.KernelOp, rewriter: PatternRewriter, /) -> None:
        if op.optimised is not None:
            return
        locate_block(op.body.block, Locating.of(op), frozenset(), {})
        op.optimised = UnitAttr()
        rewriter.notify_op_modified(op)


def locate_block(
    block: Block, locating: Locating, bound: frozenset[str], resolved: Mapping[str, int]
) -> None:
    for op in block.ops:
        match op:
            case cin.ForallOp():
                locate_forall(op, locating, bound, resolved)
            case cin.LetOp():
                inside = bound | {op.index_var.data}
                located, positions = locating.locate_in(op, inside, resolved)
                op.located = leaves_attribute(located)
                locate_block(op.body.block, locating, inside, positions)
            case cin.WhereOp():
                locate_block(op.producer.block, locating, bound, resolved)
                locate_block(op.consumer.block, locating, bound, resolved)
            case _:
                pass


def locate_forall(
    op: cin.ForallOp,
    locating: Locating,
    bound: frozenset[str],
    resolved: Mapping[str, int],
) -> None:
    variable = op.index_var.data
    inside = bound | {variable}
    located, positions = locating.locate_in(op, inside, resolved)
    op.domain = cin.SetAttr(locating.iterated(op, located))
    op.located = leaves_attribute(located)
    sought = sought_leaves(op.domain.data, bound, locating.estimates, locating.can_be_sought)
    op.sought = leaves_attribute(sought) if sought else None
    debug("domains", lambda: f"iterated: {walk_of(op).text}")
    locate_block(op.body.block, locating, inside, positions)


class IterateLocatePass(ModulePass):
    """Iterates the sparse side of each intersection and locates into the rest."""

    name = "iterate-locate"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        PatternRewriteWalker(IterateLocate(), apply_recursively=False).rewrite_module(op)
