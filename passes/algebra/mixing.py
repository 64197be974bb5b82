"""
What loops over levels cannot do yet, refused by name: operands whose levels store expressions
beside others that are stored differently, and results that such loops would scatter into.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NoReturn

from tamale.dialects.cin.scope import level_of
from tamale.dialects.cin.sets import SetExpr, Stored, Universe, leaves, set_text
from tamale.dialects.errors import ScheduleError
from tamale.dialects.format.expressions import Expr, to_text
from tamale.dialects.format.spec import Format
from tamale.dialects.level_variables import derived_modes, in_index_variables, level_variables
from tamale.dialects.notation.ast import Access, Assignment
from tamale.dialects.notation.ast import to_text as notation_text
from tamale.passes.algebra.lattice import driven_by_universe
from tamale.passes.algebra.simplification import simplify, substitute_all
from tamale.passes.algebra.stored_variables import StoredVariables
from tamale.passes.algebra.terms import accesses_in


def conversion_help(access: Access) -> str:
    """What to do about an operand whose levels are in the way."""
    return f"convert {access.tensor} to {'csr' if len(access.indices) == 2 else 'csf'} first"


def check_result(statement: Assignment, formats: Mapping[str, Format]) -> None:
    """
    Refuses results that the loops of a statement could not write.

    Raises:
        ScheduleError: the result's levels store expressions, or it is appended to by an operand
            whose levels do.
    """
    result = statement.result
    format, shown = formats[result.tensor], notation_text(statement)
    if not format.is_permutation:
        raise ScheduleError(
            f"concretize: the result {result.tensor} would be stored as {format}, whose levels are "
            f"not plain modes, in  {shown}\n"
            "  help: compute into csr, csf or dense, and convert afterwards"
        )
    for access in accesses_in(statement.expression):
        if not format.all_dense and not formats[access.tensor].is_permutation:
            raise ScheduleError(
                f"concretize: {access.tensor} is stored as {formats[access.tensor]}, whose levels "
                f"do not come in the order in which {result.tensor} ({format}) is appended to, in  "
                f"{shown}\n"
                f"  help: {conversion_help(access)}, or compute into a dense result"
            )


def check_sharing(
    statement: Assignment, operands: Sequence[Access], formats: Mapping[str, Format]
) -> None:
    """
    Refuses operands that cannot be in one nest.

    Raises:
        ScheduleError: an index variable that one operand's levels tell by an expression is told
            otherwise, or has to be walked, by another; or names clash.
    """
    _check_names(statement, operands, formats)
    told: dict[str, tuple[Access, Expr]] = {}
    for access in operands:
        for mode in derived_modes(access, formats[access.tensor]):
            first, value = told.setdefault(mode.variable, (access, mode.value))
            if value != mode.value:
                reason = (
                    f"{first.tensor} and {access.tensor} tell '{mode.variable}' in different ways, "
                    f"as {to_text(value)} and as {to_text(mode.value)}"
                )
                _refuse_pair(statement, reason, first, access, formats)
    for access in operands:
        format = formats[access.tensor]
        for k, variable in enumerate(level_variables(access, format)):
            if variable in told and not format.properties(k).full:
                teller, value = told[variable]
                reason = (
                    f"{teller.tensor} tells '{variable}' only as {to_text(value)}, so that "
                    f"{access.tensor} cannot be walked by it in the same loops"
                )
                _refuse_pair(statement, reason, teller, access, formats)


def _refuse_pair(
    statement: Assignment,
    reason: str,
    teller: Access,
    other: Access,
    formats: Mapping[str, Format],
) -> NoReturn:
    raise ScheduleError(
        f"concretize: {reason}, in  {notation_text(statement)}\n"
        f"  {teller.tensor} is stored as {formats[teller.tensor]}\n"
        f"  {other.tensor} is stored as {formats[other.tensor]}\n"
        f"  help: {conversion_help(teller)}"
    )


def _check_names(
    statement: Assignment, operands: Sequence[Access], formats: Mapping[str, Format]
) -> None:
    """The name of a level variable means one expression."""
    meanings: dict[str, Expr] = {}
    for access in (statement.result, *operands):
        format = formats[access.tensor]
        for variable, level in zip(level_variables(access, format), format.levels, strict=True):
            own = in_index_variables(level.expression, access, format)
            if meanings.setdefault(variable, own) != own:
                raise ScheduleError(
                    f"concretize: the loop over '{to_text(own)}' of {access.tensor} would be "
                    f"called '{variable}', as the one over '{to_text(meanings[variable])}' is, in  "
                    f"{notation_text(statement)}\n"
                    "  help: rename the index variables"
                )


def check_loop(
    variable: str, domain: SetExpr, statement: Assignment, stored: StoredVariables
) -> None:
    """
    Refuses a loop that no lattice can walk.

    Raises:
        ScheduleError: see below.
    """
    simplified = simplify(domain, variable)
    _check_bounded(variable, simplified, statement, stored)
    _check_ordered(variable, simplified, statement, stored)


def _check_ordered(
    variable: str, domain: SetExpr, statement: Assignment, stored: StoredVariables
) -> None:
    """Merging needs ascending coordinates; a level that is walked alone does not."""
    properties = {
        leaf: stored.formats[leaf.access].properties(
            level_of(leaf, stored.accesses, stored.formats)
        )
        for leaf in leaves(domain)
        if leaf.variable == variable
    }
    full: dict[Stored, SetExpr] = {
        leaf: Universe(variable) for leaf, own in properties.items() if own.full
    }
    walked = substitute_all(domain, full, variable)
    for leaf, own in properties.items():
        if not own.full and not own.ordered and walked != leaf:
            format = stored.formats[leaf.access]
            raise ScheduleError(
                f"concretize: {leaf.access} ({format}) is not ordered at level "
                f"{level_of(leaf, stored.accesses, stored.formats) + 1}, but the loop of "
                f"'{variable}' over {set_text(domain)} needs its coordinates in ascending order, "
                f"in  {notation_text(statement)}\n"
                f"  help: sort it, or {conversion_help(stored.accesses[leaf.access])}"
            )


def _check_bounded(
    variable: str, domain: SetExpr, statement: Assignment, stored: StoredVariables
) -> None:
    """The universe of an expression is no place to find entries that are stored otherwise."""
    if stored.is_plain(variable) or not driven_by_universe(domain):
        return
    holder = next(a for a in stored.accesses.values() if variable in stored.of(a))
    format = stored.formats[holder.tensor]
    level = format.levels[stored.of(holder).index(variable)]
    raise ScheduleError(
        f"concretize: {notation_text(statement)}  needs more coordinates than those of "
        f"{holder.tensor}, which is stored by '{to_text(level.expression)}' and cannot be merged "
        "with what is stored otherwise\n"
        f"  {holder.tensor} is stored as {format}\n"
        f"  help: {conversion_help(holder)}"
    )
