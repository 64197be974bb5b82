"""Accesses that repeat an index variable: which names they get, and what their walks lie around."""

import pytest

from tamale.dialects.format.expressions import to_text as level_text
from tamale.dialects.format.named import resolve_format
from tamale.dialects.notation.ast import Assignment, to_text
from tamale.dialects.notation.parser import parse_notation
from tamale.dialects.operators import declared_operators
from tamale.passes.algebra.terms import accesses_in
from tamale.passes.algebra.ties import Untied, untie

DUPLICATES = "(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))"


def untied(text: str, **formats: str) -> Untied:
    statement = parse_notation(text, declared_operators())
    accesses = (statement.result, *accesses_in(statement.expression))
    return untie(
        statement,
        {
            a.tensor: resolve_format(formats.get(a.tensor, "dense"), len(a.indices))
            for a in accesses
        },
    )


def shown(text: str, **formats: str) -> str:
    found = untied(text, **formats)
    return to_text(Assignment(found.result, None, found.expression))


def lets(text: str, **formats: str) -> list[str]:
    return [f"{let.variable} = {level_text(let.value)}" for let in untied(text, **formats).lets]


@pytest.mark.parametrize(
    ("text", "formats", "expected"),
    [
        # Each mode has a variable, the first that is stored the one that was written.
        ("y(i) = A(i,i)", {"A": "csr"}, "y(i) = A(i,i_)"),
        ("y(i) = A(i,i)", {"A": "csc"}, "y(i) = A(i_,i)"),
        ("y(i) = X(i,i,i)", {"X": "csf"}, "y(i) = X(i,i_,i__)"),
        ("Z(i,i) = b(i)", {"Z": "csc"}, "Z(i_,i) = b(i)"),
        # Two accesses have nothing to do with each other; names that are taken stay theirs.
        ("y(i) = A(i,i) * B(i,i)", {"A": "csr", "B": "csr"}, "y(i) = A(i,i_) * B(i,i__)"),
        ("y(i) = A(i,i) * b(i_)", {"A": "csr"}, "y(i) = A(i,i__) * b(i_)"),
        # The walk lies around what has no entry without it.
        ("y(i) = A(i,i) * x(i)", {"A": "csr"}, "y(i) = A(i,i_) * x(i)"),
        ("y(i) = b(i) + A(i,i)", {"A": "csr"}, "y(i) = b(i) + sum(i_, A(i,i_))"),
        ("y(i) = b(i) + 2 * A(i,i)", {"A": "csr"}, "y(i) = b(i) + sum(i_, 2 * A(i,i_))"),
        ("y(i) = exp(A(i,i))", {"A": "csr"}, "y(i) = exp(sum(i_, A(i,i_)))"),
        ("y(i) = sqrt(A(i,i))", {"A": "csr"}, "y(i) = sqrt(A(i,i_))"),
        # A sum takes it in; another reduction has it inside.
        ("y = sum(i, A(i,i))", {"A": "csr"}, "y = sum((i,i_), A(i,i_))"),
        ("y = 2 * sum(i, A(i,i))", {"A": "csr"}, "y = 2 * sum((i,i_), A(i,i_))"),
        (
            "y = reduce(max, i, A(i,i))",
            {"A": "csr"},
            "y = reduce(max, i, sum(i_, A(i,i_)))",
        ),
        (
            "y = sum(i, A(i,i) + b(i))",
            {"A": "csr"},
            "y = sum(i, sum(i_, A(i,i_)) + b(i))",
        ),
        # Duplicates have to be added up before anything else is done with them.
        ("y(i) = A(i,i)", {"A": DUPLICATES}, "y(i) = sum(i_, A(i,i_))"),
        ("y(i) = sqrt(A(i,i))", {"A": DUPLICATES}, "y(i) = sqrt(sum(i_, A(i,i_)))"),
        # What is located needs no walk, only its variable where the first one is bound.
        ("y(i) = b(i) + A(i,i)", {}, "y(i) = b(i) + A(i,i_)"),
        ("y = reduce(max, i, A(i,i))", {}, "y = reduce(max, (i,i_), A(i,i_))"),
        # Near miss.
        ("y(i) = A(i,j) * A(j,i)", {"A": "csr"}, "y(i) = A(i,j) * A(j,i)"),
    ],
)
def test_untied_statements(text: str, formats: dict[str, str], expected: str):
    assert shown(text, **formats) == expected


@pytest.mark.parametrize(
    ("text", "formats", "expected"),
    [
        ("y(i) = A(i,i)", {}, ["i_ = i"]),
        ("y(i) = A(i,i)", {"A": "csr"}, ["i_off = i_ - i"]),
        ("y(i) = A(i,i) * i_off(i)", {"A": "csr"}, ["i_off_ = i_ - i"]),
        ("y(i) = A(i,i)", {"A": "dia"}, ["i_off = i__sub_i"]),
        (
            "y(i) = A(i,i)",
            {"A": "bcsr(2,3)"},
            ["i_off = i__div_3 * 3 + i__mod_3 - (i_div_2 * 2 + i_mod_2)"],
        ),
        ("Z(i,i) = b(i)", {"Z": "dcsr"}, ["i_ = i"]),
    ],
)
def test_what_binds_and_guards(text: str, formats: dict[str, str], expected: list[str]):
    assert lets(text, **formats) == expected
