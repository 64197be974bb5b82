"""`tamale run`: operands from files, made-up operands, checks, times, results in files."""

import json
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tamale.dialects.format.named import resolve_format
from tamale.frontend.files import read
from tamale.frontend.libraries.dense import from_numpy
from tamale.frontend.request import make_request
from tamale.frontend.tensor import Tensor
from tamale.tools.cli import checking
from tamale.tools.cli.checking import Checker
from tamale.tools.cli.progress import progress
from tamale.tools.cli.scipy_values import Declined, scipy_value
from tamale.tools.tamale import main

sparse: Any = import_module("scipy.sparse")
mmwrite: Any = import_module("scipy.io").mmwrite

SPMV = "y(i) = A(i,j) * x(j)"
Capture = pytest.CaptureFixture[str]


@pytest.fixture(scope="module", autouse=True)
def shared_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """One kernel cache for all tests of this file."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TAMALE_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def matrix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A random 7 x 5 matrix, in A.mtx of an otherwise empty working folder."""
    monkeypatch.chdir(tmp_path)
    found = sparse.random_array((7, 5), density=0.4, rng=np.random.default_rng(1))
    mmwrite("A.mtx", found)
    return found


def output(capsys: Capture, *args: str) -> str:
    """What a run that succeeds prints."""
    assert main(["run", *args]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def error(capsys: Capture, *args: str) -> str:
    """What a run that fails says."""
    assert main(["run", *args]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


# Results


def test_one_line_about_the_result(capsys: Capture, matrix: Any):
    text = output(capsys, SPMV, "-i", "A=A.mtx", "-f", "A=csr", "--time", "3")
    found = re.fullmatch(
        r"y: 7, float64, nnz 7, sum ([\d.]+); median [\d.e-]+ ms, min [\d.e-]+ ms of 3 calls, "
        r"[\d.]+ ns per nonzero of A; checked against NumPy: ok\n",
        text,
    )
    assert found is not None
    assert float(found[1]) == pytest.approx(matrix.sum())


def test_result_in_a_file(capsys: Capture, matrix: Any):
    np.save("x.npy", np.arange(5.0))
    output(capsys, SPMV, "-i", "A=A.mtx", "-i", "x:x.npy", "-f", "A:ds", "-o", "y.mtx")
    np.testing.assert_allclose(read("y.mtx").to_numpy()[:, 0], matrix @ np.arange(5.0))


def test_a_written_vector_is_read_again(capsys: Capture, matrix: Any):
    """Matrix Market has vectors as matrices of one column, dense or sparse."""
    output(capsys, "x(j) = A(i,j)", "-i", "A=A.mtx", "-f", "A=csc", "-o", "x.mtx")
    output(capsys, SPMV, "-i", "A=A.mtx", "-i", "x=x.mtx", "-f", "A=csr", "-o", "y.npy")
    expected = matrix @ matrix.sum(axis=0)
    np.testing.assert_allclose(np.load("y.npy"), expected)
    mmwrite("x.mtx", sparse.coo_array(matrix.sum(axis=0)[:, np.newaxis]))
    output(capsys, SPMV, "-i", "A=A.mtx", "-i", "x=x.mtx", "-f", "A=csr", "-o", "y.npy")
    np.testing.assert_allclose(np.load("y.npy"), expected)


def test_sparse_result(capsys: Capture, matrix: Any):
    formats = ["-f", "A=csr", "-f", "B=csr", "-f", "Z=csr"]
    inputs = ["-i", "A=A.mtx", "-i", "B=A.mtx"]
    text = output(capsys, "Z(i,j) = A(i,j) + B(i,j)", *inputs, *formats, "-o", "Z.npz")
    assert f"Z: 7 x 5, float64, nnz {matrix.nnz}, " in text
    assert abs(sparse.load_npz("Z.npz") - 2 * matrix).max() < 1e-15


def test_dtype(capsys: Capture, matrix: Any):
    args = [SPMV, "-i", "A=A.mtx", "-f", "A=csr"]
    assert "float32" in output(capsys, *args, "--dtype", "float32")
    assert "holds float64 values, which do not fit int32" in error(
        capsys, *args, "--dtype", "int32"
    )


def test_seed(capsys: Capture, matrix: Any):
    args = [SPMV, "-i", "A=A.mtx", "-f", "A=csr", "-o", "y.npy", "--seed"]
    results: list[Any] = []
    for seed in ("1", "1", "2"):
        output(capsys, *args, seed)
        results.append(np.load("y.npy"))
    assert (results[0] == results[1]).all()
    assert (results[0] != results[2]).any()


@pytest.mark.parametrize("dtype", ["int32", "complex128"])
def test_random_operands_of_any_type(capsys: Capture, dtype: str):
    text = output(capsys, "s = a(i) * b(i)", "--size", "i=9", "--seed", "1", "--dtype", dtype)
    assert f"s: scalar, {dtype}, nnz 1" in text


def test_no_operand(capsys: Capture):
    text = output(capsys, "s(i) = 3", "--size", "i=4")
    assert text.startswith("s: 4, int64, nnz 4, sum 12; ")


def test_operand_and_result(capsys: Capture, matrix: Any):
    text = output(capsys, "y(i) += A(i,j) * x(j)", "-i", "A=A.mtx", "-f", "A=csr")
    found = re.search(r"sum ([\d.]+);", text)
    assert found is not None
    assert float(found[1]) == pytest.approx(matrix.sum() + 7)


# Errors


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([SPMV], "run: no file tells the size of 'i' in A(i,j), in  y(i) = A(i,j) * x(j)\n  help"),
        ([SPMV, "-i", "A=B.mtx"], "read: there is no file 'B.mtx'"),
        ([SPMV, "-i", "A"], "input flag: expected a tensor name, '=' and a file, in  -i A"),
        ([SPMV, "-i", "B=A.mtx"], "input flag: 'B' names no operand of"),
        ([SPMV, "-i", "A=A.mtx", "-i", "A=A.mtx"], "input flag: A is given two files"),
        ([SPMV, "-i", "x=A.mtx"], "x is used with order 1, but 'A.mtx' has order 2 (7 x 5)"),
        ([SPMV, "-i", "A=A.mtx", "--size", "j=6"], "'j' has size 6 elsewhere and 5 in A(i,j)"),
        ([SPMV, "-i", "A=A.mtx", "--size", "6"], "size flag: expected an index variable"),
        ([SPMV, "-i", "A=A.mtx", "--size", "k=6"], "size flag: 'k' is no index variable of"),
        ([SPMV, "-i", "A=A.mtx", "--threads", "2000"], "threads: expected a whole number from 1"),
        ([SPMV, "-i", "A=A.mtx", "-o", "y.pdf"], "write: 'y.pdf' has an unknown extension"),
        ([SPMV, "-i", "A=A.mtx", "--dtype", "float16"], "element type float16 is not supported"),
        (["y(i) = A(i,j) *", "-i", "A=A.mtx"], "notation: expected an operand after '*'"),
    ],
)
@pytest.mark.usefixtures("matrix")
def test_errors(capsys: Capture, args: list[str], message: str):
    assert message in error(capsys, *args)


# The check


def checker(expression: str, **tensors: Any) -> Checker:
    """A checker of a statement on dense arrays."""
    request = make_request(expression, {}, {})
    operands = {name: from_numpy(np.asarray(array)) for name, array in tensors.items()}
    sizes = {
        variable: size
        for use in request.uses
        for variable, size in zip(use.indices, operands[use.tensor].shape, strict=True)
    }
    return Checker(request, operands, sizes)


@pytest.mark.parametrize("points", [checking.MOST_POINTS, 0])
def test_a_wrong_result_is_noticed(monkeypatch: pytest.MonkeyPatch, points: int):
    monkeypatch.setattr(checking, "MOST_POINTS", points)
    oracle = "NumPy" if points else "SciPy"
    check = checker(SPMV, A=[[1.0, 2.0], [3.0, 4.0]], x=[1.0, 1.0])
    assert check.check(np.array([3.0, 7.0])) == f"checked against {oracle}: ok"
    with pytest.raises(ValueError, match=rf"is wrong: y\(1\) is 7.1, {oracle} has 7.0"):
        check.check(np.array([3.0, 7.1]))
    with pytest.raises(ValueError, match=r"is wrong: y\(0\) is nan"):
        check.check(np.array([np.nan, 7.0]))


def test_what_cancels_is_judged_by_its_terms():
    check = checker("y(i) = a(i) - b(i)", a=[1.0], b=[1.0])
    assert check.check(np.array([1e-17])).endswith("ok")
    with pytest.raises(ValueError, match="is wrong"):
        check.check(np.array([1e-3]))


def test_nan_is_equal_to_nan():
    assert checker("y(i) = a(i)", a=[np.nan]).check(np.array([np.nan])).endswith("ok")


def test_a_wrong_sparse_result_is_noticed(monkeypatch: pytest.MonkeyPatch, matrix: Any):
    monkeypatch.setattr(checking, "MOST_POINTS", 0)
    A = read("A.mtx", "csr")
    request = make_request("Z(i,j) = A(i,j)", {"A": "csr", "Z": "csr"}, {})
    check = Checker(request, {"A": A}, {"i": 7, "j": 5})
    assert check.check(A) == "checked against SciPy: ok"
    wrong = Tensor(A.format, A.shape, A.levels, A.vals + 1)
    with pytest.raises(ValueError, match=r"Z\(\d,\d\) is"):
        check.check(wrong)


def test_what_cannot_be_checked(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(checking, "MOST_POINTS", 0)
    assert checker("y(i) = max(a(i), b(i))", a=[1.0], b=[1.0]).check(np.array([1.0])) == (
        "not checked: too large for NumPy, and not of a form that SciPy computes"
    )


@pytest.mark.parametrize(
    ("expression", "einsum"),
    [
        ("y(i) = A(i,j) * x(j)", "ij,j->i"),
        ("y(j) = A(i,j) * z(i)", "ij,i->j"),
        ("Z(k,l) = A(i,k) * B(i,j) * A(j,l)", "ik,ij,jl->kl"),
        ("Z(j,i) = A(i,j) * B(i,j)", "ij,ij->ji"),
        ("s = A(i,j) * B(i,j)", "ij,ij->"),
        ("s = A(i,j)", "ij->"),
        ("s = z(i) * A(i,j) * x(j)", "i,ij,j->"),
        ("Z(i,j) = z(i) * A(i,j) * x(j)", "i,ij,j->ij"),
        ("y(j) = A(i,j) * x(j) * z(i)", "ij,j,i->j"),
        ("s = x(j) * A(i,j) * z(j)", "j,ij,j->"),
    ],
)
@pytest.mark.parametrize("stored", ["dense", "csr"])
def test_products_by_scipy(expression: str, einsum: str, stored: str):
    random = np.random.default_rng(0)
    arrays = {name: random.random((4, 4)) for name in "AB"} | {n: random.random(4) for n in "xz"}
    request = make_request(expression, {}, {})
    order = [use.tensor for use in request.uses]
    tensors = {name: from_numpy(arrays[name]) for name in order}
    if stored == "csr":
        csr = resolve_format("csr", 2)
        tensors = {n: t.to_format(csr) if t.order == 2 else t for n, t in tensors.items()}
    expected = np.einsum(einsum, *(arrays[name] for name in order))
    found = scipy_value(request.statement, tensors)
    np.testing.assert_allclose(found.toarray() if sparse.issparse(found) else found, expected)


@pytest.mark.parametrize(
    "expression",
    [
        "s = A(i,i)",
        "s = A(i,j) / x(j)",
        "Z(i,j) = A(i,j) + x(j)",
        "Z(i,j) = x(i) * x(j)",
        "s = max(x(i), 2)",
        "y(i) = reduce(max, j, A(i,j))",
        "y(i) = T(i,j,k)",
        "Z(i,j) = x(i)",
        "Z(i,i) = x(i)",
    ],
)
def test_scipy_declines(expression: str):
    shapes = {"A": (2, 2), "x": (2,), "T": (2, 2, 2)}
    tensors = {name: from_numpy(np.ones(shape)) for name, shape in shapes.items()}
    with pytest.raises(Declined):
        scipy_value(make_request(expression, {}, {}).statement, tensors)


# Progress


def test_progress_on_a_terminal_only(capsys: Capture, monkeypatch: pytest.MonkeyPatch):
    with progress("reading"):
        pass
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with progress("reading"):
        pass
    assert capsys.readouterr().err == "\rreading ...\r\x1b[K"


def test_where_the_time_went(matrix: Any, monkeypatch: pytest.MonkeyPatch, capsys: Capture):
    """Passes, the printer and the compiler the first time; what the cache has is not made again."""
    monkeypatch.setenv("TAMALE_CACHE_DIR", str(Path("own-cache").absolute()))
    words = ["run", "y(i) = A(i,j) * x(j)", "-i", "A=A.mtx", "-f", "A=csr", "--name", "timed"]
    assert main([*words, "--timing", "--timing-json", "times.json"]) == 0
    table = [line.split(maxsplit=2) for line in capsys.readouterr().err.splitlines()]
    booked = [row[2] for row in table[1:]]
    assert booked.index("concretize") < booked.index("lower-levels") < booked.index("print C++")
    assert booked.index("print C++") < booked.index("C++ compiler") < booked.index("first call")
    times = {row["name"]: row["seconds"] for row in json.loads(Path("times.json").read_text())}
    assert list(times) == booked
    total = times.pop("total")
    assert total == pytest.approx(sum(times.values()))
    assert all(seconds >= 0 for seconds in times.values())
    words[1] = "y(i)=A(i,j)*x(j)"  # for this process another statement, for the disk the same
    assert main([*words, "--timing"]) == 0
    again = capsys.readouterr().err
    assert "first call" in again
    assert "concretize" not in again
    assert "C++ compiler" not in again


def test_a_result_that_no_file_holds_is_refused_before_any_work(matrix: Any, capsys: Capture):
    assert main(["run", "y(i) = A(i,j)", "-i", "A=missing.mtx", "-o", "y.xyz"]) == 1
    assert "write: 'y.xyz' has an unknown extension" in capsys.readouterr().err


def test_a_result_for_a_missing_folder(matrix: Any, capsys: Capture):
    assert main(["run", "y(i) = A(i,j)", "-i", "A=A.mtx", "-f", "A=csr", "-o", "no/y.npy"]) == 1
    said = capsys.readouterr().err
    assert said.endswith("write: 'no/y.npy' cannot be written: No such file or directory\n")
