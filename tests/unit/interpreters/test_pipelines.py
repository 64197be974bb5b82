"""
`--check-passes` over the project's own programs: statements and conversions of every kind on the
whole road, and the input of every lit test that runs passes.
"""

from pathlib import Path

import pytest
from run_lines import Command, parse_script, run_command
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp

import tamale as tm
from tamale.dialects.format.named import resolve_format
from tamale.frontend.conversion_stages import build_conversion
from tamale.frontend.module_stages import with_threads
from tamale.interpreters.checking import PassChecker
from tamale.passes import Pipeline
from tamale.passes.pipelines import TABLE

LIT = Path(__file__).resolve().parents[2] / "lit"
FILES = sorted([*(LIT / "passes").glob("*.mlir"), *(LIT / "pipelines").glob("*.mlir")])

FIBERS = "(i, j, r) -> (i : compressed, j : compressed, r : dense)"
ROW = "(i) -> (i / 2 : compressed, i % 2 : dense)"
ROWS = "(i, r) -> (i : compressed, r : dense)"
STATEMENTS: dict[str, dict[str, str]] = {
    "y(i) = A(i,j) * x(j)": {"A": "sell(2)"},
    "y(j) = A(i,j) * x(i)": {"A": "csr"},
    "y(i) max= A(i,j)": {"A": "dcsr"},
    "Z(i,j) = A(i,j) + B(j,i)": {"A": "csr", "B": "csr", "Z": "csr"},
    "Z(i,j) = A(i,j) * X(i,k) * Y(k,j)": {"A": "csr", "Z": "csr"},
    "Z(i,l) = A(i,j) * B(j,k) * C(k,l)": dict.fromkeys("ABCZ", "csr"),
    "z(i) = a(i) - unless(b(i), c(i))": dict.fromkeys("abcz", "csf"),
    "Z(i,j) = max(A(i,j), B(i,j))": {"A": "csr", "B": "ell"},
    "Z(i,j) = unless(A(i,j), B(i,j))": {"A": "csr", "B": "skyline", "Z": "csr"},
    "Z(i,j) = unless(A(i,j), B(i,j) * c(i))": {"A": "csr", "B": "bcsr(2, 2)", "c": ROW, "Z": "csr"},
    "z = sqrt(A(i,i))": {"A": "coo"},
    "Z(i,j,k) = a(j) - B(i,k)": {"a": "ucoo", "B": "dia", "Z": "coo"},
    "Z(i,j) = 2 * A(j,i)": {"A": "(i, j) -> (j : compressed, i : dense)", "Z": "dcsr"},
    "y(j) = A(i,j)": {"A": "dia"},
    "z(i) = a(i) - b(i) * unless(c(i), alpha)": dict.fromkeys("abcz", "csf"),
    "Z(i,j,r) = X(i,j,k) * C(k,r)": {"X": "csf", "Z": FIBERS},
    "Z(i,r) = A(i,k) * C(r,k) + A(i,r)": {"A": "coo", "Z": ROWS},
    "Z(j,r) = A(i,j) * b(r)": {"A": "csc", "b": "csf", "Z": ROWS},
}
CONVERSIONS = ("coo csr", "ucoo csr", "csr skyline", "csr dia", "dcsr coo")
"""`test_stages.py` runs more of them, on fewer samples."""


SHARED: dict[str, dict[str, str]] = {
    "Z(i,j) = A(i,j) + B(i,j)": dict.fromkeys("ABZ", "dcsr"),
    "Z(i,j) = A(i,j) + A(i,j)": {"A": "dcsr", "Z": "csr"},
    "Z(i,j) = A(i,k) * B(k,j)": dict.fromkeys("ABZ", "csr"),
    "Z(i,j,r) = X(i,j,k) * C(k,r)": {"X": "csf", "Z": FIBERS},
}
"""Loops that three workers share."""


SHARED_CONVERSIONS = (
    "csr csc",
    "csc ell",
    "csr ell",
    "coo csr",
    "ell coo",
    "dcsr dia",
    "csr dcsr",
)


def follow(module: ModuleOp, threads: int = 1) -> None:
    """No pass of the road changes what the module computes; so many workers share loops."""
    checker = PassChecker(module)
    assert checker.skipped == []
    road = ",".join(with_threads(name, threads) for name in TABLE.expand("compute"))
    for pass_ in Pipeline(road).steps(module):
        difference = checker.after(pass_.name, module)
        assert difference is None, str(difference)


@pytest.mark.parametrize("statement", STATEMENTS)
def test_statements(statement: str):
    follow(tm.parse(statement, **STATEMENTS[statement]))


def test_a_temporary_that_is_a_list_of_terms():
    statement = "Z(i,k) = A(k,j) * abs(B(i,j)) * B(i,k)"
    kernel = tm.compile(statement, A="dcsc", B="dcsc", entries={"A": 560, "B": 530})
    assert "assembly.sort" in kernel.cin
    follow(kernel.stages.module("tin"))


@pytest.mark.parametrize("statement", SHARED)
def test_shared_loops(statement: str):
    module = tm.parse(statement, **SHARED[statement])
    follow(module, threads=3)
    assert any(isinstance(op, scf.ParallelOp) for op in module.walk())


@pytest.mark.parametrize("pair", CONVERSIONS)
def test_conversions(pair: str):
    source, target = (resolve_format(name, 2) for name in pair.split(" ", 1))
    follow(build_conversion(source, target, "float64"))


@pytest.mark.parametrize("pair", SHARED_CONVERSIONS)
def test_shared_conversions(pair: str):
    """The interpreter runs the last worker first."""
    source, target = (resolve_format(name, 2) for name in pair.split(" ", 1))
    module = build_conversion(source, target, "float64")
    follow(module, threads=3)
    assert "scf.parallel" in str(module)


def runs_passes(command: Command) -> bool:
    """Whether this is a run of `tamale-opt` that has to succeed."""
    return "-p" in command.words and not command.inverted


def first_run(file: Path) -> tuple[str, ...] | None:
    """The first run of passes in a lit test."""
    script = parse_script(file.read_text(), file) or ()
    return next((p[0].words for p in script if runs_passes(p[0])), None)


@pytest.mark.parametrize("file", [f for f in FILES if first_run(f)], ids=lambda f: f.stem)
def test_the_input_of_lit_tests(file: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.chdir(tmp_path)
    outcome = run_command((*(first_run(file) or ()), "--check-passes"))
    assert " changes what @" not in outcome.stderr, outcome.stderr
