"""`__binsparse__`, read and written, beside the reference implementation."""

import json
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import tamale as tm
from tamale.frontend.libraries.binsparse import read_binsparse, write_binsparse
from tamale.frontend.tensor import Tensor

reference: Any = import_module("binsparse")
container: Any = import_module("binsparse.container")

M = np.array([[0, 2.0, 0, 0], [1, 0, 0, 3], [0, 0, 0, 0], [0, 4, 5, 6]])
T = np.zeros((2, 3, 4))
T[1, 2, 3], T[0, 1, 2] = 5, 6
MATRICES = {
    "csr": "CSR",
    "csc": "CSC",
    "dcsr": "DCSR",
    "dcsc": "DCSC",
    "coo": "COO",
    "coo(1, 0)": "COOC",
    "dense": "DMATR",
    "dense(1, 0)": "DMATC",
}


@dataclass
class Foreign:
    """An object of another library."""

    header: dict[str, Any]
    arrays: Any

    def __binsparse__(self) -> tuple[dict[str, Any], Any]:
        return self.header, self.arrays


def out_and_back(A: Tensor) -> Tensor:
    header, arrays = A.__binsparse__()
    return tm.tensor(Foreign(json.loads(json.dumps(header)), arrays))


@pytest.mark.parametrize("dtype", ["float64", "complex64", "int8"])
@pytest.mark.parametrize("format", MATRICES)
def test_matrices_out_and_back(format: str, dtype: str):
    A = tm.tensor(M.astype(dtype), format)
    assert A.__binsparse__()[0]["binsparse"]["format"] == MATRICES[format]
    B = out_and_back(A)
    assert B == A
    assert np.shares_memory(B.vals, A.vals)


@pytest.mark.parametrize(
    "format",
    [
        "(i, j, k) -> (i : dense, j : compressed, k : compressed)",
        "(i, j, k) -> (j : compressed, i : compressed, k : dense)",
        "(i, j, k) -> (i : dense, j : compressed(nonunique), k : singleton), pos = i64",
        "coo",
        "dense",
    ],
)
def test_levels_out_and_back(format: str):
    A = tm.tensor(T, format)
    assert out_and_back(A) == A


@pytest.mark.parametrize("format", ["dia", "ell", "dok", "bcsr(2, 2)"])
def test_other_formats_go_as_coordinates(format: str):
    B = out_and_back(tm.tensor(M, format))
    assert B.format == tm.formats.coo
    assert B.equals(M)
    assert out_and_back(tm.tensor(T, "csf(1, 2, 0)")).equals(T)


@pytest.mark.parametrize("format", ["csr", "csc", "dcsr", "coo"])
def test_the_reference_implementation_reads_it(format: str):
    header, arrays = write_binsparse(tm.tensor(M, format))
    memory = container.InMemoryBinsparseContainer(header, list(arrays.values()))
    found = reference.BinsparseTensor.parse(memory)
    assert found.values.tolist() == tm.tensor(M, format).vals.tolist()
    assert found.indices_1.tolist() == tm.tensor(M, format).levels[1]["crd"].tolist()


def descriptor(**changes: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The lower triangle of a matrix in CSR."""
    header, arrays = write_binsparse(tm.tensor(np.array([[1.0, 0], [2, 3]]), "csr"))
    return {**header, **changes}, arrays


@pytest.mark.parametrize(
    ("structure", "expected"),
    [
        (None, [[1, 0], [2, 3]]),
        ("symmetric_lower", [[1, 2], [2, 3]]),
        ("skew_symmetric_lower", [[1, -2], [2, 3]]),
    ],
)
def test_structures_are_expanded(structure: str | None, expected: list[list[float]]):
    A = read_binsparse(*descriptor(structure=structure)).check()
    assert A.format == tm.formats.csr
    assert A.to_numpy().tolist() == expected


def test_hermitian_upper():
    header, arrays = write_binsparse(tm.tensor(np.array([[1, 2j], [0, 3]]), "coo"))
    A = read_binsparse({**header, "structure": "hermitian_upper"}, arrays)
    assert A.to_numpy().tolist() == [[1, 2j], [-2j, 3]]


def test_one_value_for_all():
    header, arrays = descriptor()
    header["data_types"]["values"] = "iso[bint8]"
    A = read_binsparse(header, {**arrays, "values": np.array([1], "u1")})
    assert A.to_numpy().tolist() == [[1, 0], [1, 1]]


def test_indices_in_any_order_are_sorted_and_summed():
    header, arrays = write_binsparse(tm.tensor(M, "coo"))
    turned = {name: array[::-1] for name, array in arrays.items()}
    assert read_binsparse(header, turned).check().equals(M)


CUSTOM = {"level": {"level_desc": "dense", "rank": 1, "level": {"level_desc": "element"}}}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": "2.0"}, "version '2.0' is not supported"),
        ({"version": 1}, "version 1 is not supported"),
        ({"shape": [2, -1]}, r"the shape is \[2, -1\]"),
        ({"shape": [2, 2.5]}, r"the shape is \[2, 2.5\]"),
        ({"shape": None}, "the shape is None"),
        ({"shape": [2, 1]}, "outside of the dimension size 1"),
        ({"shape": [2, 2, 2]}, "does not fit a tensor of order 3"),
        ({"format": "ELL"}, "format 'ELL' is not known"),
        ({"format": ["CSR"]}, "is not known"),
        ({"format": "DCSR"}, "there is no array 'indices_0'"),
        ({"format": "custom"}, "format 'custom' does not fit a tensor of order 2"),
        ({"format": "custom", "custom": CUSTOM}, "does not fit a tensor of order 2"),
        ({"number_of_stored_values": 7}, "number_of_stored_values is 7, the arrays say 3"),
        ({"structure": "round_lower"}, "structure 'round_lower' is not known"),
        ({"structure": "symmetric_upper"}, r"but has an entry at \(1, 0\)"),
        ({"fill": True}, "the fill value is None"),
        ({"data_types": {}}, "there is no array 'indices_1'"),
    ],
)
def test_descriptors_that_make_no_tensor(changes: dict[str, Any], message: str):
    with pytest.raises(tm.FormatError, match=message):
        read_binsparse(*descriptor(**changes))


@pytest.mark.parametrize(
    ("kind", "array", "message"),
    [
        ("float16", np.ones(3), "type 'float16' of 'values' is not known"),
        ("float32", np.ones(3), "'values' holds float64, but is declared as float32"),
        ("float64", np.ones(2), "'values' has 2 elements, expected 3"),
        ("float64", np.ones((3, 1)), "'values' is 2-dimensional"),
        ("complex[float64]", np.ones(3), "no pairs of real and imaginary parts"),
        ("complex[int8]", np.ones(4, "i1"), "no pairs"),
        ("uint64", np.full(3, 1 << 63, "u8"), "binsparse: value 0 is 9,223,"),
        ("iso[float64]", np.ones(3), "'values' has 3 elements, expected 1"),
    ],
)
def test_arrays_that_are_not_as_declared(kind: str, array: Any, message: str):
    header, arrays = descriptor()
    header["data_types"]["values"] = kind
    with pytest.raises(tm.TamaleError, match=message):
        read_binsparse(header, {**arrays, "values": array})


def test_one_value_for_more_than_can_be():
    header = {
        "version": "0.1.0",
        "format": "DVEC",
        "shape": [1 << 50],
        "number_of_stored_values": 1 << 50,
        "data_types": {"values": "iso[float64]"},
    }
    with pytest.raises(tm.FormatError, match="too many"):
        read_binsparse(header, {"values": np.ones(1)})


@pytest.mark.parametrize(
    ("transpose", "message"),
    [([0, 0, 1], "is no order of 3 modes"), ([1, 2, 0], "can be read in two ways")],
)
def test_transpositions_that_cannot_be_used(transpose: list[int], message: str):
    header, arrays = write_binsparse(tm.tensor(T, "csf"))
    header["custom"]["transpose"] = transpose
    with pytest.raises(tm.FormatError, match=message):
        read_binsparse(header, arrays)


def test_levels_without_end():
    level: dict[str, Any] = {"level_desc": "dense", "rank": 1}
    level["level"] = level
    with pytest.raises(tm.FormatError, match="more levels than the 2 modes"):
        read_binsparse(*descriptor(format="custom", custom={"level": level}))


def test_a_number_is_refused():
    with pytest.raises(tm.FormatError, match="a number has no format"):
        write_binsparse(tm.tensor(2.0))
