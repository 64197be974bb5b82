"""A short run of the differential test, and whether it notices a wrong compiler."""

from pathlib import Path
from textwrap import dedent

import pytest
import run as differential
from outcomes import judge_error
from run import Options, Tally

from tamale.dialects.errors import TamaleError

CASES = 300
SEED = 20
SHARE_REFUSED = 0.1
"""The largest share of cases that may be refused: a refused case tests little."""


@pytest.mark.parametrize("first", range(0, CASES, CASES // 2))
def test_random_kernels_agree_with_numpy(first: int):
    texts: list[str] = []
    options = Options(seed=SEED, jobs=1)
    tally = differential.run(first, CASES // 2, options, texts.append)
    assert not texts, "\n".join(texts)
    assert tally.verdicts.total() == CASES // 2
    assert tally.verdicts["refused"] <= SHARE_REFUSED * CASES // 2


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("build-lattices: merging them takes 900 cases of code\n  help: in parts", "refused"),
        ("build-lattices: merging them takes 900 cases of code", "failed"),
        ("Merging them takes 900 cases of code\n  help: in parts", "failed"),
        ("build-lattices: it is Friday\n  help: wait", "failed"),
    ],
)
def test_refusals_have_their_form_and_a_documented_reason(text: str, verdict: str):
    assert judge_error(TamaleError(text)).verdict == verdict
    assert judge_error(ValueError(text)).verdict == "failed"


def run_planted(
    folder: Path, wrong: str, cases: int, *, check_passes: bool = False
) -> tuple[Tally, str]:
    """Runs cases with workers in which something is made wrong first."""
    planted = folder / "planted.py"
    planted.write_text(
        f"import sys\nsys.path.insert(0, {str(differential.HERE)!r})\nimport worker\n"
        f"{dedent(wrong)}\nworker.main()\n"
    )
    texts: list[str] = []
    options = Options(seed=SEED, jobs=1, shrink=False, worker=planted, check_passes=check_passes)
    return differential.run(0, cases, options, texts.append), "\n".join(texts)


def test_missing_cases_are_noticed(tmp_path: Path):
    wrong = """
        from tamale.passes import build_lattices
        points = build_lattices.points
        build_lattices.points = lambda top, variable: points(top, variable)[:1]
    """
    tally, text = run_planted(tmp_path, wrong, 40)
    assert tally.failures
    assert "wrong values" in text
    assert "kernel = compile_typed(" in text


def test_a_crash_is_blamed_on_its_case(tmp_path: Path):
    wrong = """
        import os
        from outcomes import Outcome
        def attempt(case, kernel):
            if case.label.startswith("case 2 "):
                os.abort()
            return Outcome("right")
        worker.attempt = attempt
    """
    tally, text = run_planted(tmp_path, wrong, 5)
    assert [failure["at"] for failure in tally.failures] == [2]
    assert tally.verdicts.total() == 5
    assert "exit code -6" in text


def test_code_that_the_compiler_warns_about_is_blamed_on_its_case(tmp_path: Path):
    wrong = """
        from generate import random_case
        from tamale.frontend.stages import Stages
        cpp, statement = Stages.cpp.func, random_case(20, 1).statement
        def warned(self):
            unused = "static int unused;" if self.request.source == statement else ""
            return cpp(self) + unused
        Stages.cpp = property(warned)
    """
    tally, text = run_planted(tmp_path, wrong, 3)
    assert tally.verdicts["right"] == 3 - len(tally.failures)
    assert [failure["at"] for failure in tally.failures] == [1], text
    assert "unused" in text


def test_passes_are_followed_on_demand():
    texts: list[str] = []
    options = Options(seed=SEED, jobs=1, draws=1, check_passes=True)
    tally = differential.run(0, 3, options, texts.append)
    assert not texts, "\n".join(texts)
    assert tally.verdicts["right"] > 1


def test_a_pass_that_changes_a_result_is_blamed(tmp_path: Path):
    wrong = """
        from tamale.interpreters.checking import Computed
        Computed.differs = lambda self, other: True
    """
    tally, text = run_planted(tmp_path, wrong, 2, check_passes=True)
    assert len(tally.failures) == 2
    assert "insert-temporaries changes what @case_0 computes." in text
