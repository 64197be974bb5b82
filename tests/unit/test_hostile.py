"""Damaged files and arrays are refused or sound: the small form of `tests/hostile/run.py`."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import tamale as tm
from tamale.frontend.tensor import Tensor

COUNT = 120


def test_damaged_files_and_arrays(root: Path):
    script = root / "tests" / "hostile" / "run.py"
    finished = subprocess.run(
        [sys.executable, script, "--count", str(COUNT), "--seed", "7"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    counts = [int(part.split()[0]) for part in finished.stdout.split(", ")]
    assert sum(counts) == COUNT
    assert "refused" in finished.stdout
    assert "sound" in finished.stdout


def test_an_unsound_tensor_is_noticed():
    outcome: Any = import_module("attacks").outcome
    levels = [{}, {"pos": np.array([0, 2, 1], "i4"), "crd": np.array([0, 1], "i4")}]
    broken = Tensor(tm.formats.csr, (2, 2), levels, np.ones(2))
    assert outcome(broken.check) == "refused"
    with pytest.raises((AssertionError, ValueError)):
        outcome(lambda: broken)  # what a reader that does not check would return


def test_damage_depends_on_the_seed_alone():
    damages: Any = import_module("mutations").BYTES
    text = b"1 2 3.5\n4 5 6.5\n"
    for damage in damages:
        assert damage(text, Random(5)) == damage(text, Random(5))
        assert any(damage(text, Random(seed)) != text for seed in range(5))


@pytest.mark.parametrize("format", ["dia", "skyline", "csr"])
def test_sizes_that_the_arrays_do_not_bear_out(format: str):
    A = tm.tensor(np.eye(3), format)
    for shape in ((2**62, 2**62), (2**31, 3), (3, -1)):
        with pytest.raises(tm.FormatError):
            Tensor(A.format, shape, A.levels, A.vals).check()
