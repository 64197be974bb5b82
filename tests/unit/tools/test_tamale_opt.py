"""`tamale-opt`: what lit tests cannot see (files, bugs, exit codes of the function)."""

import json
from pathlib import Path

import pytest
from xdsl.transforms.canonicalize import CanonicalizePass

from tamale.tools.tamale_opt import main

MODULE = """\
%a = "test.op"() : () -> i32
%b = arith.addi %a, %a : i32
"test.op"(%b) : (i32) -> ()
"""


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A small module in an otherwise empty working folder."""
    monkeypatch.chdir(tmp_path)
    Path("in.mlir").write_text(MODULE)
    return "in.mlir"


@pytest.fixture
def broken_canonicalize(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pass with a bug."""

    def apply(*_: object) -> None:
        raise KeyError("j")

    monkeypatch.setattr(CanonicalizePass, "apply", apply)


def test_output_file(source: str, capsys: pytest.CaptureFixture[str]):
    assert main([source, "-o", "out.mlir"]) == 0
    assert "arith.addi" in Path("out.mlir").read_text()
    assert capsys.readouterr().out == ""


def test_any_extension_is_mlir(capsys: pytest.CaptureFixture[str], source: str):
    Path(source).rename("in.txt")
    assert main(["in.txt"]) == 0
    assert "arith.addi" in capsys.readouterr().out


def test_bad_usage_exits_with_2(source: str):
    with pytest.raises(SystemExit) as exit_:
        main([source, "-t", "nothing"])
    assert exit_.value.code == 2


@pytest.mark.usefixtures("broken_canonicalize")
def test_a_bug_leaves_a_reproducer(source: str, capsys: pytest.CaptureFixture[str]):
    assert main([source, "-p", "cse,canonicalize"]) == 1
    assert capsys.readouterr().err == (
        "in.mlir: internal error in canonicalize: KeyError: 'j' "
        "(to reproduce: tamale-opt reproducer.mlir --run-reproducer)\n"
    )
    kept = Path("reproducer.mlir").read_text()
    assert kept == f"// configuration: -p 'cse,canonicalize'\n{MODULE}"

    assert main(["reproducer.mlir", "--run-reproducer"]) == 1
    assert "internal error in canonicalize" in capsys.readouterr().err


@pytest.mark.usefixtures("broken_canonicalize")
def test_debug_shows_the_traceback(source: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("TAMALE_DEBUG", "1")
    with pytest.raises(KeyError):
        main([source, "-p", "canonicalize"])


def test_the_reproducer_takes_target_and_dialects(source: str, capsys: pytest.CaptureFixture[str]):
    line = "// configuration: -p 'cse' -t 'mlir{print-generic-format=false}'"
    Path(source).write_text(f'{line} --allow-unregistered-dialect\n"no.op"() : () -> ()\n')
    assert main([source, "--run-reproducer"]) == 0
    assert '"no.op"' in capsys.readouterr().out


def test_tree_of_dumps(source: str):
    Path(source).write_text(f"{MODULE}\n// -----\n{MODULE}")
    assert main([source, "-p", "cse,dce", "--split-input-file", "--print-ir-tree-dir=d"]) == 0
    names = sorted(str(path) for path in Path("d").rglob("*.mlir"))
    assert names == [
        "d/01-after-cse.mlir",
        "d/02-after-dce.mlir",
        "d/chunk-2/01-after-cse.mlir",
        "d/chunk-2/02-after-dce.mlir",
    ]
    assert Path(names[0]).read_text().startswith("// after cse\n// tamale-opt -p 'dce'\n")


@pytest.mark.parametrize(
    ("comment", "complaint"),
    [
        ("// expected-error@below {{got 1}}", ""),
        ("// expected-error@+1 {{got 1}}", ""),
        ("// expected-error@below {{got 7}}", 'in.mlir:2: error: expected error "got 7" was not'),
        ("// expected-error {{got 1}}", "in.mlir:3:1: error: unexpected error: Expected 2 oper"),
        ("// expected-error@beneath {{got 1}}", "in.mlir:2: cannot read"),
        ("// expected-warning {{got 1}}", "in.mlir:2: cannot read"),
    ],
)
def test_announced_errors(
    source: str, capsys: pytest.CaptureFixture[str], comment: str, complaint: str
):
    bad = f'%a = "test.op"() : () -> i32\n{comment}\n%b = "arith.addi"(%a) : (i32) -> i32\n'
    Path(source).write_text(bad)
    assert main([source, "--verify-diagnostics"]) == (1 if complaint else 0)
    error = capsys.readouterr().err
    assert complaint in error
    assert bool(error) == bool(complaint)


def test_announced_error_that_does_not_come(source: str, capsys: pytest.CaptureFixture[str]):
    Path(source).write_text(f"// expected-error@+2 {{{{got 1}}}}\n{MODULE}")
    assert main([source, "--verify-diagnostics"]) == 1
    assert 'in.mlir:1: error: expected error "got 1" was not produced' in capsys.readouterr().err


def test_not_utf8(source: str, capsys: pytest.CaptureFixture[str]):
    Path(source).write_bytes(b"\xff\xfe")
    assert main([source]) == 1
    assert "in.mlir is not UTF-8" in capsys.readouterr().err


def test_timing_as_json(source: str):
    assert main([source, "-p", "cse,dce", "--timing-json", "times.json", "-o", "out.mlir"]) == 0
    rows = json.loads(Path("times.json").read_text())
    names = [row["name"] for row in rows]
    assert names[0] == "parse"
    assert names[-1] == "total"
    assert {"cse", "dce", "verify", "print"} <= set(names)
    assert rows[-1]["seconds"] == pytest.approx(sum(row["seconds"] for row in rows[:-1]))
