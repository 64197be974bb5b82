"""What loops are estimated to cost."""

from collections.abc import Sequence
from random import Random

import pytest
from scheduled import accesses, formats_of, read

from tamale.dialects.cin.sets import Intersection, SetExpr, Union, parse_set
from tamale.dialects.format.statistics import Statistics
from tamale.dialects.notation.ast import Access, Expr
from tamale.passes.algebra.estimates import (
    CONVERTED_ENTRY,
    EMPTY_ROWS,
    FAN,
    LONGEST_ARRAY,
    MERGED,
    ROW_ENTRY,
    SIZE,
    SORTED_ENTRY,
    Estimates,
    nest_steps,
)
from tamale.passes.algebra.loop_paths import LoopPath, loop_paths

ANY = Access("A", ("i",))
"""An expression that does not matter."""


def estimates(text: str, words: str, **known: Statistics) -> Estimates:
    statement = read(text)
    return Estimates(accesses(statement), formats_of(statement, words), known)


def entries(order: int, count: int) -> Statistics:
    """Only the number of entries of a tensor is known."""
    return Statistics((None,) * order, (*[None] * (order - 1), count))


MATRICES = estimates("Z(i,j) = A(i,k) * B(k,j) + D(i,j) + x(i)", "A:csr B:csr x:csf")


def test_entries():
    assert MATRICES.entries("A") == SIZE * FAN
    assert MATRICES.entries("D") == SIZE**2
    assert MATRICES.entries("x") == SIZE / FAN
    assert estimates("Z(i) = A(i,j)", "A:csr", A=entries(2, 7)).entries("A") == 7


def test_tensors_are_dearer_to_convert_than_matrices():
    three = estimates("z = X(i,j,k) * A(i,j)", "X:csf A:csr", X=entries(3, 100), A=entries(2, 100))
    assert three.conversion("X") == 100 * SORTED_ENTRY
    assert three.conversion("A") == 100 * CONVERTED_ENTRY
    assert CONVERTED_ENTRY < ROW_ENTRY < SORTED_ENTRY


@pytest.mark.parametrize(
    ("domain", "bound", "steps", "stays"),
    [
        ("A.i", "", SIZE, SIZE),
        ("A.k", "i", FAN, FAN),
        ("A.i", "k", FAN, FAN),
        ("D.j", "i", SIZE, SIZE),
        ("U.j", "", SIZE, SIZE),
        # A union walks its parts; an intersection also, and stays with what they share.
        ("A.k | B.k", "ij", 2 * FAN * MERGED, 2 * FAN),
        ("A.k & B.k", "ij", 2 * FAN * MERGED, FAN * FAN / SIZE),
        # What is located is not walked.
        ("A.k & U.k", "i", FAN, FAN),
        ("x.i & D.i", "", SIZE / FAN, SIZE / FAN),
        ("U.i & D.i", "", SIZE, SIZE),
    ],
)
def test_visits(domain: str, bound: str, steps: float, stays: float):
    found = MATRICES.visits(parse_set(domain), domain[-1], bound)
    assert found == pytest.approx((steps, stays))


def test_a_product_by_rows_takes_a_step_for_each_of_its_terms():
    domains: dict[str, SetExpr] = {
        "i": parse_set("A.i"), "k": parse_set("A.k & B.k"), "j": parse_set("B.j")
    }  # fmt: skip
    steps, runs = MATRICES.nest([LoopPath((), tuple("ikj"), ANY)], domains)
    assert runs == pytest.approx(SIZE * FAN * FAN)
    assert steps > runs
    assert MATRICES.nest([LoopPath((), tuple("ijk"), ANY)], domains)[0] > 5 * steps


def test_nested_loops():
    known = {"i": (10.0, 5.0), "j": (4.0, 2.0), "k": (3.0, 3.0)}
    around = list[tuple[str, str]]()

    def visits(variable: str, outside: Sequence[str], _: Expr) -> tuple[float, float]:
        around.append((variable, "".join(outside)))
        return known[variable]

    assert nest_steps([LoopPath((), (), ANY)], visits) == (1, 1)
    both = LoopPath((), ("i", "j"), ANY)
    assert nest_steps([both], visits) == (10 + 5 * 4 + 5 * 2, 5 * 2)
    # A sum over k, made once for each i, and one that all share.
    row, all_of_them = LoopPath(("i",), ("k",), ANY), LoopPath((), ("k",), ANY)
    assert nest_steps([both, row], visits) == (40 + 5 * 3 + 5 * 3, 10)
    assert nest_steps([both, all_of_them], visits) == (40 + 3 + 3, 10)
    assert set(around) == {("i", ""), ("j", "i"), ("k", "i"), ("k", "")}


@pytest.mark.parametrize(
    ("text", "order", "expected"),
    [
        ("Z(i,j) = A(i,k) * B(k,j)", "ikj", [("", "ikj")]),
        ("Z(i,j) = A(i,j) * sum(k, A(i,k))", "ijk", [("", "ij"), ("i", "k")]),
        ("Z(i,j) = A(i,j) * sum(k, A(k,j))", "ijk", [("", "ij"), ("ij", "k")]),
        ("Z(i,j) = A(i,j) * sum(k, A(k,j))", "jik", [("", "ji"), ("j", "k")]),
        ("Z(i,j) = A(i,j) * sum((k,l), A(k,l))", "ijkl", [("", "ij"), ("", "kl")]),
        (
            "y(j) = A(i,j) * sum(k, B(j,k) * sum(l, A(j,l)))",
            "jikl",
            [("", "ji"), ("j", "k"), ("j", "l")],
        ),
    ],
)
def test_loops_around_each_other(text: str, order: str, expected: list[tuple[str, str]]):
    statement = read(text)
    paths = loop_paths(statement.result, None, statement.expression, order)
    assert [("".join(p.around), "".join(p.own)) for p in paths] == expected


def random_domain(random: Random, depth: int) -> SetExpr:
    if depth == 0:
        return parse_set(random.choice(["A.k", "B.k", "U.k"]))
    parts = tuple(random_domain(random, depth - 1) for _ in range(random.randint(2, 3)))
    return random.choice([Union, Intersection])(parts)


@pytest.mark.parametrize("seed", range(5))
def test_more_is_visited_by_a_union_and_less_is_left_by_an_intersection(seed: int):
    random = Random(seed)
    for _ in range(50):
        a, b = random_domain(random, 1), random_domain(random, 2)
        bound = random.choice(["", "i", "ij"])
        alone = MATRICES.visits(a, "k", bound)
        assert MATRICES.visits(Union((a, b)), "k", bound)[0] >= alone[0] or alone[0] == SIZE
        assert MATRICES.visits(Intersection((a, b)), "k", bound)[1] <= alone[1]


KNOWN = estimates(
    "Z(i,j) = A(i,k) * B(k,j) + D(i,j)", "A:csr B:dcsr",
    A=Statistics((100, 2000), (None, 50)), B=Statistics((2000, 40), (6, 30)),
)  # fmt: skip


@pytest.mark.parametrize(
    ("domain", "bound", "steps", "stays"),
    [
        # Every row is walked, however few have entries; what is not stored is not.
        ("A.i", "", 100, 100),
        ("A.k", "i", 0.5, 0.5),
        ("B.k", "", 6, 6),
        ("B.j", "k", 5, 5),
        ("D.j", "i", 40, 40),
        ("U.k", "", 2000, 2000),
        ("A.k & B.k", "i", 6.5 * MERGED, 6 * 0.5 / 2000),
        ("A.k | B.k", "i", 6.5 * MERGED, 6.5),
    ],
)
def test_visits_where_sizes_are_known(domain: str, bound: str, steps: float, stays: float):
    found = KNOWN.visits(parse_set(domain), domain[-1], bound)
    assert found == pytest.approx((steps, stays))


def test_entries_where_sizes_are_known():
    assert KNOWN.entries("A") == 50
    assert KNOWN.entries("D") == 100 * 40
    assert estimates("Z(i) = A(i,j)", "A:csr", A=Statistics((30, 4))).entries("A") == 30 * 4
    assert estimates("Z(i) = A(i,j)", "A:csr", A=Statistics((30, 400))).entries("A") == 30 * FAN
    assert estimates("Z(i) = A(i,j)", "A:csr", A=Statistics((0, 0), (0, 0))).entries("A") == 1


def test_a_converted_matrix_has_every_row_unless_nearly_all_are_empty():
    assert KNOWN.keeps_rows("i", 100 / EMPTY_ROWS)
    assert not KNOWN.keeps_rows("i", 100 / EMPTY_ROWS - 1)
    assert MATRICES.keeps_rows("i", MATRICES.entries("A"))


@pytest.mark.parametrize(
    ("size", "inserted", "search"),
    [
        (LONGEST_ARRAY, 10, "dense"),
        (LONGEST_ARRAY + 1, 10, "hash"),
        (LONGEST_ARRAY + 1, 2 * LONGEST_ARRAY, "dense"),
    ],
)
def test_a_list_over_a_long_mode_is_hashed(size: int, inserted: float, search: str):
    long = estimates("Z(i,j) = A(i,k) * B(k,j)", "A:csr B:csr", B=Statistics((10, size)))
    assert long.search("j", inserted) == search
    assert long.search("i", inserted) == "dense"
