"""`tamale interpret`: modules of every stage on tensors from files."""

from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest

from tamale.tools.tamale import main

Capture: TypeAlias = pytest.CaptureFixture[str]

SPMV = "y(i) = A(i,j) * x(j)"
ADD = "Z(i,j) = A(i,j) + B(i,j)"
MATRIX = np.array([[1.0, 0.0, 2.0], [0.0, 0.0, 0.0], [0.0, 3.0, 0.0]])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a matrix and a vector, the working directory."""
    monkeypatch.chdir(tmp_path)
    np.save("A.npy", MATRIX)
    np.save("x.npy", np.array([10.0, 100.0, 1000.0]))
    return tmp_path


def emit(stage: str, expression: str, *formats: str) -> None:
    """Writes a stage of a statement to `in.mlir`."""
    flags = [word for format in formats for word in ("-f", format)]
    assert main(["compile", expression, *flags, "--emit", stage, "-o", "in.mlir"]) == 0


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("stage", ["tin", "cin", "ocin", "cfir"])
def test_stages_with_tensors(capsys: Capture, stage: str):
    emit(stage, SPMV, "A=csr")
    assert main(["interpret", "in.mlir", "--args", "A=A.npy,x=x.npy"]) == 0
    assert "[2010.    0.  300.]" in capsys.readouterr().out


@pytest.mark.usefixtures("folder")
def test_the_last_form(capsys: Capture):
    emit("mlir", SPMV, "A=csr")
    words = ["interpret", "in.mlir", "--args", "A=A.npy", "--args", "x=x.npy"]
    assert main([*words, "-f", "A=csr", "--shape", "3"]) == 0
    assert capsys.readouterr().out == "3, float64, dense\n[2010.    0.  300.]\n"


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "stage, flags",
    [("cfir", []), ("mlir", ["--shape", "3x3", *("-f A=csr -f B=csr -f Z=csr".split())])],
)
def test_a_sparse_result(capsys: Capture, stage: str, flags: list[str]):
    emit(stage, ADD, "A=csr", "B=csr", "Z=csr")
    assert main(["interpret", "in.mlir", "--args", "A=A.npy,B=A.npy", *flags]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.startswith("3 x 3, float64, (i, j)")
    assert head.endswith("3 entries")
    assert lines == ["(0, 0) 2.0", "(0, 2) 4.0", "(2, 1) 6.0"]


@pytest.mark.usefixtures("folder")
def test_work(capsys: Capture):
    emit("ocin", SPMV, "A=csr")
    assert main(["interpret", "in.mlir", "--args", "A=A.npy,x=x.npy", "--work"]) == 0
    out = capsys.readouterr().out
    assert "loop i: 3\n" in out
    assert "loop j: 3\n" in out
    assert "loads: 9\n" in out


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "args, message",
    [
        (["--args", "A=A.npy"], "interpret: x needs a file\n  help: --args x=FILE"),
        (["--args", "A=A.npy,x=x.npy,b=x.npy"], "'b' names no operand of @kernel"),
        (["--args", "A=A.npy,A=x.npy"], "A is given two files"),
        (["--args", "A"], "expected a tensor name, '=' and a file, got 'A'"),
        (["--args", "A=x.npy,x=x.npy"], "A has order 2, but 'x.npy' has 1"),
        (["--args", "A=A.npy,x=x.npy", "--shape", "3y"], "expected sizes such as 5x4, got '3y'"),
        (["--args", "A=A.npy,x=x.npy", "--shape", "3x3"], "has order 1, but --shape has 2 sizes"),
        (["--args", "A=A.npy,x=x.npy", "--function", "g"], "there is no function 'g'"),
        (["-f", "A=csr"], "-f says how A is stored, but @kernel takes tensors, whose types say so"),
    ],
)
def test_what_does_not_fit(capsys: Capture, args: list[str], message: str):
    emit("ocin", SPMV, "A=csr")
    assert main(["interpret", "in.mlir", *args]) == 1
    assert message in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
def test_sizes_that_disagree(capsys: Capture):
    np.save("long.npy", np.ones(4))
    emit("cin", SPMV, "A=csr")
    assert main(["interpret", "in.mlir", "--args", "A=A.npy,x=long.npy"]) == 1
    assert "'j' has size 3 and, in x(j), 4, in the kernel of y" in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
def test_a_file_that_is_no_module(capsys: Capture):
    Path("in.mlir").write_text("func.func @f(")
    assert main(["interpret", "in.mlir"]) == 1
    assert "interpret: 'in.mlir' is no module" in capsys.readouterr().err
    assert main(["interpret", "none.mlir"]) == 1
    assert "none.mlir" in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "text, message",
    [
        ("func.func private @g(tensor<?xf64>) -> tensor<?xf64>", "the module has none"),
        (
            """func.func @f(%A: tensor<?xf64>, %n: index) -> tensor<?xf64> {
                 func.return %A : tensor<?xf64>
               }""",
            "n of @f is of type index, not a tensor",
        ),
        (
            """func.func @f(%A: tensor<?xf64>) -> (tensor<?xf64>, tensor<?xf64>) {
                 func.return %A, %A : tensor<?xf64>, tensor<?xf64>
               }""",
            "@f returns 2 values, not one",
        ),
    ],
)
def test_functions_that_are_not_of_tensors(capsys: Capture, text: str, message: str):
    Path("in.mlir").write_text(text)
    assert main(["interpret", "in.mlir", "--args", "A=x.npy"]) == 1
    assert message in capsys.readouterr().err


@pytest.mark.usefixtures("folder")
def test_a_failed_assertion_is_the_kernels_status(capsys: Capture):
    Path("in.mlir").write_text("""
func.func @f(%A: tensor<?xf64>) -> tensor<?xf64> {
  %no = arith.constant 0 : i1
  cf.assert %no, "position overflow"
  func.return %A : tensor<?xf64>
}""")
    assert main(["interpret", "in.mlir", "--args", "A=x.npy"]) == 1
    assert capsys.readouterr().err == "tamale: error: interpret: position overflow\n"


@pytest.mark.usefixtures("folder")
def test_an_op_that_nobody_runs(capsys: Capture):
    Path("in.mlir").write_text("""
func.func @f(%A: tensor<?xf64>) -> tensor<?xf64> {
  "test.op"() : () -> ()
  func.return %A : tensor<?xf64>
}""")
    assert main(["interpret", "in.mlir", "--args", "A=x.npy"]) == 1
    assert "no meaning is known for op test.op" in capsys.readouterr().err
