"""The packages that people install; `make smoke` runs this too."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import tamale


def test_the_version_has_one_place(root: Path):
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    assert tamale.__version__ == project["version"]
    assert {"zig", "examples", "dev"} <= set(project["optional-dependencies"])
    asked = {requirement.split(">")[0].split("=")[0] for requirement in project["dependencies"]}
    assert asked == {"xdsl", "numpy", "scipy", "cffi"}


@pytest.mark.slow
def test_wheel_and_sdist_install_and_run_the_tutorial(root: Path):
    script = root / "tests" / "packaging" / "smoke.py"
    finished = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=False
    )
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.count("the tutorial runs") >= 2
