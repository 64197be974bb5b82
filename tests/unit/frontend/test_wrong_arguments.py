"""What users pass by mistake: every time an error that says so, and nothing of it computed."""

import copy
import pickle
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import tamale as tm

scipy_sparse: Any = import_module("scipy.sparse")
SPMV = "y(i) = A(i,j) * x(j)"
OUTER = "Z(i,j) = b(i)"
M = np.array([[0.0, 2.0, 0.0], [1.0, 0.0, 3.0]])
x = np.ones(3)
masked: Any = np.ma.masked_equal(M, 2.0)
anything: Any = tm
"""The interface without its types."""


def spmv(**options: Any) -> Any:
    return anything.compile(SPMV, A="csr", **options)


def evaluate(**options: Any) -> Any:
    return anything.evaluate(SPMV, A=tm.tensor(M, "csr"), x=x, **options)


def outer(shape: Any) -> Any:
    return tm.compile(OUTER)(b=x, shape=shape)


def entries(shape: Any, *columns: Any) -> Any:
    return anything.tensor(([1.0], columns or ([0], [1])), "coo", shape=shape)


def cut(parts: Any) -> tm.Parts:
    return tm.partition(SPMV, {"A": tm.tensor(M, "csr"), "x": x}, parts)


WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "fraction": (lambda: outer((3, 2.5)), r"kernel: a shape has a whole number.*\(3, 2.5\)"),
    "text": (lambda: outer("ab"), "kernel: a shape has a whole number for each mode, got 'ab'"),
    "number": (lambda: outer(3), "a shape has a whole number for each mode, got 3"),
    "too many": (lambda: outer((3, 1 << 62)), "3 x 4611686018427387904 values are more than"),
    "too large": (lambda: outer((3, 1 << 70)), "mode 2 has the dimension size 11805916207174113"),
    "cut sizes": (lambda: entries((2.7, 2)), r"tensor: a shape has a whole number.*2.7"),
    "named sizes": (lambda: entries(("a", 2)), "tensor: a shape has a whole number for each mode"),
    "no sizes": (lambda: entries(4, [0]), "tensor: a shape has a whole number for each mode"),
    "masked operand": (lambda: tm.compile(SPMV)(A=masked, x=x), "elements of the array are masked"),
    "masked tensor": (lambda: tm.tensor(masked), "help: pass `array.filled"),
    "masked term": (lambda: tm.tensor(M, "csr") + masked, "elements of the array are masked"),
    "masked column": (lambda: entries((2, 2), masked[0], [1]), "elements of the array are masked"),
    "ragged": (lambda: tm.tensor([[1, 2], [3]]), "no array can be made of the data"),
    "list of threads": (lambda: evaluate(threads=[1]), r"threads: expected a whole number.*\[1\]"),
    "format": (lambda: anything.compile(SPMV, A=3), "expected a format, its name or its line"),
    "formats": (lambda: anything.parse(SPMV, A=["csr"]), "its name or its line, got list"),
    "out": (lambda: evaluate(out=["csr"]), "out= is a format or a NumPy array.*got list"),
    "out tensor": (lambda: evaluate(out=tm.tensor(M)), "out= is a format or a NumPy.*got Tensor"),
    "name": (lambda: spmv(name=3), "'3' is no name for a function"),
    "order": (lambda: spmv(order=3), "order: expected the variables of the loops.*got '3'"),
    "loops": (lambda: spmv(order=[1, 2]), "order: expected the variables of the loops.*got '1,2'"),
    "unordered": (lambda: spmv(order={"i", "j"}), "order: expected the variables of the loops"),
    "schedule": (lambda: spmv(schedule="i,j"), "schedule: expected a Schedule, got 'i,j'"),
    "sizes": (lambda: spmv(sizes=[1]), r"sizes: expected numbers by name, got \[1\]"),
    "half a size": (lambda: spmv(sizes={"i": 1.5}), "sizes: i cannot be 1.5; expected a number"),
    "entries": (lambda: spmv(entries={"A": "many"}), "entries: A cannot be 'many'"),
    "no element": (lambda: tm.tensor(M, "csr")[True, 0], "an element has an integer for each of"),
    "half a mode": (lambda: anything.tensor(M).sum(axis=0.5), "axis 0.5 names no modes"),
    "half modes": (lambda: anything.tensor(M).transpose(1.0, 0.0), "is no order of 2 modes"),
    "modes": (lambda: anything.conversion("coo", "csf", order=2.0), "order: expected a whole"),
    "many modes": (lambda: anything.conversion("coo", "csf", order=10**9), "from 0 to 64, got 10"),
    "true threads": (lambda: spmv(threads=True), "threads: expected a whole number.*True"),
    "true size": (lambda: spmv(sizes={"i": np.True_}), "sizes: i cannot be np.True_"),
    "true shape": (lambda: outer((3, True)), r"a shape has a whole number.*\(3, True\)"),
    "true mode": (lambda: tm.tensor(M, "csr").sum(axis=True), "axis True names no modes"),
    "true parts": (lambda: cut(True), "True is no number of parts"),
    "parts": (lambda: cut(2.0), "2.0 is no number of parts"),
    "many parts": (lambda: cut(10**30), "is no number of parts; it is from 1 to 65536"),
    "workers": (lambda: anything.ThreadExecutor(2.0), "workers: expected a whole number.*2.0"),
    "no workers": (lambda: anything.ProcessExecutor(0), "workers: expected a whole number.*0"),
    "bytes": (lambda: anything.keep_memory("1 GB"), "keep_memory: the limit is '1 GB'"),
    "einsum": (lambda: anything.einsum(x, [0], x, [0]), "einsum: expected subscripts such as"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said(name: str):
    call, message = WRONG[name]
    with pytest.raises(tm.TamaleError, match=message):
        call()


def test_what_only_looks_wrong():
    assert outer(np.array([3, 2])).shape == (3, 2)
    unmasked: Any = np.ma.masked_equal(M, 7.0)
    assert np.array_equal(tm.compile(SPMV)(A=unmasked, x=x), [2, 4])
    assert evaluate(out=None).tolist() == [2, 4]
    sizes: Any = {"i": np.int64(5)}
    assert spmv(sizes=sizes)(A=M, x=x).tolist() == [2, 4]


@pytest.mark.parametrize("two", [np.int64(2), np.uint8(2), np.array(2)], ids=str)
def test_integers_of_any_type(two: Any):
    """Whatever Python takes for an index; what only equals one, as 2.0 and True do, is refused."""
    A = tm.tensor(M, "csr")
    assert spmv(threads=two) is spmv(threads=2)
    assert spmv(sizes={"i": two}, entries={"A": two})(A=A, x=x).tolist() == [2, 4]
    assert evaluate(threads=two).tolist() == tm.einsum("ij,j->i", A, x, threads=two).tolist()
    assert tm.convert(A, "csc", threads=two) == tm.convert(A, "csc")
    assert str(tm.conversion("coo", "csf", order=two, threads=two)) == "coo to dcsr"
    assert spmv().schedule.parallelize("i", threads=two).schedule.value.threads == 2
    assert repr(tm.Schedule(threads=two)) == "Schedule(threads 2)"
    assert len(cut(two)) == 2
    assert outer((3, two)).shape == (3, 2)
    assert A[1, two] == 3
    assert A.sum(axis=two - 1).shape == (2,)
    assert np.array_equal(A.transpose(two - 1, two - two).to_numpy(), M.T)
    with tm.ThreadExecutor(two) as pool:
        assert len(cut(two).run(pool).handles) == 2


def test_modes_as_numpy_takes_them():
    A = tm.tensor(M, "csr")
    wrong: Any = "ab"
    for found in (A.transpose(), A.transpose((1, 0)), A.transpose(1, 0)):
        assert np.array_equal(found.to_numpy(), M.T)
    with pytest.raises(tm.TamaleError, match="is no order of 2 modes"):
        A.transpose(wrong)


def test_kernels_go_to_other_processes():
    kernel = spmv()
    for twin in (pickle.loads(pickle.dumps(kernel)), copy.deepcopy(kernel)):
        assert twin == kernel
        assert twin(A=scipy_sparse.csr_array(M), x=x).tolist() == [2, 4]
