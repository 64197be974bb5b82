"""The in-process lit runner: what it takes on, and that it can fail."""

from pathlib import Path

import pytest
from run_lines import parse_script, run_lines, run_script

SOURCE = Path("/x/t.mlir")
CHECKED = "// RUN: tamale-opt %s | filecheck %s\n"


@pytest.mark.parametrize(
    "line",
    [
        "mlir-opt %s | filecheck %s",
        "tamale-opt %s > %t",
        "tamale-opt %s --disable-verify | filecheck %s",
        "tamale-opt %s && tamale-opt %s",
        "tamale-opt %s -p 'unbalanced",
    ],
)
def test_foreign_lines_are_left_to_lit(line: str):
    assert parse_script(f"// RUN: {line}\n", SOURCE) is None
    assert parse_script(f"// XFAIL: *\n// RUN: tamale-opt %s\n// {line}", SOURCE) is None


def test_continued_line_and_substitution():
    assert run_lines("// RUN: a \\\n// RUN:   b\n") == ["a b"]
    assert "--print-op-generic" in run_lines("// RUN: ROUNDTRIP\n")[0]


def test_quotes_and_redirections():
    script = parse_script("// RUN: not tamale-opt %s -p 'a{b=1}' 2>&1 | filecheck %s\n", SOURCE)
    assert script is not None
    [(opt, check)] = script
    assert opt.words == ("tamale-opt", str(SOURCE), "-p", "a{b=1}")
    assert (opt.inverted, opt.stderr) == (True, "merged")
    assert check.words == ("filecheck", str(SOURCE))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (f"{CHECKED}// CHECK: builtin.module\nbuiltin.module {{}}\n", ""),
        (f"{CHECKED}// CHECK: nothing\nbuiltin.module {{}}\n", "nothing"),
        (f"{CHECKED}// CHECK: nothing\nx\n", "'tamale-opt' returned 1"),
        ("// RUN: not tamale-opt %s -p cse\nbuiltin.module {}\n", "'tamale-opt' returned 0"),
        ("// RUN: tamale-opt %s -t nothing\n", "'tamale-opt' returned 2"),
    ],
)
def test_outcome(tmp_path: Path, text: str, complaint: str):
    path = tmp_path / "t.mlir"
    path.write_text(text)
    script = parse_script(text, path)
    assert script is not None
    problem = run_script(script)
    assert (problem is None) == (not complaint)
    assert complaint in (problem or "")
