"""Index graphs and lattices beyond the guide's figures, which tests/lit/backends/dot.mlir has."""

import re
import shutil
import subprocess

import pytest
from xdsl.utils.exceptions import DiagnosticException

from tamale.backends.dot.lattices import lattice_text, set_symbols
from tamale.backends.dot.target import print_dot
from tamale.dialects.cin.sets import parse_set
from tamale.dialects.errors import TamaleError
from tamale.frontend.request import make_request
from tamale.frontend.stages import Stages
from tamale.passes.algebra.simplification import simplify


def picture(expression: str, stage: str, **formats: str) -> str:
    """The pictures of a statement at a stage."""
    return print_dot(Stages(make_request(expression, formats, {})).module(stage))


def edges(text: str) -> list[str]:
    """The lines of a picture that are edges."""
    return [line.strip() for line in text.splitlines() if "->" in line and "//" not in line]


def lattice(domain: str) -> str:
    return lattice_text("", simplify(parse_set(domain), "i"), "i")


def test_an_appended_result_binds_too():
    text = picture("Z(i,j) = A(i,j) * B(j,i)", "tin", A="csr", Z="csr")
    assert edges(text) == [
        'i -> j [label="A, Z"];',
        'j -> i [label="B" style=dashed];',
    ]


def test_a_soft_edge_beside_a_hard_one_is_left_out():
    assert edges(picture("Z(i,j) = A(i,j)", "tin", A="csr")) == ['i -> j [label="A"];']


def test_a_variable_without_edges_is_a_node():
    assert "    i;\n" in picture("y(i) = a(i)", "tin")


def test_what_follows_from_other_edges_is_left_out():
    text = picture("s = A(i,j,k)", "tin", A="csf")
    assert edges(text) == ['i -> j [label="A"];', 'j -> k [label="A"];']


def test_a_mode_that_repeats_another_comes_after_it():
    text = picture("y(i) = A(i,i)", "tin", A="csr")
    assert edges(text) == ['i -> i_ [label="A"];', 'i_ -> i_off [label="A"];']


def test_a_soft_edge_implies_nothing():
    text = picture("s = A(i,j,k)", "tin", A="(i, j, k) -> (i : dense, j : dense, k : compressed)")
    assert edges(text) == [
        'i -> j [label="A" style=dashed];',
        'i -> k [label="A"];',
        'j -> k [label="A"];',
    ]


def test_three_operands():
    text = lattice("A.i | B.i & C.i")
    assert 'ABC [label="i_A ∪ i_B ∩ i_C"];' in text
    assert edges(text) == ["ABC -> A;", "ABC -> BC;", "A -> BOT;", "BC -> BOT;"]


def test_a_universe_ends_the_loop_from_any_point():
    text = lattice("A.i | U.i")
    assert edges(text) == ["A -> U;", "A -> BOT;", "U -> BOT;"]


def test_points_that_only_skip_are_dashed():
    text = lattice("B.i & ~A.i")
    assert 'BA [label="i_B ∩ ¬i_A" style="filled,dashed"];' in text
    assert 'B [label="i_B"];' in text


def test_equal_names_are_told_apart():
    text = lattice("A.i & B.i | AB.i")
    assert len(set(re.findall(r"^    (\w+) \[label", text, re.MULTILINE))) == text.count("label=")


def test_parentheses():
    assert set_symbols(parse_set("(A.i | B.i) & ~(C.i | D.i)")) == "(i_A ∪ i_B) ∩ ¬(i_C ∪ i_D)"


def test_located_levels_take_no_part():
    text = picture("y(i) = A(i,j) * x(j)", "ocin", A="csr")
    assert "j_x" not in text
    text = picture("Z(i,j) = A(i,j)", "ocin", A="(i, j) -> (i : compressed, j : dense)")
    assert edges(text) == ["A -> BOT;", "U -> BOT;"]


def test_a_complement_below_an_outer_loop_is_opened():
    text = picture("Z(i,j) = unless(A(i,j), B(i,j))", "ocin", A="dcsr", B="dcsr", Z="dcsr")
    assert 'label="i_A ∩ ¬i_B"' not in text
    assert 'label="j_A ∩ ¬j_B"' in text


def test_full_levels_below_a_complement():
    """Every row of B is there, and may yet lack entries: all rows are visited."""
    text = picture("Z(i,j) = unless(A(i,j), B(i,j))", "ocin", A="csr", B="csr", Z="csr")
    assert 'U [label="U_i"];' in text
    assert 'label="j_A ∩ ¬j_B"' in text


def test_nothing_to_draw():
    with pytest.raises(DiagnosticException, match="dot: there is nothing to draw"):
        picture("y(i) = a(i)", "mlir")


def test_too_many_operands():
    with pytest.raises(TamaleError, match="at most 8 are merged at once"):
        lattice(" | ".join(f"{name}.i" for name in "ABCDEFGHJ"))


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
@pytest.mark.parametrize("stage", ["tin", "ocin", "cfir"])
def test_graphviz_reads_it(stage: str):
    text = picture("Z(i,j) = A(i,j) + node(i,j)", stage, A="dcsr", node="dcsr", Z="dcsr")
    done = subprocess.run(["dot", "-Tsvg"], input=text, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "<svg" in done.stdout
