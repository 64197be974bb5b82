"""Texts and modules that nobody would write: the small form of `tests/fuzzing/run.py`."""

import os
import subprocess
import sys
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tamale.dialects.errors import TamaleError

COUNT = 300


@pytest.fixture
def program(root: Path) -> Any:
    """`tests/fuzzing/run.py` as a module; another test has a module called `run`."""
    spec = spec_from_file_location("fuzzing_run", root / "tests" / "fuzzing" / "run.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules["fuzzing_run"] = module
    spec.loader.exec_module(module)
    return module


def test_damaged_texts_and_modules(root: Path):
    script = root / "tests" / "fuzzing" / "run.py"
    finished = subprocess.run(
        [sys.executable, script, "--count", str(COUNT), "--seed", "20000"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert finished.stdout.startswith(f"{COUNT} inputs: ")
    assert "statement accepted" in finished.stdout
    went_on = ("module accepted", "module refused while lowered")
    assert any(outcome in finished.stdout for outcome in went_on), "no damaged module was verified"


def accepts(rng: Random, number: int) -> str:
    return "accepted"


def raises(rng: Random, number: int) -> str:
    raise KeyError("crd")


def hangs(rng: Random, number: int) -> str:
    while True:
        pass


def dies(rng: Random, number: int) -> str:
    os._exit(9)

@pytest.mark.parametrize(
    ("subject", "what"),
    [(raises, "KeyError: 'crd'"), (hangs, "Hang: more than"), (dies, "the process died")],
)
def test_faults_are_noticed(
    program: Any,
    subject: Callable[[Random, int], str],
    what: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    table = {"sound": accepts, "bad": subject}
    monkeypatch.setattr(program, "subjects", table.copy)
    monkeypatch.setattr(program, "LONGEST", 1)
    assert program.main(["--count", "4", "--seed", "5"]) == 1
    out = capsys.readouterr().out
    assert f"bad 5: {what}" in out
    assert "again: python tests/fuzzing/run.py --subjects 'bad' --count 1 --seed 5" in out
    assert "4 inputs: 2 FAULTS, 2 sound accepted" in out


def test_refusals_are_no_faults(monkeypatch: pytest.MonkeyPatch, program: Any):
    reads: Any = __import__("subjects").reads

    def refuse(text: str) -> str:
        raise TamaleError("no")

    assert reads(["a b"], refuse, str)(Random(0), 0) == "refused"
    assert reads(["a b"], str, str)(Random(0), 0) == "accepted"
    with pytest.raises(AssertionError, match="is printed as"):
        reads(["a b"], str, lambda text: f"{text}!")(Random(0), 0)  # pyright: ignore[reportUnknownLambdaType]


def test_inputs_depend_on_their_numbers_alone():
    damaged: Any = __import__("text_damage").damaged
    text = "y(i) = A(i,j) * x(j)"
    drawn = [damaged(text, [text], Random(n)) for n in range(50)]
    assert drawn == [damaged(text, [text], Random(n)) for n in range(50)]
    assert len(set(drawn)) > 25
