"""Statements with formats, written short, for tests of schedules and temporaries."""

from __future__ import annotations

from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.spec import Format
from tamale.dialects.notation.ast import Access, Assignment
from tamale.dialects.notation.parser import parse_notation
from tamale.dialects.operators import declared_operators
from tamale.frontend.notation.reductions import explicit_reductions
from tamale.passes.algebra.terms import accesses_in


def read(text: str) -> Assignment:
    """A statement with its reductions made explicit."""
    return explicit_reductions(parse_notation(text, declared_operators()))


def accesses(statement: Assignment) -> dict[str, Access]:
    every = (statement.result, *accesses_in(statement.expression))
    return {access.tensor: access for access in every}


def formats_of(statement: Assignment, words: str) -> dict[str, Format]:
    """`A:csr B:csc`: formats by name; what is not named is dense."""
    given = dict(word.split(":", 1) for word in words.split())
    return {
        name: resolve_format(given.get(name, "dense"), len(access.indices))
        for name, access in accesses(statement).items()
    }
