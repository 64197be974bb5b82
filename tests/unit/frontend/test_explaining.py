"""Explanations: what they say for each rule and each way to store a result."""

from collections.abc import Callable

import pytest

from tamale.frontend.request import make_request
from tamale.frontend.stages import Stages

SPMV = """\
y(i) = sum(j, A(i,j) * x(j))
computed first
  none
tensors
  y(i)    dense, float64, result
  A(i,j)  csr, pos = i64, float64
  x(j)    dense, float64
estimates
  none
index graph
  i -> j  hard, by A
loop order
  i, j
    i: nothing else can come yet: i -> j (A)
    j: the only one left
loops
  i over A.i: iterates every i; locates A.i
    j over A.j & x.j: iterates A.j; locates x.j
workspaces
  t: a scalar; t += A(i,j) * x(j) is complete before y(i) = t reads it
result
  y: every value is written once, in place
conversions
  none
parallel
  no: one thread; more could share the loops of i and j"""


def explained(expression: str, *, conversions: bool = True, **formats: str) -> str:
    """The explanation of a statement."""
    return Stages(make_request(expression, formats, {}, conversions=conversions)).explain()


def section(text: str, title: str) -> list[str]:
    """The lines of one section."""
    lines = text.split("\n")
    start = lines.index(title) + 1
    end = next((k for k in range(start, len(lines)) if lines[k][0] != " "), len(lines))
    return [line.strip() for line in lines[start:end]]


def test_the_whole_text():
    assert explained("y(i) = A(i,j) * x(j)", A="csr, pos = i64") == SPMV


def test_estimates_of_what_was_chosen_and_of_what_comes_next():
    assert section(
        explained("Z(i,j) = A(i,k) * B(k,j)", A="csr", B="csc", Z="csr"), "estimates"
    ) == [
        "Z(i,j) = sum(k, A(i,k) * B(k,j))",
        "sizes i = 1000 (assumed), k = 1000 (assumed), j = 1000 (assumed)",
        "entries A = 10000 (assumed), B = 10000 (assumed)",
        "1.4e+06 steps, taken: i, k, j, with B as csr",
        "1.7e+06 steps: j, k, i, with A as csc, Z as csc",
        "3.3e+06 steps: i, k, j, with B as csr, Z as a list of terms",
        "3.3e+06 steps: j, k, i, with A as csc, Z as a list of terms",
    ]


def test_an_intersection_comes_early():
    text = explained("Z(k,l) = P(i,k) * A(i,j) * P(j,l)", A="csr", P="csr")
    assert section(text, "loop order") == [
        "i, j, k, l",
        "i: nothing else can come yet: i -> j (A), i -> k (P), j -> l (P2)",
        "j: before k, because A.j & P2.j culls the most work",
        "k: before l, to keep the result's own order",
        "l: the only one left",
    ]
    assert "P2(j,l)  csr, float64, another use of P" in section(text, "tensors")
    assert "i -> k  hard, by P" in section(text, "index graph")


def test_dense_tensors_in_their_own_order():
    text = explained("s = b(i) * A(j,i)")
    assert "j: before i, to walk dense tensors in their own order" in section(text, "loop order")


def test_what_nothing_else_decides():
    text = explained("s = b(j) * a(i)")
    assert "j: before i, because it is written first" in section(text, "loop order")


def test_what_holds_the_others_back_is_named_once():
    text = explained("Z(i,j) = A(i,j) + B(i,j)", A="dcsr", B="csr", Z="csr")
    assert section(text, "loop order")[1] == "i: nothing else can come yet: i -> j (Z, A, B)"


def test_the_closest_rival_decides():
    text = explained("s = B(j,k) * a(i)")
    assert "j: before k, i, because it is written first" in section(text, "loop order")


def test_each_variable_that_waits_is_named_once():
    text = explained("s = A(i,j,k)", A="csf")
    assert section(text, "loop order")[1] == "i: nothing else can come yet: i -> j (A), i -> k (A)"


def test_terms_with_loops_of_their_own():
    text = explained("y(i) = b(i) - A(i,j) * x(j) + B(i,j) * z(j)", A="csr", B="csc")
    order = section(text, "loop order")
    assert order[0] == "i, for the part y(i) = b(i)"
    assert order[5] == "j2, i, for the part y(i) += sum(j2, B(i,j2) * z(j2))"
    assert section(text, "result") == ["y: every value is assigned, then updated in place"]


def test_merging_and_room():
    text = explained("Z(i,j) = A(i,j) + B(i,j)", A="dcsr", B="dcsr", Z="dcsr")
    assert section(text, "loops") == [
        "i over A.i | B.i: merges A.i and B.i",
        "j over A.j | B.j: merges A.j and B.j",
    ]
    assert section(text, "workspaces") == ["none"]
    assert section(text, "result") == [
        "Z: appended in the order of its storage; its room is known before the loops, from the "
        "entries of A and B"
    ]


def test_room_by_sizes_alone():
    text = explained("Z(i,i) = b(i)", Z="csr")
    assert section(text, "result") == [
        "Z: appended in the order of its storage; its room is known before the loops, from the "
        "sizes of modes"
    ]


def test_a_selector_beside_the_universe():
    text = explained("Z(i,j) = A(i,j) * x(j) + 3", A="csr", Z="csr")
    assert section(text, "loops")[1] == (
        "j over A.j & x.j | U.j: iterates every j, beside it A.j; locates x.j"
    )
    assert section(text, "result")[0].endswith(
        "its room grows as it fills, since no operand bounds it"
    )


@pytest.mark.parametrize(
    ("mask", "lines"),
    [
        (
            "csr",
            [
                "i over A.i & ~B.i: iterates every i; locates A.i and B.i",
                "j over A.j & ~B.j: merges A.j and B.j",
            ],
        ),
        (
            "dense",
            [
                "i over A.i & ~B.i: iterates every i; locates A.i and B.i",
                "j over A.j & ~B.j: visits nothing; locates B.j",
            ],
        ),
    ],
)
def test_complements_of_full_levels(mask: str, lines: list[str]):
    """That all rows are there does not mean that they are excluded."""
    text = explained("Z(i,j) = unless(A(i,j), B(i,j))", A="csr", B=mask, Z="csr")
    assert section(text, "loops") == lines


def test_updates_of_a_start_value():
    text = explained("y(i) = A(i,j) * x(j)", A="csc")
    assert section(text, "result") == [
        "y: every value is set to a start value, then updated in place"
    ]


def test_a_converted_operand():
    text = explained("Z(i,j) = A(i,j) * B(i,j)", A="csr", B="csc")
    assert section(text, "tensors")[-1] == "B_csr(i,j)  csr, float64, B, converted"
    assert section(text, "index graph") == ["i -> j  hard, by A, B"]
    first, *facts = section(text, "conversions")
    assert first == "needed: no loop order fits every operand of  Z(i,j) = A(i,j) * B(i,j)"
    assert "cycle: i -> j (A), j -> i (B)" in facts
    assert any(line.startswith("B to B_csr: convert csc to csr: directly") for line in facts)


def test_a_converted_result():
    text = explained("Z(i,j) = A(i,j)", A="csr", Z="dok")
    assert section(text, "tensors")[0].endswith("result, before it is converted")
    assert section(text, "result")[0].startswith("Z_csr: appended in the order of its storage")
    first, *_ = section(text, "conversions")
    assert first.startswith("Z_csr to Z: convert csr to dok: ")


def test_no_loop_at_all():
    text = explained("t = 3")
    assert section(text, "loop order") == ["no loop"]
    assert section(text, "index graph") == section(text, "loops") == ["none"]


@pytest.mark.parametrize(
    ("make", "last", "reason"),
    [
        (
            lambda: explained("Z(i,j) = A(i,j) * B(i,j)", A="csr", B="csc", conversions=False),
            "index graph",
            "cycle: i -> j (A), j -> i (B)",
        ),
        (
            lambda: explained("Z(i,j) = xor(A(i,j), B(i,j))", A="csr", B="csr", Z="csr"),
            "workspaces",
            "lower-lattices: 'xor' has no meaning on f64",
        ),
    ],
)
def test_refusals(make: Callable[[], str], last: str, reason: str):
    """What was decided before the refusal is explained, and then why it went no further."""
    text = make()
    titles = [line for line in text.split("\n")[1:] if line[0] != " "]
    assert titles[-2:] == [last, "refused"]
    assert reason in section(text, "refused")


def test_a_list_of_entries():
    text = explained("Z(i,j) = A(i,k) * B(k,j)", A="csr", B="csr", Z="csr")
    assert section(text, "workspaces") == [
        "w(j): a list of entries, found again by an array over j, sorted; "
        "w(j) += A(i,k) * B(k,j) is complete before Z(i,j) = w(j) reads it"
    ]
    assert section(text, "loops") == [
        "i over A.i: iterates every i; locates A.i",
        "j: iterates w.j",
        "k over A.k & B.k: iterates A.k; locates B.k",
        "j over B.j: iterates B.j",
    ]
    assert section(text, "result") == [
        "Z: appended in the order of its storage; "
        "its room is counted by loops over the operands before; beyond that it grows"
    ]


def test_a_list_that_is_not_sorted():
    rows = "(i, j) -> (i : dense, j : compressed(nonordered))"
    (text,) = section(explained("Z(i,j) = A(i,k) * B(k,j)", A="csr", B="csr", Z=rows), "workspaces")
    assert text.startswith("w(j): a list of entries, found again by an array over j, in the order")
