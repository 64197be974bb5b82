"""`tamale interpret` after `lower-levels`: which arrays are whose is told by names and flags."""

from pathlib import Path
from typing import TypeAlias

import numpy as np
import pytest

from tamale.tools.tamale import main
from tamale.tools.tamale_opt import main as tamale_opt

Capture: TypeAlias = pytest.CaptureFixture[str]

KERNELS = {
    "spmv": ("y(i) = A(i,j) * x(j)", "A=csr"),
    "dia": ("B(i,j) = A(i,j)", "A=csr", "B=dia"),
    "add": ("Z(i,j) = A(i,j) + B(i,j)", "A=csr", "B=csr", "Z=csr"),
    "plus": ("y(i) += c * A1(i,j) * x2(j)", "A1=csr", "x2=csf"),
    "sum": ("s = A(i,j) * A(i,j)", "A=csr"),
}
CONVERSION = """
#csr = #format.spec<(i, j) -> (i : dense, j : compressed)>
#dia = #format.spec<(i, j) -> (j - i : squeezed, i : range, j : offset)>
func.func @f(%A: tensor<?x?xf64, #csr>) -> tensor<?x?xf64, #dia> {
  %B = tin.convert %A : tensor<?x?xf64, #csr> -> tensor<?x?xf64, #dia>
  func.return %B : tensor<?x?xf64, #dia>
}"""


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with kernels in the last form."""
    folder = tmp_path_factory.mktemp("kernels")
    for name, (expression, *formats) in KERNELS.items():
        flags = [word for format in formats for word in ("-f", format)]
        out = str(folder / f"{name}.mlir")
        assert main(["compile", expression, *flags, "--emit", "mlir", "-o", out]) == 0
    return folder


@pytest.fixture(autouse=True)
def folder(kernels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A folder with operands, the working directory, and links to the kernels."""
    monkeypatch.chdir(tmp_path)
    for name in KERNELS:
        Path(f"{name}.mlir").symlink_to(kernels / f"{name}.mlir")
    np.save("A.npy", np.array([[1.0, 0, 0, 2], [0, 3, 0, 0], [0, 0, 0, 4]]))
    np.save("x.npy", np.array([1.0, 2, 3, 4]))
    np.save("y.npy", np.array([10.0, 20, 30]))
    np.save("c.npy", np.array(2.0))
    np.save("complex.npy", np.array([1j, 2, 3, 4]))


def interpret(name: str, *words: str) -> int:
    return main(["interpret", f"{name}.mlir", *words])


@pytest.mark.parametrize(
    "words, last",
    [
        ("spmv --args A=A.npy,x=x.npy --shape 3 -f A=csr", "[ 9.  6. 16.]"),
        ("dia --args A=A.npy --shape 3x4 -f A=csr -f B=dia", "(0, 3) 2.0"),
        ("add --args A=A.npy,B=A.npy --shape 3x4 -f A=csr -f B=csr -f Z=csr", "(2, 3) 8.0"),
        (
            "plus --args y_in=y.npy,c=c.npy,A1=A.npy,x2=x.npy -f A1=csr -f x2=csf --shape 3",
            "[28. 32. 62.]",
        ),
        ("sum --args A=A.npy -f A=csr", "30.0"),
    ],
)
def test_results(capsys: Capture, words: str, last: str):
    assert interpret(*words.split()) == 0
    assert capsys.readouterr().out.splitlines()[-1] == last


@pytest.mark.parametrize(
    "words, message",
    [
        ("spmv --args A=A.npy,x=x.npy -f A=csr", "not known\n  help: --shape 4"),
        (
            "spmv --args A=A.npy,x=x.npy --shape 3",
            "A of @kernel is not stored as 'dense'\n  the function has level arrays 2_pos of i32, "
            "2_crd of i32; the format has no level arrays\n  help: pass the format that A had "
            "before lower-levels by -f A=FORMAT; it can be csr, csc",
        ),
        ("spmv -f A=dia --shape 3", "the format has level arrays 1_size of i32, 1_perm of i32"),
        ("spmv -f A=csr,pos=i64 --shape 3", "the format has level arrays 2_pos of i64"),
        ("spmv -f A=csr -f x=csr --shape 3", "-f x=csr: format: 'csr' stores tensors of order 2"),
        ("spmv -f A=csr -f Q=csr --shape 3", "-f says how Q is stored; the tensors of @kernel are"),
        ("spmv -f A=csr --shape 3 -f y=csf", "y of @kernel is not stored as 'csf'"),
        ("spmv -f A=csr --shape 3x3", "result y of @kernel has order 1, but --shape has 2 sizes"),
        ("spmv -f A=csr --shape 3 --args A=A.npy", "x needs a file\n  help: --args x=FILE"),
        ("spmv -f A=csr --shape 3 --args y=y.npy", "'y' names no operand of @kernel"),
        ("spmv -f A=csr --shape 3 --args A=x.npy,x=x.npy", "A has order 2, but 'x.npy' has 1"),
        (
            "spmv -f A=csr --shape 3 --args A=A.npy,x=complex.npy",
            "'complex.npy' holds complex128 values, which do not fit float64",
        ),
        (
            "spmv -f A=csr --shape 4 --args A=A.npy,x=x.npy",
            "the result[3] is never written\n  help: arrays do not tell whether sizes fit; do "
            "these? A is 3 x 4, x is 4, --shape 4",
        ),
        (
            "dia -f A=csr --shape 3x4 --args A=A.npy",
            "B of @kernel is not stored as 'dense'\n  the function has level arrays i32, i32; the "
            "format has no level arrays\n  help: pass the format that B had before lower-levels "
            "by -f B=FORMAT; it can be csr, csc, dia, ell",
        ),
        ("add -f A=csr -f B=csr -f Z=coo --shape 3x4", "Z of @kernel is not stored as 'coo'"),
    ],
)
def test_flags_that_are_missing_or_do_not_fit(capsys: Capture, words: str, message: str):
    assert interpret(*words.split()) == 1
    assert message in capsys.readouterr().err


def test_a_result_without_a_name(capsys: Capture):
    """A function that only converts has no argument about its result: any name will do."""
    Path("tensors.mlir").write_text(CONVERSION)
    assert tamale_opt(["tensors.mlir", "-p", "convert", "-o", "conversion.mlir"]) == 0
    words = ["conversion", "--args", "A=A.npy", "-f", "A=csr", "--shape", "3x4"]
    assert interpret(*words, "-f", "B=dia") == 0
    assert capsys.readouterr().out.startswith("3 x 4, float64, (i, j) -> (j - i : squeezed")
    assert interpret(*words) == 1
    assert "RESULT of @f is not stored as 'dense'" in capsys.readouterr().err
    assert interpret(*words, "-f", "B=dia", "-f", "C=dia") == 1
    assert "-f says how B is stored; the tensors of @f are A, RESULT" in capsys.readouterr().err
    assert interpret(*words[:-2]) == 1
    assert "--shape 5x4, or --shape scalar" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text, message",
    [
        (
            "func.func @f(%arg0: index, %arg1: memref<?xf64>) { func.return }",
            "argument arg0 of @f belongs to no tensor\n  help: sizes and arrays are known by the "
            "names that lower-levels gives them, A_dim1, A2_pos, A_vals",
        ),
        ("func.func @f(%A_dim2: index) { func.return }", "argument A_dim2 of @f belongs to no"),
        ("func.func @f(%A_vals: index) { func.return }", "argument A_vals of @f belongs to no"),
        (
            "func.func @f(%A_dim1: index, %B2_pos: memref<?xi32>) { func.return }",
            "argument B2_pos of @f belongs to no tensor",
        ),
        (
            "func.func @f(%A_dim1: index, %y_dim1: index, %y_vals: memref<?xf64>) { func.return }",
            "@f has no A_vals",
        ),
        ("func.func @f() { func.return }", "@f takes and returns nothing"),
        (
            "func.func @f(%n: index) -> index { func.return %n : index }",
            "@f returns a value of type index, not the arrays of a tensor",
        ),
    ],
)
def test_arguments_that_are_not_named_as_arrays(capsys: Capture, text: str, message: str):
    """As other tools leave them, such as mlir-opt, which drops all names."""
    Path("in.mlir").write_text(text)
    assert interpret("in", "--shape", "3") == 1
    assert message in capsys.readouterr().err
