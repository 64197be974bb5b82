"""From statements to nests: where reductions go, and what is split into terms."""

import re

import pytest

from tamale.dialects.cin.sets import set_text
from tamale.dialects.errors import ScheduleError
from tamale.dialects.format.expressions import to_text as expression_text
from tamale.dialects.format.notation import parse_format
from tamale.dialects.notation.ast import Assignment, to_text
from tamale.dialects.notation.parser import parse_notation
from tamale.dialects.operators import declared_operators
from tamale.passes.algebra.nest_building import Let, Loop, Nest, Where
from tamale.passes.algebra.nests import Planner
from tamale.passes.algebra.terms import free_in, join, joined_terms

FORMATS = {
    "scalar": "() -> ()",
    "vec": "(i) -> (i : dense)",
    "sv": "(i) -> (i : compressed)",
    "csr": "(i, j) -> (i : dense, j : compressed)",
    "csc": "(i, j) -> (j : dense, i : compressed)",
    "dense": "(i, j) -> (i : dense, j : dense)",
    "dia": "(i, j) -> (j - i : squeezed, i : range, j : offset)",
    "ell": "(i, j) -> (#i : sliced, i : dense, j : singleton)",
    "blocks": "(i, j) -> (i / 2 : dense, j / 3 : compressed, i % 2 : dense, j % 3 : dense)",
    "pairs": "(i) -> (i / 2 : compressed, i % 2 : dense)",
    "dok": "(i, j) -> (i : hashed, j : hashed)",
}


def read(text: str) -> Assignment:
    return parse_notation(text, declared_operators())


def text_of(nest: Nest) -> str:
    """`i: j: statement`, a where as `[consumer <- t: producer]`."""
    match nest:
        case Loop(variable, _, body):
            return f"{variable}: {text_of(body)}"
        case Let(variable, value, _, body):
            return f"{variable} = {expression_text(value)}: {text_of(body)}"
        case Where(workspace, consumer, producer):
            return f"[{text_of(consumer)} <- {workspace}: {text_of(producer)}]"
        case Assignment():
            return to_text(nest)


def plan(text: str, **formats: str) -> list[str]:
    parsed = {name: parse_format(FORMATS[kind]) for name, kind in formats.items()}
    return [text_of(nest) for nest in Planner(read(text), parsed).plan()]


@pytest.mark.parametrize(
    ("text", "formats", "expected"),
    [
        ("z = a * b", "z:scalar a:scalar b:scalar", "z = a * b"),
        ("y(i) = sum(j, A(i,j))", "y:vec A:csr", "i: j: y(i) += A(i,j)"),
        ("y(i) = reduce(max, j, A(i,j))", "y:vec A:csr", "i: j: y(i) max= A(i,j)"),
        ("z = sum(i, j, A(i,j))", "z:scalar A:csc", "j: i: z += A(i,j)"),
        (
            "z = sum(i, reduce(max, j, A(i,j)))",
            "z:scalar A:csr",
            "i: [z += ti <- ti: j: ti max= A(i,j)]",
        ),
        (
            "y(i) = b(i) - sum(j, A(i,j))",
            "y:vec b:vec A:csr",
            "i: [y(i) = b(i) - t <- t: j: t += A(i,j)]",
        ),
        (
            "y(i) = sum(j, A(i,j)) * sum(k, B(i,k))",
            "y:vec A:csr B:csr",
            "i: [[y(i) = t1 * t2 <- t2: k: t2 += B(i,k)] <- t1: j: t1 += A(i,j)]",
        ),
        (
            "t(i) = b(i) + sum(j, A(i,j))",
            "t:vec b:vec A:csr",
            "i: [t(i) = b(i) + t_ <- t_: j: t_ += A(i,j)]",
        ),
        (
            "y(i) = sum(j, A(i,j)) + exp(sum(j, A(i,j)))",
            "y:vec A:csr",
            "i: [y(i) = t + exp(t) <- t: j: t += A(i,j)]",
        ),
    ],
)
def test_one_nest(text: str, formats: str, expected: str):
    assert plan(text, **dict(word.split(":") for word in formats.split())) == [expected]


def test_terms_where_storage_forbids_one_nest():
    """Plain terms are assigned together; each reduction is added by its own loops."""
    assert plan("y(i) = sum(j, A(i,j)) + b(i) - c(i)", y="vec", A="csc", b="vec", c="sv") == [
        "i: y(i) = b(i) - c(i)",
        "j: i: y(i) += A(i,j)",
    ]
    assert plan("y(i) = sum(j, A(i,j)) - sum(k, B(i,k))", y="vec", A="csc", B="csc") == [
        "j: i: y(i) += A(i,j)",
        "k: i: y(i) += -B(i,k)",
    ]


def test_terms_are_only_split_into_a_dense_result():
    with pytest.raises(ScheduleError, match=r"cycle: i -> j \(sum\), j -> i \(A\)"):
        plan("y(i) = b(i) + sum(j, A(i,j))", y="sv", A="csc", b="sv")


def test_factors_are_split_as_well():
    assert plan("y(i) = b(i) * reduce(mul, j, A(i,j))", y="vec", A="csc", b="vec") == [
        "i: y(i) = b(i)",
        "j: i: y(i) *= A(i,j)",
    ]


def test_a_sum_cannot_be_accumulated_in_a_product():
    with pytest.raises(ScheduleError, match=r"cycle: i -> j \(sum\), j -> i \(A\)"):
        plan("y(i) = b(i) * sum(j, A(i,j))", y="vec", A="csc", b="vec")


def test_the_domains_of_a_nest():
    formats = {"y": "vec", "A": "csr", "x": "sv"}
    statement = read("y(i) = sum(j, A(i,j) * x(j))")
    parsed = {name: parse_format(FORMATS[kind]) for name, kind in formats.items()}
    (outer,) = Planner(statement, parsed).plan()
    assert isinstance(outer, Loop)
    assert isinstance(outer.body, Loop)
    assert set_text(outer.domain) == "A.i & U.i"
    assert set_text(outer.body.domain) == "A.j & x.j"


@pytest.mark.parametrize(
    ("text", "operator", "terms", "again"),
    [
        ("a + b", "add", ["a", "b"], "a + b"),
        ("a - (b - c)", "add", ["a", "-b", "c"], "a - b + c"),
        ("-(a + b)", "add", ["-a", "-b"], "-a - b"),
        ("a - sum(j, b(j))", "add", ["a", "sum(j, -b(j))"], "a + sum(j, -b(j))"),
        ("a - reduce(max, j, b(j))", "add", ["a", "-reduce(max, j, b(j))"], None),
        ("a * (b * c)", "mul", ["a", "b", "c"], "a * b * c"),
        ("a * (b + c)", "mul", ["a", "b + c"], "a * (b + c)"),
        ("a / b / c", "div", ["a / b / c"], "a / b / c"),
        ("max(a, max(b, -c))", "max", ["a", "b", "-c"], "max(max(a, b), -c)"),
    ],
)
def test_terms(text: str, operator: str, terms: list[str], again: str | None):
    joined, found = joined_terms(read(f"z = {text}").expression)
    assert (joined, [to_text(term) for term in found]) == (operator, terms)
    assert to_text(join(joined, found)) == (again or text)


def test_free_variables():
    assert free_in(read("z = a(i) * sum(j, B(i,j) * c(k))").expression) == {"i", "k"}


@pytest.mark.parametrize(
    ("text", "formats", "expected"),
    [
        ("z = sum(i, j, A(i,j))", "z:scalar A:dia", ["j_sub_i: i: j: z += A(i,j)"]),
        (
            "Z(i,j) = A(i,j)",
            "Z:dense A:blocks",
            [
                "i_div_2: j_div_3: i_mod_2: i = i_div_2 * 2 + i_mod_2: "
                "j_mod_3: j = j_div_3 * 3 + j_mod_3: Z(i,j) = A(i,j)"
            ],
        ),
        (
            "z = sum(i, j, A(i,j))",
            "z:scalar A:blocks",
            ["i_div_2: j_div_3: i_mod_2: j_mod_3: z += A(i,j)"],
        ),
        ("Z(i,j) = A(i,j)", "Z:dense A:ell", ["A1: i: j: Z(i,j) += A(i,j)"]),
        (
            "Z(i,j) = A(i,j) * B(i,j)",
            "Z:dense A:ell B:ell",
            ["A1: B1: i: j: Z(i,j) += A(i,j) * B(i,j)"],
        ),
        (
            "Z(i,j) = A(i,j) + B(i,j)",
            "Z:dense A:dia B:dia",
            ["j_sub_i: i: j: Z(i,j) = A(i,j) + B(i,j)"],
        ),
        (
            "Z(i,j) = A(i,j) + B(i,j) - C(i,j)",
            "Z:dense A:dia B:ell C:csr",
            [
                "j_sub_i: i: j: Z(i,j) += A(i,j)",
                "B1: i: j: Z(i,j) += B(i,j)",
                "i: j: Z(i,j) += -C(i,j)",
            ],
        ),
        (
            "y(i) = b(i) + sum(j, A(i,j))",
            "y:vec b:vec A:dia",
            ["i: y(i) = b(i)", "j_sub_i: i: j: y(i) += A(i,j)"],
        ),
        (
            "z = sum(i, v(i) * x(i))",
            "z:scalar v:pairs x:vec",
            ["i_div_2: i_mod_2: i = i_div_2 * 2 + i_mod_2: z += v(i) * x(i)"],
        ),
        ("y(i) = sum(j, A(i,j) * x(j))", "y:vec A:dok x:vec", ["i: j: y(i) += A(i,j) * x(j)"]),
        (
            "Z(i,j) = A(i,j) + B(i,j)",
            "Z:dense A:dok B:csr",
            ["i: j: Z(i,j) += A(i,j)", "i: j: Z(i,j) += B(i,j)"],
        ),
    ],
)
def test_loops_run_over_level_variables(text: str, formats: str, expected: list[str]):
    assert plan(text, **dict(word.split(":") for word in formats.split())) == expected


@pytest.mark.parametrize(
    ("text", "formats", "message"),
    [
        ("Z(i,j) = A(i,j)", "Z:dia A:csr", "the result Z would be stored as .* compute into csr"),
        ("Z(i,j) = A(i,j)", "Z:csr A:dia", "A is stored as .* in which Z .* is appended to"),
        ("Z(i,j) = A(i,j) + 1", "Z:csr A:csr", None),
        ("Z(i,j) = exp(A(i,j))", "Z:dense A:dia", "stored by 'j - i' and cannot be merged"),
        ("y(i) = reduce(max, j, A(i,j))", "y:vec A:ell", "stored by '#i' and cannot be merged"),
        ("z = sum(i, v(i) * x(i))", "z:scalar v:pairs x:sv", "v tells 'i' only as .* x cannot be"),
        ("Z(i_div_2,j) = v(i) * x(i_div_2) * x2(j)", "Z:dense v:pairs x:vec x2:vec", "rename"),
        ("Z(i,j) = A(i,j) * B(i,j)", "Z:dense A:dok B:csr", "A .* is not ordered at level"),
    ],
)
def test_what_loops_over_levels_cannot_do_is_refused(text: str, formats: str, message: str | None):
    words = dict(word.split(":") for word in formats.split())
    if message is None:
        assert plan(text, **words)
        return
    with pytest.raises(ScheduleError, match=re.compile(message, re.DOTALL)):
        plan(text, **words)
