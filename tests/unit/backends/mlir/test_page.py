"""The commands of docs/mlir.md, run by a shell, print what the page says."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from mlir_tools import NAMES, TO_LLVM, find_tool

PAGE = Path(__file__).resolve().parents[4] / "docs" / "mlir.md"
REASON = "needs mlir-opt and mlir-cpu-runner, such as those of Debian's mlir-19-tools"


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def without_spaces(text: str) -> str:
    return re.sub(r"\s", "", text)


def test_the_page_shows_the_passes_that_are_tested():
    assert without_spaces(TO_LLVM) in without_spaces("".join(blocks("sh")))


@pytest.mark.skipif(not all(map(find_tool, NAMES)), reason=REASON)
def test_the_commands_run(tmp_path: Path):
    for name in NAMES:
        (tmp_path / name).symlink_to(find_tool(name) or "")
    program, expected, *_ = blocks("text")
    (tmp_path / "main.mlir").write_text(program)
    path = os.pathsep.join([str(tmp_path), str(Path(sys.executable).parent), os.environ["PATH"]])
    script = "set -e\n" + "".join(blocks("sh")[:2])
    run = subprocess.run(
        ["sh"], input=script, cwd=tmp_path, env=os.environ | {"PATH": path},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert run.stdout == expected
