"""
Levels that are stored out of order, or repeat coordinates, and the loops that can visit them so.

Duplicates may be visited one by one, and runs of one coordinate one after the other, where the
result is dense and everything done with them adds up in it. A result that appends takes coordinates
in order only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tamale.dialects.cin.scope import level_of
from tamale.dialects.cin.sets import SetExpr, Stored, Universe, leaves
from tamale.dialects.errors import ScheduleError
from tamale.dialects.format.level import LevelProperties
from tamale.dialects.notation.ast import Assignment, to_text
from tamale.dialects.operators import operator_named
from tamale.passes.algebra.linearity import is_linear
from tamale.passes.algebra.mixing import conversion_help
from tamale.passes.algebra.nest_building import Let, Loop, Nest, Where
from tamale.passes.algebra.simplification import simplify, substitute_all
from tamale.passes.algebra.stored_variables import StoredVariables


def check_visits(nest: Nest, statement: Assignment, stored: StoredVariables) -> None:
    """
    Refuses loops that an operand's levels do not serve as they are stored.

    Raises:
        ScheduleError: with the operand and what it lacks.
    """
    for loop in _loops(nest):
        for leaf, own in _sparse_levels(loop, stored).items():
            _check_level(loop, leaf, own, statement, stored)


def _loops(nest: Nest) -> Iterator[Loop]:
    match nest:
        case Loop(body=body):
            yield nest
            yield from _loops(body)
        case Let(body=body):
            yield from _loops(body)
        case Where(consumer=consumer, producer=producer):
            yield from _loops(consumer)
            yield from _loops(producer)
        case Assignment():
            pass


def _sparse_levels(loop: Loop, stored: StoredVariables) -> Mapping[Stored, LevelProperties]:
    """The levels that a loop may walk, with their properties."""
    levels = {
        leaf: stored.formats[leaf.access].properties(
            level_of(leaf, stored.accesses, stored.formats)
        )
        for leaf in leaves(loop.domain)
        if leaf.variable == loop.variable
    }
    return {leaf: own for leaf, own in levels.items() if not own.full}


def _check_level(
    loop: Loop,
    leaf: Stored,
    own: LevelProperties,
    statement: Assignment,
    stored: StoredVariables,
) -> None:
    last = stored.of(stored.accesses[leaf.access])[-1] == leaf.variable
    appends = not stored.formats[statement.result.tensor].all_dense
    if appends and not own.ordered:
        what = f"is not ordered, but {statement.result.tensor} is appended to in ascending order"
        _refuse(leaf, what, statement, stored)
    if own.unique or not (last or not own.ordered):
        return
    if appends or _walked(loop, stored) != leaf or not _adds_up(loop.body, leaf.access, last=last):
        what = "hold several entries at one coordinate" if last else "come to a coordinate again"
        _refuse(leaf, f"may {what}, which cannot be visited one by one", statement, stored)


def _walked(loop: Loop, stored: StoredVariables) -> SetExpr:
    """The domain without levels that are located, since they store every coordinate."""
    domain, sparse = simplify(loop.domain, loop.variable), _sparse_levels(loop, stored)
    full: dict[Stored, SetExpr] = {
        leaf: Universe(loop.variable)
        for leaf in leaves(domain)
        if leaf.variable == loop.variable and leaf not in sparse
    }
    return substitute_all(domain, full, loop.variable)


def _adds_up(body: Nest, name: str, *, last: bool) -> bool:
    """Whether what is done in several visits is what one visit to all of it would do."""
    match body:
        case Loop(body=inner) | Let(body=inner):
            return _adds_up(inner, name, last=last)
        case Where():
            return False
        case Assignment(_, operator, expression) if last:
            return operator == "add" and is_linear(expression, name)
        case Assignment(_, operator, _):
            # Entries are not repeated, only interrupted: each is still assigned once.
            return operator is None or not operator_named(operator).counts_absent


def _refuse(leaf: Stored, what: str, statement: Assignment, stored: StoredVariables) -> None:
    raise ScheduleError(
        f"concretize: {leaf.access} {what}, in  {to_text(statement)}\n"
        f"  {leaf.access} is stored as {stored.formats[leaf.access]}\n"
        f"  help: {conversion_help(stored.accesses[leaf.access])}"
    )
