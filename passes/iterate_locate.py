"""
`iterate-locate`: cin -> cin, optimised.

Decides what a loop iterates and what it locates: a level that stores every coordinate is never
walked, its position is computed from the coordinate that something else, or the universe, gives.
Before / after, with A in CSR, x and y dense:

    cin.forall i in A.i { cin.forall j in A.j & x.j { ... } }
    cin.forall i in U.i with A.i = i { cin.forall j in A.j with x.j = j { ... } }

A level below one that may lack the coordinate stays in the domain, since its parent may be absent;
a level whose parent has no position yet is located by the loop that gives it one. Source: the
guide.
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
from tamale.dialects.cin.scope import level_of
from tamale.dialects.cin.sets import SetExpr, Stored, Universe, leaves
from tamale.dialects.cin.statements import located_attribute
from tamale.dialects.format.spec import Format
from tamale.dialects.notation.ast import Access
from tamale.passes.algebra.loop_order import level_variables
from tamale.passes.algebra.simplification import substitute_all


@dataclass(frozen=True)
class Locating:
    """
    What a kernel's accesses are, and how many of their levels have positions at a point of it.
    """

    accesses: Mapping[str, Access]
    formats: Mapping[str, Format]

    def is_full(self, access: str, level: int) -> bool:
        return self.formats[access].properties(level).full

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
            level = self.level(leaf)
            full = leaf.variable == variable and self.is_full(leaf.access, level)
            if full and (self.always_present(leaf.access, level) or leaf not in located):
                universes[leaf] = Universe(variable)
        return substitute_all(domain, universes, variable, below_complements=False)

    def locate_in(
        self,
        loop: cin.ForallOp,
        bound: frozenset[str],
        resolved: Mapping[str, int],
    ) -> tuple[list[Stored], dict[str, int]]:
        """The levels to locate once the loop's sparse levels have positions, parents first."""
        positions = dict(resolved)
        for leaf in leaves(loop.domain.data):
            level = self.level(leaf)
            if leaf.variable == loop.index_var.data and not self.is_full(leaf.access, level):
                positions[leaf.access] = level + 1
        located: list[Stored] = []
        for access in used_accesses(loop):
            for level, variable in self._locatable(access, positions.get(access, 0)):
                if variable not in bound:
                    break
                located.append(Stored(access, variable))
                positions[access] = level + 1
        return located, positions

    def _locatable(self, access: str, first: int) -> Iterator[tuple[int, str]]:
        """The run of full levels from `first` on."""
        variables = level_variables(self.accesses[access], self.formats[access])
        for level in range(first, len(variables)):
            if not self.is_full(access, level):
                return
            yield level, variables[level]


class IterateLocate(RewritePattern):
    """`forall i in S & B.i`, B.i full  ->  `forall i in S with B.i = i`, over a whole kernel."""

    @op_type_rewrite_pattern
    def match_and_rewrite(self, op: cin.KernelOp, rewriter: PatternRewriter, /) -> None:
        if op.optimised is not None:
            return
        accesses = {attribute.data.tensor: attribute.data for attribute in op.accesses}
        locate_block(op.body.block, Locating(accesses, op.formats), frozenset(), {})
        op.optimised = UnitAttr()
        rewriter.notify_op_modified(op)


def locate_block(
    block: Block, locating: Locating, bound: frozenset[str], resolved: Mapping[str, int]
) -> None:
    for op in block.ops:
        match op:
            case cin.ForallOp():
                locate_forall(op, locating, bound, resolved)
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
    op.located = located_attribute(located)
    locate_block(op.body.block, locating, inside, positions)


def used_accesses(op: Operation) -> list[str]:
    """The accesses that the loop's domains name, its own and those inside, in order."""
    names: dict[str, None] = {}
    for inner in op.walk():
        if isinstance(inner, cin.ForallOp):
            names |= dict.fromkeys(leaf.access for leaf in leaves(inner.domain.data))
    return list(names)


class IterateLocatePass(ModulePass):
    """Iterates the sparse side of each intersection and locates into the rest."""

    name = "iterate-locate"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        PatternRewriteWalker(IterateLocate(), apply_recursively=False).rewrite_module(op)
