"""Results by count, scan and fill are those by append, bit by bit."""

from typing import Any

import numpy as np
import pytest

import tamale as tm
from tamale.frontend.api import compile_typed
from tamale.frontend.request import make_request
from tamale.frontend.stages import Stages
from tamale.tools.tamale import main

ADD, PRODUCT = "Z(i,j) = A(i,j) + B(i,j)", "Z(i,j) = A(i,k) * B(k,j)"
SIZE = 9
ROWS_IN_PLANES = "(i, j, k, l) -> (l : compressed, i : dense, j : dense, k : compressed)"


def matrix(seed: int) -> Any:
    """Half full, with rows and columns without entries at the ends and between."""
    rng = np.random.default_rng(seed)
    values = np.where(rng.random((SIZE, SIZE)) < 0.5, rng.random((SIZE, SIZE)), 0)
    values[[0, 4, SIZE - 1]] = 0
    values[:, [1, 5]] = 0
    return values


OPERANDS: dict[str, Any] = {
    "A": matrix(1),
    "B": matrix(2),
    "S": matrix(3),
    "b": matrix(4)[2],
    "T": np.stack([matrix(5), matrix(6), np.zeros((SIZE, SIZE))]),
    "V": matrix(5)[:, :, None, None] * (np.arange(SIZE) == 1),
    "W": np.stack([matrix(8), *np.zeros((SIZE - 1, SIZE, SIZE))]),
    "U": np.stack([matrix(7), np.zeros((SIZE, SIZE)), np.zeros((SIZE, SIZE))]),
}


def both(expression: str, formats: dict[str, str]) -> tuple[tm.Tensor, tm.Tensor]:
    """The result by append and by count."""
    results: list[tm.Tensor] = []
    for way in ("append", "count"):
        kernel = compile_typed(expression, formats, {}, assembly=way)
        names = [operand.name for operand in kernel.request.operands]
        results.append(kernel(**{name: OPERANDS[name] for name in names}).check())
    return results[0], results[1]


def assert_same(appended: tm.Tensor, filled: tm.Tensor) -> None:
    assert np.array_equal(appended.vals, filled.vals)
    for ours, theirs in zip(appended.levels, filled.levels, strict=True):
        assert ours.keys() == theirs.keys()
        for name, array in ours.items():
            assert array.dtype == theirs[name].dtype
            assert np.array_equal(array, theirs[name])


@pytest.mark.parametrize("result", ["csr", "csc", "dcsr", "dcsc", "coo", "ell", "dok"])
def test_sums_and_products(result: str):
    stored = result if result in ("csr", "csc", "dcsr", "dcsc", "coo") else "csr"
    appended, filled = both(ADD, {"A": stored, "B": stored, "Z": result})
    assert len(filled.vals)
    assert_same(appended, filled)
    assert_same(*both(PRODUCT, {"A": "csr", "B": "csr", "Z": result}))


@pytest.mark.parametrize(
    "expression, formats",
    [
        ("Z(i,j,k) = T(i,j,k) + U(i,j,k)", dict.fromkeys("TUZ", "csf")),
        ("Z(i,j,k) = T(i,j,k) * U(i,j,k)", dict.fromkeys("TUZ", "csf")),
        ("Z(i,j) = T(i,j,k) * b(k)", {"T": "csf", "b": "csf", "Z": "dcsr"}),
        ("W(i,j,l) max= V(j,l,k,i)", {"V": ROWS_IN_PLANES, "W": "csf"}),
        ("z(j) = A(i,j)", {"A": "csr", "z": "csf"}),
        ("z(i) = A(i,i)", {"A": "csr", "z": "csf"}),
        ("Z(i,i) = b(i)", {"b": "csf", "Z": "dcsr"}),
        ("Z(i,j) = S(i,j) * A(i,k) * B(j,k)", dict.fromkeys("SABZ", "csr")),
        ("Z(i,j) = A(i,k) * B(k,j) + S(i,j)", dict.fromkeys("SABZ", "csr")),
        ("Z(i,j) = A(i,j) + B(j,i)", {"A": "coo", "B": "dcsc", "Z": "dcsr"}),
        ("Z(i,j) = A(i,j)", {"A": "dense", "Z": "dcsr"}),
    ],
)
def test_other_statements(expression: str, formats: dict[str, str]):
    appended, filled = both(expression, formats)
    assert len(filled.vals)
    assert_same(appended, filled)


@pytest.mark.parametrize("result", ["csr", "dcsr", "coo"])
def test_results_without_entries(result: str):
    kernel = tm.compile(ADD, A="csr", B="csr", Z=result, assembly="count")
    for shape in ((0, 0), (0, 3), (3, 0), (2, 2)):
        nothing = np.zeros(shape)
        Z = kernel(A=nothing, B=nothing).check()
        assert Z.shape == shape
        assert len(Z.vals) == 0


def test_kernels_of_other_assembly_are_others():
    plain = make_request(ADD, {"A": "csr"}, {})
    appended, counted = (
        make_request(ADD, {"A": "csr"}, {}, assembly=a) for a in ("append", "count")
    )
    assert len({plain.key_parts, appended.key_parts, counted.key_parts}) == 3


def test_code_has_exact_room():
    formats = dict.fromkeys("ABZ", "csr")
    code = Stages(make_request(PRODUCT, formats, {}, assembly="count")).cpp
    assert "reallocate" not in code
    assert "reallocate" in Stages(make_request(PRODUCT, formats, {})).cpp


@pytest.mark.parametrize(
    "statement, formats, counted",
    [
        ("Z(i,j) = x(i) * y(j)", {"x": "csf", "y": "csf", "Z": "csr"}, True),
        ("Z(i,j,k) = A(i,j) * B(j,k)", {"A": "csr", "B": "csr", "Z": "csf"}, True),
        (ADD, dict.fromkeys("ABZ", "csr"), False),
        (PRODUCT, dict.fromkeys("ABZ", "csr"), False),
        (
            "Z(i,j) = x(i) * (y(j) + z(j))",
            dict.fromkeys(("x", "y", "z"), "csf") | {"Z": "csr"},
            False,
        ),
        ("Z(i,j) = y(j)", {"y": "csf", "Z": "csr"}, False),
        ("z(i) = x(i) * y(i)", {"x": "csf", "y": "csf"}, False),
    ],
)
def test_the_rule(statement: str, formats: dict[str, str], counted: bool):
    stages = Stages(make_request(statement, formats, {}))
    assert ("assembly.scan" in stages.text("cfir")) == counted
    why = "since no operand bounds its room, but positions tell how many there are"
    assert (why in stages.explain()) == counted


def test_what_cannot_be_counted_is_refused():
    with pytest.raises(tm.ScheduleError, match="no operand tells the size of 'i'") as refusal:
        tm.compile("Z(i,j) = b(j)", b="csf", Z="csr", assembly="count")
    assert str(refusal.value).endswith("\n  help: assemble it by append")


def test_counts_stored_by_a_repeated_variable_are_refused():
    formats = {"b": "csf", "Z": "csf(2, 0, 1)"}
    with pytest.raises(tm.ScheduleError, match="no operand tells the size of 'i_'"):
        compile_typed("Z(i,k,i) = b(i) - b(k)", formats, {}, assembly="count")


def test_a_way_that_there_is_not():
    with pytest.raises(tm.ScheduleError, match="assembly: 'guess' is none of append, count"):
        tm.compile(ADD, A="csr", assembly="guess")


def test_on_the_command_line(capsys: pytest.CaptureFixture[str]):
    given = [ADD, "-f", "A=dcsr", "-f", "B=dcsr", "-f", "Z=dcsr", "--assembly", "count"]
    assert main(["explain", *given]) == 0
    assert (
        "  Z: the entries of levels 1 and 2 are counted by loops of their own, as asked for; then "
        "it is filled into exact room\n"
    ) in capsys.readouterr().out
    assert main(["compile", *given, "--emit", "cfir"]) == 0
    assert capsys.readouterr().out.count("assembly.scan") == 2
