"""The same input gives the same bytes, whatever PYTHONHASHSEED."""

import os
import subprocess
import sys
from pathlib import Path

from run_lines import parse_script

LIT = Path(__file__).resolve().parents[1] / "lit"

RUN_ALL = """
import sys
sys.path.insert(0, sys.argv[1])
from pathlib import Path
from run_lines import parse_script, run_command
for name in sys.argv[2:]:
    for pipeline in parse_script(Path(name).read_text(), Path(name)) or ():
        outcome = run_command(pipeline[0].words)
        print(name, outcome.code, outcome.stdout, outcome.stderr, flush=True)
"""


def output(files: list[Path], seed: str) -> str:
    """What `tamale-opt` prints for the RUN lines of `files` under a hash seed."""
    command = [sys.executable, "-c", RUN_ALL, str(LIT), *map(str, files)]
    environment = os.environ | {"PYTHONHASHSEED": seed}
    return subprocess.run(
        command, env=environment, capture_output=True, text=True, check=True
    ).stdout


def test_pipelines_are_deterministic():
    folders = (LIT / "pipelines", LIT / "passes")
    files = sorted(path for folder in folders for path in folder.rglob("*.mlir"))
    files = [path for path in files if parse_script(path.read_text(), path) is not None]
    first, second = output(files, "0"), output(files, "4711")
    assert first == second
    assert first.count("\n") >= len(files)
