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
