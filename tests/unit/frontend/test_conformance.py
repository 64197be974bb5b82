"""What tensors hold to, a test a sentence: files, sizes, types, duplicates, NaN, explicit zeros."""

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tamale as tm

sp: Any = import_module("scipy.sparse")

BANNER = "%%MatrixMarket matrix coordinate"


def read(text: str, folder: Path, format: str = "csr") -> tm.Tensor:
    path = folder / "a.mtx"
    path.write_text(f"{BANNER} {text}\n")
    return tm.read(path, format).check()


@pytest.mark.parametrize("format", ["coo", "csr", "csc", "dia", "dcsr"])
def test_duplicate_entries_of_a_file_are_summed(format: str, tmp_path: Path):
    A = read("real general\n2 2 4\n1 2 1.5\n2 1 1\n1 2 2.5\n1 2 -1", tmp_path, format)
    assert A.to_numpy().tolist() == [[0, 3], [1, 0]]
    if format != "dia":
        assert A.nnz == 2


def test_a_symmetric_file_is_whole(tmp_path: Path):
    A = read("real symmetric\n3 3 4\n1 1 1\n2 1 2\n3 2 3\n3 2 4", tmp_path)
    assert A.to_numpy().tolist() == [[1, 2, 0], [2, 0, 7], [0, 7, 0]]
    assert tm.evaluate("s = A(i,j)", A=A) == 19


@pytest.mark.parametrize("entry", ["3 1 1.0", "1 4 1.0", "0 1 1.0", "1 -1 1.0"])
def test_an_entry_outside_is_an_error_with_its_line(entry: str, tmp_path: Path):
    with pytest.raises(tm.FormatError, match=r"[Ll]ine 4"):
        read(f"real general\n2 3 2\n1 1 1.0\n{entry}", tmp_path)


@pytest.mark.parametrize("format", ["dense", "coo", "csr", "csc", "dia", "ell", "bcsr(2, 2)"])
@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (0, 0)])
def test_empty_shapes_are_kept(shape: tuple[int, int], format: str, tmp_path: Path):
    A = tm.tensor(np.zeros(shape), format).check()
    assert A.shape == A.to_numpy().shape == shape
    assert (A @ np.ones(shape[1])).shape == shape[:1]
    assert A.T.shape == shape[::-1]
    A.save(str(tmp_path / "a.npz"))
    assert tm.read(tmp_path / "a.npz").shape == shape


@pytest.mark.parametrize("kind", ["uint8", "int16"])
def test_narrow_positions_are_widened(kind: str):
    """SciPy widens positions by itself; whoever hands over arrays of their own may not."""
    columns = 200 if kind == "uint8" else 400
    header = {
        "version": "0.1",
        "format": "CSR",
        "shape": [1, columns],
        "number_of_stored_values": columns,
        "data_types": {"pointers_to_1": kind, "indices_1": kind, "values": "int8"},
    }
    arrays = {
        "pointers_to_1": np.array([0, columns], kind),
        "indices_1": np.arange(columns).astype(kind),
        "values": np.ones(columns, "int8"),
    }
    A = tm.tensor(Described(header, arrays))
    assert A.levels[1]["pos"].tolist() == [0, columns]
    assert A.levels[1]["pos"].dtype == np.int32
    assert A.sum() == columns


def test_positions_that_have_overflowed_are_refused():
    """400 in eight bits is -112."""
    ones = sp.csr_array(np.ones((1, 400)))
    ones.indptr = ones.indptr.astype("int8")
    with pytest.raises(tm.FormatError, match="-112"):
        tm.tensor(ones)
    ones = sp.csr_array(np.ones((1, 400)))
    ones.indices = ones.indices.astype("int8")
    with pytest.raises(tm.FormatError, match="-128"):
        tm.tensor(ones)


class Described:
    """Arrays that speak `__binsparse__`."""

    def __init__(self, header: dict[str, Any], arrays: dict[str, Any]) -> None:
        self.header, self.arrays = header, arrays
        self.shape = tuple(header["shape"])

    def __binsparse__(self) -> tuple[dict[str, Any], list[Any]]:
        return {"binsparse": self.header}, list(self.arrays.values())


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dcsr"])
def test_nan_against_an_implicit_zero_and_a_stored_one(format: str):
    """`0 * NaN` is 0 where nothing is stored, and NaN where a zero is."""
    x = np.array([1.0, np.nan, np.inf])
    absent = tm.tensor(([2.0], ([0], [0])), format, shape=(2, 3))
    assert (absent @ x).tolist() == [2.0, 0.0]
    stored = tm.tensor(([2.0, 0.0, 0.0], ([0, 0, 1], [0, 1, 2])), format, shape=(2, 3))
    assert np.isnan(stored @ x).all()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_dense_operands_can_be_asked_to_be_finite(bad: float):
    statement, A = "y(i) = A(i,j) * x(j)", tm.tensor(np.eye(2, 3), "csr")
    x = np.array([1.0, 2.0, bad])  # A has no entry in the last column
    message = rf"x holds {bad} at \(2,\), in  y\(i\) = "
    for dense in (x, tm.tensor(x)):
        with pytest.raises(tm.KernelError, match=message):
            tm.evaluate(statement, A=A, x=dense, check_finite=True)
        with pytest.raises(tm.KernelError, match=message):
            tm.compile(statement, A="csr")(A=A, x=dense, check_finite=True)
    with pytest.raises(tm.KernelError, match="holds"):
        tm.einsum("ij,j->i", A, x, check_finite=True)
    assert tm.evaluate(statement, A=A, x=x).tolist() == [1.0, 2.0]
    whole = np.array([1.0, 2.0, 3.0])
    assert tm.evaluate(statement, A=A, x=whole, check_finite=True).tolist() == [1.0, 2.0]
    stored = tm.tensor(([bad], ([0], [0])), "csr", shape=(2, 3))  # what is stored is never lost
    assert not np.isfinite(tm.evaluate(statement, A=stored, x=whole, check_finite=True)[0])


def test_nan_where_everything_is_stored():
    """A dense operand has no implicit entries."""
    assert np.isnan(tm.evaluate("s = a(i) * b(i)", a=np.zeros(2), b=np.array([1.0, np.nan])))


@pytest.mark.parametrize("format", ["csr", "csc", "coo", "dcsr"])
def test_sums_keep_explicit_zeros(format: str):
    A = tm.tensor(([1.0, 0.0, 5.0], ([0, 1, 1], [1, 0, 2])), format, shape=(2, 3))
    assert (A + A).nnz == (A - A).nnz == (2 * A).nnz == 3
    assert (A - A).prune().nnz == 0


def test_flags_are_those_of_the_target():
    """What SciPy is told about the result of a conversion holds, whatever the source claimed."""
    source = sp.csr_array(
        (np.arange(1.0, 6), np.array([3, 0, 1, 1, 2]), np.array([0, 2, 5])), shape=(2, 4)
    )
    assert not source.has_sorted_indices
    for name in ("csr", "csc"):
        found = tm.convert(source, name).check().to_scipy()
        indices, pos = found.indices, found.indptr
        for begin, end in zip(pos, pos[1:], strict=False):
            assert (np.diff(indices[begin:end]) > 0).all()
        assert found.has_canonical_format
        assert np.array_equal(found.toarray(), source.toarray())
    loose = tm.convert(source, "ucoo")
    assert not all(loose.format.properties(k).ordered for k in range(2))
    strict = loose.to_format("coo")
    assert all(strict.format.properties(k).ordered for k in range(2))
    assert strict.check().equals(source)


def test_sizes_that_32_bits_cannot_count():
    n = 1 << 31
    entries = ([1.0, 2.0, 3.0], ([0, 5, n], [n, 0, 7]))
    A = tm.tensor(entries, "dcsr", shape=(n + 1, n + 1)).check()
    assert A.levels[0]["crd"].dtype == np.int64
    assert (A[0, n], A[n, 7], A[1, 1]) == (1.0, 3.0, 0.0)
    assert A.T[n, 0] == 1.0
    Z = A + A
    assert Z.nnz == 3
    assert Z[5, 0] == 4.0
    assert tm.evaluate("s = A(i,j) * A(i,j)", A=A) == 14.0
    assert tm.convert(A, "coo").check().shape == (n + 1, n + 1)


def repeated(count: int) -> float:
    """The sum of so many entries of 0.1 at one place, as float32."""
    vals, zeros = np.full(count, 0.1, "float32"), np.zeros(count, np.int32)
    return float(tm.tensor((vals, (zeros, zeros)), "csr", shape=(1, 1)).vals[0])


def test_a_million_duplicates_in_single_precision():
    assert np.cumsum(np.full(1 << 20, 0.1, "float32"))[-1] > 1.001 * 0.1 * (1 << 20)
    assert repeated(1 << 20) == pytest.approx(0.1 * (1 << 20), rel=1e-6)


@pytest.mark.slow
def test_forty_million_duplicates_in_single_precision():
    assert repeated(40_000_000) == pytest.approx(4_000_000, rel=1e-4)


# Element types


WIDENED = [
    ("bool", "int64"),
    ("uint8", "int16"),
    ("uint16", "int32"),
    ("uint32", "int64"),
    ("uint64", "int64"),
    ("float16", "float32"),
]


@pytest.mark.parametrize(("kind", "wider"), WIDENED)
def test_types_that_are_held_in_a_wider_one(kind: str, wider: str):
    known = {"bool": 1, "float16": 65504, "uint64": 2**63 - 1}
    largest = known.get(kind) or np.iinfo(kind).max
    dense = np.array([[0, largest], [1, 0]], kind)
    rows = [] if kind == "float16" else [sp.csr_array(dense)]  # which SciPy has none of
    for data in (dense, *rows):
        A = tm.tensor(data)
        assert A.dtype == wider
        assert A.to_numpy().tolist() == [[0, largest], [1, 0]]
    x = np.ones(2, kind)
    assert tm.evaluate("y(i) = A(i,j) * x(j)", A=dense, x=x).tolist() == [largest, 1]
    assert (tm.tensor(np.eye(2), "csr") * dense).to_numpy().tolist() == [[0, 0], [0, 0]]


def test_truth_values_are_counted():
    """As NumPy's sums do; eight bits would be back at 0 after 256."""
    A = tm.tensor(np.ones((2, 300), np.bool_), "csr")
    assert (A @ A.T).to_numpy().tolist() == [[300, 300], [300, 300]]


def test_values_beyond_the_held_type_are_refused_with_their_place():
    dense = np.array([[0, 2**63 - 1], [7, 2**63]], np.uint64)
    with pytest.raises(tm.TamaleError, match=r"value \(1, 1\) is 9,223,.* as int64"):
        tm.tensor(dense)
    with pytest.raises(tm.TamaleError, match=r"value 2 is 9,223,372,036,854,775,808;"):
        tm.tensor(sp.csr_array(dense))
    kernel = tm.compile("y(i) = x(i)", dtype="int64")
    with pytest.raises(tm.TamaleError, match=r"x of  y\(i\) = x\(i\): value 1 is"):
        kernel(x=dense[1])
    assert kernel(x=dense[0]).tolist() == [0, 2**63 - 1]


@pytest.mark.parametrize("kind", ["longdouble", "datetime64[s]", "U3", "object"])
def test_types_that_no_tensor_holds_are_refused_by_name(kind: str):
    array = np.zeros(2).astype(kind) if kind != "datetime64[s]" else np.zeros(2, kind)
    name = re.escape(array.dtype.name)
    with pytest.raises(tm.TamaleError, match=f"element type {name} is not supported"):
        tm.tensor(array)


# Reductions that keep their modes


@pytest.mark.parametrize("axis", [None, 0, 1, (0, 2), -1])
@pytest.mark.parametrize("name", ["sum", "mean", "max", "min"])
@pytest.mark.parametrize("format", ["csf", "coo", "dense"])
def test_reductions_keep_modes(name: str, axis: Any, format: str):
    T = np.random.default_rng(3).integers(-3, 2, (3, 4, 2)) * 1.0
    expected = getattr(T, name)(axis, keepdims=True)
    found = getattr(tm.tensor(T, format), name)(axis, keepdims=True)
    assert found.shape == expected.shape
    assert np.allclose(np.asarray(found), expected)


def test_sums_that_keep_modes_into_a_format_or_an_array():
    A = tm.tensor(np.eye(3), "csr")
    assert A.sum(1, keepdims=True, out="csc").format == tm.formats.csc
    y = np.empty((3, 1))
    assert A.sum(1, keepdims=True, out=y) is y
    assert (A / A.sum(1, keepdims=True).to_numpy()).equals(np.eye(3))
