"""Which operands of an intersection are sought, what that costs, and where sizes decide it."""

import pytest
from scheduled import accesses, formats_of, read

from tamale.dialects.cin.sets import parse_set, set_text
from tamale.dialects.format.statistics import Statistics
from tamale.passes.algebra.choices import has_choices
from tamale.passes.algebra.estimates import MERGED, UNEQUAL, Estimates
from tamale.passes.algebra.seeking import sought_leaves

FEW, SOME, MANY = 100, int(UNEQUAL * 100) - 1, int(UNEQUAL * 100)
SIZE = 1_000_000


def vectors(**entries: int) -> Estimates:
    """Sparse vectors with so many entries."""
    statement = read("z = a(i) * b(i) * c(i)")
    formats = formats_of(statement, "a:csf b:csf c:csf")
    known = {name: Statistics((SIZE,), (count,)) for name, count in entries.items()}
    return Estimates(accesses(statement), formats, known)


@pytest.mark.parametrize(
    ("domain", "entries", "sought"),
    [
        ("a.i & b.i", (FEW, MANY, FEW), ["b.i"]),
        ("a.i & b.i", (MANY, FEW, FEW), ["a.i"]),
        ("a.i & b.i", (FEW, SOME, FEW), []),
        ("a.i & b.i", (MANY, MANY, FEW), []),
        ("a.i & b.i & c.i", (MANY, FEW, MANY), ["a.i", "c.i"]),
        ("a.i & b.i & c.i", (MANY, FEW, SOME), ["a.i"]),
        ("a.i | b.i", (FEW, MANY, FEW), []),
        ("a.i & ~b.i", (FEW, MANY, FEW), []),
        ("(a.i | c.i) & b.i", (FEW, MANY, FEW), []),
        ("a.i & w.i", (MANY, FEW, FEW), []),
        ("a.i", (MANY, FEW, FEW), []),
    ],
)
def test_sought(domain: str, entries: tuple[int, int, int], sought: list[str]):
    known = vectors(**dict(zip("abc", entries, strict=True)))
    found = sought_leaves(parse_set(domain), (), known, lambda leaf: True)
    assert [set_text(leaf) for leaf in found] == sought


def test_what_has_no_order_is_not_sought():
    known = vectors(a=FEW, b=MANY, c=FEW)
    assert not sought_leaves(parse_set("a.i & b.i"), (), known, lambda leaf: leaf.access != "b")


def test_a_search_takes_steps_for_each_doubling():
    both = parse_set("a.i & b.i")
    walked, _ = vectors(a=FEW, b=SOME).visits(both, "i", ())
    sought, _ = vectors(a=FEW, b=FEW * 1024).visits(both, "i", ())
    assert walked == (FEW + SOME) * MERGED
    assert sought == (FEW + FEW * 2 * 10) * MERGED


@pytest.mark.parametrize(
    ("text", "formats", "expected"),
    [
        ("Z(i,j) = A(i,j) * B(i,j)", "A:csr B:csr Z:csr", True),
        ("Z(i,j) = A(i,j) * B(i,j)", "A:csr B:dense Z:csr", False),
        ("Z(i,j) = A(i,j) + B(i,j)", "A:csr B:csr Z:csr", False),
        ("Z(i,j) = unless(A(i,j), B(i,j))", "A:csr B:csr Z:csr", False),
        ("z(i) = a(i) * b(i)", "a:csf b:csf z:csf", True),
        ("Z(i,j) = A(i,j) * B(i,j)", "A:dok B:dok Z:csr", False),
    ],
)
def test_sizes_decide_where_operands_meet(text: str, formats: str, expected: bool):
    statement = read(text)
    assert has_choices(statement, formats_of(statement, formats)) is expected
