"""Which operands are converted, into what; and that nothing is where loops fit as it is."""

import pytest

from tamale.dialects.format.named import name_of, resolve_format
from tamale.dialects.format.notation import parse_format
from tamale.dialects.notation.ast import Access, Assignment, walk
from tamale.dialects.notation.parser import parse_notation
from tamale.dialects.operators import declared_operators
from tamale.passes.algebra.conversions_of_operands import choose_conversions
from tamale.passes.algebra.schedules import target_format
from tamale.passes.levels import mixes_padding

LINES = {"hashed": "(i) -> (i : hashed)"}


def chosen(text: str, words: str, *, appendable: bool = True) -> dict[str, str]:
    """`A:csr` -> what each access is converted to, by name or as a line."""
    statement = parse_notation(text, declared_operators())
    orders = {a.tensor: len(a.indices) for a in accesses(statement)}
    formats = {
        name: resolve_format(LINES.get(format, format), orders[name])
        for name, format in (word.split(":") for word in words.split())
    }
    padded = {name for name, format in formats.items() if mixes_padding(format)}
    conversions = choose_conversions(statement, formats, appendable=appendable, padded=padded)
    return {name: name_of(format) or str(format) for name, format in conversions.targets.items()}


def accesses(statement: Assignment) -> list[Access]:
    nodes = (statement.result, *walk(statement.expression))
    return [node for node in nodes if isinstance(node, Access)]


@pytest.mark.parametrize(
    ("text", "formats"),
    [
        ("y(i) = sum(j, A(i,j) * x(j))", "y:dense A:csc x:csf"),
        ("Z(i,j) = A(i,j) + B(i,j)", "Z:csr A:csr B:dcsr"),
        ("Z(i,j) = A(i,j) + B(i,j)", "Z:dense A:dia B:csr"),
        ("Z(i,j) = A(i,j) * B(i,j)", "Z:dense A:dia B:dense"),
        ("d(i) = A(i,i)", "d:csf A:csc"),
    ],
)
def test_nothing_is_converted_without_need(text: str, formats: str):
    assert chosen(text, formats) == {}


@pytest.mark.parametrize(
    ("text", "formats", "targets"),
    [
        # The result tells the order.
        ("Z(i,j) = A(i,j) * B(i,j)", "Z:csc A:csr B:csc", {"A": "csc"}),
        # Fewest modes first: turning the matrix would not help more.
        ("Z(i,j) = A(i,j) * v(i)", "Z:csr A:csr v:hashed", {"v": "csf"}),
        # A hash table stores nothing in full: cheaper than rows.
        ("Z(i,j) = A(i,j) * B(i,j)", "Z:dense A:dok B:csr", {"A": "csr"}),
        # Equally cheap: the last one.
        ("Z(i,j) = A(i,j) * B(i,j)", "Z:dense A:csr B:csc", {"B": "csr"}),
        ("Z(i,j) = A(i,j) * B(i,j) * C(i,j)", "Z:dense A:csc B:csr C:csr", {"A": "csr"}),
        # One is not enough.
        ("Z(i,j) = A(i,j) * B(i,j)", "Z:csr A:csc B:dok", {"A": "csr", "B": "csr"}),
        ("Z(i,j) = A(i,j) * B(i,j) * C(i,j)", "Z:csr A:csc B:csr C:csc", {"A": "csr", "C": "csr"}),
        # More modes.
        ("Z(i,j,k) = A(i,j,k)", "Z:csf(2,1,0) A:csf", {"A": "csf(2,1,0)"}),
    ],
)
def test_the_cheapest_are_converted(text: str, formats: str, targets: dict[str, str]):
    assert chosen(text, formats) == targets


@pytest.mark.parametrize(
    ("text", "formats", "targets"),
    [
        ("Z(i,j) = unless(A(i,j), B(i,j))", "Z:csr A:csr B:skyline", {"B": "csr"}),
        ("Z(i,j) = unless(A(i,j), B(i,j))", "Z:csc A:csc B:dia", {"B": "csc"}),
        # Two reasons, and one conversion.
        ("Z(i,j) = unless(A(i,j), B(i,j))", "Z:dense A:csc B:skyline", {"B": "csc"}),
        # The other operands do not fit each other, either.
        ("Z(i,j) = unless(A(i,j), B(i,j))", "Z:csr A:csc B:ell", {"B": "csr", "A": "csr"}),
        ("Z(i,j) = unless(A(i,j), B(i,j))", "Z:dia A:csr B:ell", {"B": "csr", "Z": "csr"}),
        ("Z(i,j) = unless(A(i,j), B(i,j) + C(i,j))", "Z:csr A:csr B:csr C:ell", {"C": "csr"}),
        ("s = sum((i, j), unless(A(i,j), B(i,j)))", "s:dense A:csr B:skyline", {"B": "csr"}),
        ("Z(i,j) = unless(A(i,j), B(i,j))", "Z:csr A:skyline B:csr", {}),
        ("Z(i,j) = unless(A(i,j), B(i,j))", "Z:csr A:csr B:dense", {}),
    ],
)
def test_padding_goes_where_entries_are_asked_for(
    text: str, formats: str, targets: dict[str, str]
):
    assert chosen(text, formats) == targets


@pytest.mark.parametrize(
    ("formats", "targets"),
    [
        ("Z:dia A:csr B:csr", {"Z": "csr"}),
        ("Z:dia A:csc B:csc", {"Z": "csc"}),
        ("Z:dia A:csr B:csc", {"Z": "csr", "B": "csr"}),
        ("Z:dia A:dia B:csr", {"Z": "csr", "A": "csr"}),
    ],
)
def test_results_are_computed_in_the_order_of_the_operands(formats: str, targets: dict[str, str]):
    assert chosen("Z(i,j) = A(i,j) * B(i,j)", formats) == targets


def test_a_result_whose_levels_cannot_be_appended_to():
    text, formats = "Z(i,j) = A(i,j)", "Z:dok A:csr"
    assert chosen(text, formats, appendable=False) == {"Z": "csr"}


def test_the_refusal_names_the_remedy():
    statement = parse_notation("Z(i,j) = A(i,j)", declared_operators())
    formats = {"Z": resolve_format("csr", 2), "A": resolve_format("csc", 2)}
    refusal = choose_conversions(statement, formats, appendable=True).refusal or ""
    assert "cycle: i -> j (Z), j -> i (A)" in refusal
    assert refusal.endswith("or drop --no-conversions: A would be converted to csr")


def test_targets_keep_names_and_widths():
    source = parse_format("(r, c) -> (c : dense, r : compressed), pos = i64")
    target = target_format(Access("A", ("i", "j")), source, ("k", "i", "j"))
    assert str(target) == "(r, c) -> (r : dense, c : compressed), pos = i64"
