"""`tests/lit/refresh.py` rewrites the checks that fail, and no others."""

import re
from pathlib import Path

import pytest
from canary import HERE
from refresh import main, refreshed

FILES = ("passes/iterate-locate.mlir", "passes/simplify-domains.mlir", "passes/concretize.mlir")


def changed_lines(old: str, new: str) -> list[tuple[str, str]]:
    pairs = zip(old.split("\n"), new.split("\n"), strict=True)
    return [(a, b) for a, b in pairs if a != b]


@pytest.mark.parametrize("name", FILES)
def test_what_holds_stays(name: str):
    path = HERE / name
    assert refreshed(path.read_text(), path) == path.read_text()


@pytest.mark.parametrize("name", FILES)
def test_a_check_of_the_past_is_brought_up_to_date(name: str, tmp_path: Path):
    text = (HERE / name).read_text()
    lines = text.split("\n")
    checks = [n for n, line in enumerate(lines) if re.match(r"// CHECK-NEXT: .* in ", line)]
    number = checks[len(checks) // 2]
    lines[number] = lines[number].replace(" in ", " in_of_old ", 1)
    copy = tmp_path / Path(name).name
    copy.write_text("\n".join(lines))
    assert main([str(copy)]) == 0
    assert all("_of_old" in old for old, _ in changed_lines("\n".join(lines), copy.read_text()))
    assert "_of_old" not in copy.read_text()


HEAD = "// RUN: tamale-opt %s | filecheck %s\n"
BODY = """func.func @f(%a: f64) -> f64 {
  %b = arith.addf %a, %a : f64
  %c = arith.mulf %b, %a : f64
  func.return %c : f64
}
"""


@pytest.mark.parametrize(
    ("checks", "wanted"),
    [
        (  # What is left open stays open.
            "// CHECK-LABEL: @f(\n// CHECK: %{{.*}} = arith.subf %a, %a : f64\n",
            "// CHECK-LABEL: @f(\n// CHECK: %{{.*}} = arith.addf %a, %a : f64\n",
        ),
        (  # A line came in between.
            "// CHECK: @f(\n// CHECK-NEXT: %c = arith.mulf\n",
            "// CHECK: @f(\n// CHECK-NEXT: %b = arith.addf %a, %a : f64\n"
            "// CHECK-NEXT: %c = arith.mulf\n",
        ),
        (  # Another line is next.
            "// CHECK: @f(\n// CHECK-NEXT:   %b = arith.divf %a\n",
            "// CHECK: @f(\n// CHECK-NEXT:   %b = arith.addf %a, %a : f64\n",
        ),
    ],
)
def test_rewritten_checks(checks: str, wanted: str, tmp_path: Path):
    path = tmp_path / "test.mlir"
    path.write_text(HEAD + checks + BODY)
    assert main([str(path)]) == 0
    assert path.read_text() == HEAD + wanted + BODY


def test_what_is_like_nothing_is_left_and_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / "test.mlir"
    text = HEAD + "// CHECK: nothing_of_this_kind_is_printed\n" + BODY
    path.write_text(text)
    assert main([str(path)]) == 1
    assert path.read_text() == text
    assert "as it was, still fails" in capsys.readouterr().out


def test_shell_scripts_are_refused(tmp_path: Path):
    path = tmp_path / "test.mlir"
    with pytest.raises(ValueError, match="need lit's shell"):
        refreshed("// RUN: mlir-opt %s\n", path)
