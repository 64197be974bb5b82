"""Runs of the benchmark suite on tiny inputs, as it is or with something planted in it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent
from typing import Any

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@dataclass(frozen=True)
class Run:
    """A finished run of the suite, and what it wrote."""

    code: int
    out: str
    err: str
    folder: Path

    @property
    def results(self) -> Any:
        file = self.folder / "results.json"
        assert file.exists(), self.err
        return json.loads(file.read_text())


def run_suite(script: Path, folder: Path, *options: str, data: str | None = None) -> Run:
    """Runs a script that takes the options of the suite."""
    command = [sys.executable, str(script), "--quick", "-o", str(folder), *options]
    environment = {name: value for name, value in os.environ.items() if name != "TAMALE_DATA"}
    if data is not None:
        environment["TAMALE_DATA"] = data
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    return Run(done.returncode, done.stdout, done.stderr, folder)


def planted(folder: Path, code: str) -> Path:
    """A script that does `code` before the suite, among whose modules it is."""
    script = folder / "planted.py"
    path = f"import runpy, sys\nsys.path.insert(0, {str(BENCHMARKS)!r})\n"
    suite = f"runpy.run_path({str(BENCHMARKS / '__main__.py')!r}, run_name='__main__')\n"
    script.write_text(f"{path}{dedent(code)}\n{suite}")
    return script
