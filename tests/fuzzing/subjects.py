"""
What is fuzzed: each subject makes an input from a number and gives it to the compiler.

A subject says `accepted`, or `refused` where the input got one of the errors that users are told.
Anything else that is raised is a bug.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

from corpus import (
    EINSUMS,
    EXPRESSIONS,
    FLAGS,
    PIPELINES,
    QUERIES,
    REMAPPINGS,
    SELECTIONS,
    SETS,
    formats,
    ir_pieces,
    statements,
)
from modules import lower_damaged
from text_damage import damaged

import tamale as tm
from tamale.dialects import tamale_context
from tamale.dialects.cin.attributes import parse_statement
from tamale.dialects.cin.sets import parse_set, set_text
from tamale.dialects.cin.walks import parse_clauses
from tamale.dialects.format.expression_parser import parse_expression
from tamale.dialects.format.expressions import to_text as level_text
from tamale.dialects.format.hybrid import resolve_hybrid
from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.notation import parse_format
from tamale.dialects.format.selection import parse_selection
from tamale.dialects.notation.ast import to_text
from tamale.dialects.query.parser import parse_select
from tamale.dialects.query.remapping import parse_remapping
from tamale.dialects.verification import verify_module
from tamale.frontend.notation.einsum import einsum_to_assignment
from tamale.frontend.notation.formats import parse_format_flag
from tamale.passes.pipeline import resolve_passes
from tamale.tools.opt.diagnostics import USER_ERRORS
from tamale.tools.opt.located_parser import LocatedParser

Subject = Callable[[Random, int], str]


def reads(
    corpus: Sequence[str], read: Callable[[str], Any], again: Callable[[Any], str]
) -> Subject:
    """A text; what `again` prints of what was read has to be read as the same."""

    def subject(rng: Random, number: int) -> str:
        text = damaged(rng.choice(corpus), corpus, rng)
        try:
            meant = read(text)
        except USER_ERRORS:
            return "refused"
        printed = again(meant)
        assert read(printed) == meant, f"{text!r} is printed as {printed!r}"
        return "accepted"

    return subject


def is_read(corpus: Sequence[str], read: Callable[[str], Any]) -> Subject:
    """A text that is only read."""

    def subject(rng: Random, number: int) -> str:
        try:
            read(damaged(rng.choice(corpus), corpus, rng))
        except USER_ERRORS:
            return "refused"
        return "accepted"

    return subject


def request(rng: Random, number: int) -> str:
    """A statement with formats: checked, and built as a module of tin."""
    text = damaged(rng.choice(statements()), statements(), rng)
    tensors = sorted(set(re.findall(r"[A-Za-z_]+(?=\(\w)", text))) or ["A"]
    stored = rng.sample(tensors, rng.randint(0, len(tensors)))
    named = {name: rng.choice(formats()) for name in stored}
    try:
        verify_module(tm.parse(text, **named))
    except USER_ERRORS:
        return "refused"
    return "accepted"


def ir(part: str) -> Subject:
    """IR as text; what was read has to be printed such that it is read again as the same."""

    def subject(rng: Random, number: int) -> str:
        pieces = ir_pieces(part)
        try:
            printed = reprinted(damaged(rng.choice(pieces), pieces, rng))
        except USER_ERRORS:
            return "refused"
        assert reprinted(printed) == printed
        return "accepted"

    return subject


def reprinted(text: str) -> str:
    """A module as it is printed."""
    module = LocatedParser(tamale_context(), text, "fuzzed.mlir").parse_module()
    verify_module(module)
    return str(module)


def einsum(text: str) -> object:
    """Subscripts with orders that mostly fit."""
    parts = text.partition("->")[0].split(",")
    return einsum_to_assignment(text, [len(part.strip()) for part in parts])


@cache
def subjects() -> Mapping[str, Subject]:
    """Name -> subject."""
    return {
        "statement": reads(statements(), parse_statement, to_text),
        "request": request,
        "format": reads(formats(), resolve_format, str),
        "format line": reads(formats(), parse_format, str),
        "hybrid": is_read((*formats(), "#i < 3 ? ell : coo", "hyb(2)"), resolve_hybrid),
        "flag": is_read(FLAGS, parse_format_flag),
        "level expression": reads(EXPRESSIONS, parse_expression, level_text),
        "remapping": reads(REMAPPINGS, parse_remapping, str),
        "query": reads(QUERIES, parse_select, str),
        "selection": reads(SELECTIONS, parse_selection, str),
        "set": reads(SETS, parse_set, set_text),
        "clauses": is_read(("B.i = i, C.i = i", "A.j = j"), parse_clauses),
        "einsum": is_read(EINSUMS, einsum),
        "pipeline": is_read(PIPELINES, resolve_passes),
        "IR of dialects": ir("dialects"),
        "IR of passes": ir("passes"),
        "IR of pipelines": ir("pipelines"),
        "IR of backends": ir("backends"),
        "module": lower_damaged,
    }
