"""Makes a failing case smaller, as long as it still fails."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from batches import compile_batch
from cases import Case, Entries, without_entries
from outcomes import Outcome, attempt

from tamale.dialects.format.named import resolve_format
from tamale.dialects.notation.ast import Access, Assignment, Call, Expr, Literal, Reduce, to_text
from tamale.dialects.notation.parser import parse_notation
from tamale.frontend.notation.reductions import accesses

MAX_TRIES = 60


def shrink(case: Case, outcome: Outcome) -> tuple[Case, Outcome]:
    """The smallest failing case found, and how it fails."""
    tries = 0
    progress = True
    while progress:
        progress = False
        for smaller in _smaller(case):
            tries += 1
            if tries > MAX_TRIES:
                return case, outcome
            found = _run(smaller)
            if found.verdict == "failed" and _kind(found) == _kind(outcome):
                case, outcome, progress = smaller, found, True
                break
    return case, outcome


def _kind(outcome: Outcome) -> str:
    """The first words of a difference, or the last line of an error."""
    lines = outcome.why.strip().splitlines() or [""]
    last = lines[-1] if lines[0].startswith("Traceback") or "File" in outcome.why else lines[0]
    return last[:20]


def _run(case: Case) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="differential-") as folder:
        (made,) = compile_batch([case], Path(folder)).kernels
        return made if isinstance(made, Outcome) else attempt(case, made)


def _smaller(case: Case) -> Iterator[Case]:
    """Cases with less in them: the most is taken away first."""
    statement = parse_notation(case.statement)
    for expression in _simpler(statement.expression):
        yield from _restated(case, replace(statement, expression=expression))
    if statement.operator is not None:
        yield from _restated(case, replace(statement, operator=None))
    for k, operand in enumerate(case.operands):
        for smaller in _smaller_operands(operand):
            operands = [*case.operands[:k], smaller, *case.operands[k + 1 :]]
            yield replace(case, operands=tuple(operands))


def _simpler(expression: Expr) -> Iterator[Expr]:
    """The expression with one node replaced by one of its children."""
    match expression:
        case Call(operator=operator, arguments=arguments):
            yield from arguments
            for k, argument in enumerate(arguments):
                for simpler in _simpler(argument):
                    yield Call(operator, (*arguments[:k], simpler, *arguments[k + 1 :]))
        case Reduce(operator=operator, variables=variables, body=body):
            yield body
            for simpler in _simpler(body):
                yield Reduce(operator, variables, simpler)
        case Access() | Literal():
            return


def _restated(case: Case, statement: Assignment) -> Iterator[Case]:
    """The case with another statement, and the operands it needs."""
    used = {access.tensor for access in accesses(statement.expression)}
    if statement.operator is not None:
        used.add(statement.result.tensor)
    operands = tuple(operand for operand in case.operands if operand.name in used)
    yield replace(case, statement=to_text(statement), operands=operands)


def _smaller_operands(operand: Entries) -> Iterator[Entries]:
    order, count = len(operand.shape), len(operand.vals)
    resolved = resolve_format(operand.format, order)
    if ", pos" in operand.format or ", crd" in operand.format:
        yield replace(operand, format=operand.format.partition(", pos")[0].partition(", crd")[0])
    if not resolved.all_dense:
        half = np.arange(count) < count // 2
        for keep in (half, ~half) if count > 1 else (half,) if count else ():
            yield without_entries(operand, keep)
    if count and (operand.vals != 1).any():
        yield replace(operand, vals=np.ones_like(operand.vals))
