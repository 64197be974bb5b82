"""
Blocks that lie inside of a tensor as a whole, so that nothing in them has to be tested.

    for i_mod in 0..2 { i = i_div * 2 + i_mod; if (i < N) { ... } }

runs without its test where `i_div * 2 + 1 < N`; only blocks at the edges need it. The loops are
emitted once for either kind. Compilers unroll the loops of whole blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from xdsl.ir import Block, SSAValue

from tamale.dialects import cfir
from tamale.dialects.cin.sets import Stored, Universe
from tamale.dialects.format.expressions import Const, Expr, Var, free_variables
from tamale.dialects.format.folding import DIMENSION, from_linear, linear
from tamale.dialects.format.symbolic_bounds import level_extent
from tamale.passes.lowering.coordinates import emit_level_expression, is_nonnegative
from tamale.passes.lowering.scope import KernelContext, Scope
from tamale.passes.lowering.universes import dimension_sizes, is_index_variable, level_with


@dataclass(frozen=True)
class Blocks:
    """The lets inside a loop whose values are all inside if the greatest are."""

    lets: frozenset[cfir.LetOp]
    greatest: Mapping[Expr, Expr]
    """Greatest value -> what it has to be below."""

    def are_inside(self, kernel: KernelContext, scope: Scope) -> SSAValue:
        """Whether the block at the scope's coordinates is whole."""
        emit, condition = kernel.emit, None
        for value, bound in self.greatest.items():
            values = {**scope.coordinates, **dimension_sizes(kernel, value, bound)}
            last, limit = (emit_level_expression(emit, e, values) for e in (value, bound))
            inside = emit.compare("slt", last, limit)
            condition = inside if condition is None else emit.and_(condition, inside)
        assert condition is not None
        return condition


def blocks_in(kernel: KernelContext, op: cfir.LatticeOp, scope: Scope) -> Blocks | None:
    """The lets of a loop of fixed length, and the loops of fixed length inside it, if any."""
    if _last(kernel, op) is None:
        return None
    found = dict(_lets(kernel, op, {}, scope))
    if not found:
        return None
    greatest = {value: let.within.data for let, value in found.items() if let.within}
    return Blocks(frozenset(found), greatest)


def _last(kernel: KernelContext, op: cfir.LatticeOp) -> int | None:
    """The last coordinate of a loop over 0, 1, ... up to a number known here."""
    variable, domain = op.index_var.data, op.domain.data
    if is_index_variable(kernel, variable):
        return None
    match domain:
        case Universe():
            access, level = level_with(kernel, variable)
        case Stored(access=access):
            level = kernel.level(domain)
        case _:
            return None
    format = kernel.formats[access]
    match level_extent(format, level):
        case Const(0), Const(size) if format.properties(level).full:
            return size - 1
        case _:
            return None


def _lets(
    kernel: KernelContext, op: cfir.LatticeOp, around: Mapping[str, int], scope: Scope
) -> Iterator[tuple[cfir.LetOp, Expr]]:
    """The tested lets in a loop whose greatest values are known outside of it, with these."""
    last = _last(kernel, op)
    lasts = around if last is None else {**around, op.index_var.data: last}
    for region in op.cases:
        yield from _lets_in_block(kernel, region.block, lasts, scope)


def _lets_in_block(
    kernel: KernelContext, block: Block, lasts: Mapping[str, int], scope: Scope
) -> Iterator[tuple[cfir.LetOp, Expr]]:
    for op in block.ops:
        match op:
            case cfir.LatticeOp():
                yield from _lets(kernel, op, lasts, scope)
            case cfir.LetOp():
                greatest = _greatest(op.value.data, lasts, scope) if op.within else None
                if greatest is not None:
                    yield op, greatest
                yield from _lets_in_block(kernel, op.body.block, lasts, scope)
            case cfir.WhereOp():
                for region in op.regions:
                    yield from _lets_in_block(kernel, region.block, lasts, scope)
            case _:
                pass


def _greatest(value: Expr, lasts: Mapping[str, int], scope: Scope) -> Expr | None:
    """
    The greatest value of a sum that grows with the loops' variables and is not negative, over
    what is known outside.
    """
    terms, constant = linear(value)
    signs = dict.fromkeys(lasts, True) | dict.fromkeys(scope.nonnegative, True)
    known = {name for name in free_variables(value) if not name.startswith(DIMENSION)}
    if not known <= signs.keys() or not is_nonnegative(value, signs):
        return None
    for name, last in lasts.items():
        factor = terms.pop(Var(name), 0)
        if factor < 0:
            return None
        constant += factor * last
    greatest = from_linear((terms, constant))
    return None if free_variables(greatest) & lasts.keys() else greatest
