"""
Each worker gets the same work, to within a coordinate, on skewed tensors: counted entry by entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import tamale as tm
from tamale.dialects.cin.partition import Partition
from tamale.dialects.cin.sets import Intersection, SetExpr, Stored, Union, leaves
from tamale.dialects.level_variables import level_variables
from tamale.frontend.levels import walked
from tamale.frontend.request import Request, make_request
from tamale.frontend.shares import Shares, Sharing, sharing_of
from tamale.passes.algebra.lattice import driven_by_universe
from tamale.passes.algebra.meetings import loops_along
from tamale.passes.levels import storage_kind
from tamale.passes.lowering.meetings import INSIDE_PER_OUTSIDE

SPMV, SUM = "y(i) = A(i,j) * x(j)", "Z(i,j) = A(i,j) + B(i,j)"
HYBRID = "(i, j, k) -> (i : dense, j : compressed, k : compressed)"
PLANES = "(i, j, k) -> (i : dense, j : dense, k : compressed)"
MATRICES = dict.fromkeys("AB", "dcsr")
CASES: dict[str, tuple[str, Mapping[str, str]]] = {
    **{f"spmv {f}": (SPMV, {"A": f}) for f in ("csr", "dcsr", "coo", "csc", "csf", "dia", "ell")},
    "sum csr": (SUM, dict.fromkeys("AB", "csr")),
    "sum dcsr": (SUM, dict.fromkeys("AB", "dcsr")),
    "sum mixed": (SUM, {"A": "dcsr", "B": "csr"}),
    "four": ("Z(i,j) = (A(i,j) + B(i,j)) * (C(i,j) + D(i,j))", dict.fromkeys("ABCD", "dcsr")),
    "product": ("Z(i,j) = A(i,j) * B(i,j)", dict.fromkeys("AB", "dcsr")),
    "product coo": ("Z(i,j) = A(i,j) * B(i,j)", {"A": "coo", "B": "dcsr"}),
    "product mixed": ("Z(i,j) = A(i,j) * B(i,j)", {"A": "dcsr", "B": "csr"}),
    "product mixed, sparse": ("Z(i,j) = A(i,j) * B(i,j)", {"A": "csr", "B": "coo", "Z": "coo"}),
    "product of three": ("Z(i,j) = A(i,j) * (B(i,j) + C(i,j))", dict.fromkeys("ABC", "dcsr")),
    "sum csf": ("Z(i,j,k) = A(i,j,k) + B(i,j,k)", dict.fromkeys("AB", "csf")),
    "mttkrp": ("Z(i,r) = A(i,j,k) * X(j,r) * Y(k,r)", {"A": "csf"}),
    "tensors": ("Z(i,j,k) = A(i,j,k) * B(i,j,k)", dict.fromkeys("AB", "csf")),
    "of tensors": ("Z(i,j,k) = A(i,j,k) * B(i,j,k)", {"A": HYBRID, "B": "csf"}),
    "of tensors mixed": ("Z(i,j,k) = A(i,j,k) * B(i,j,k)", {"A": "csf", "B": PLANES}),
    "without rows": ("Z(i,j) = unless(A(i,j), B(i,j))", dict.fromkeys("AB", "dcsr")),
    "without": ("Z(i,j) = unless(A(i,j), B(i,j))", dict.fromkeys("AB", "csr")),
    "complement": ("Z(i,j) = unless(X(i,j), A(i,j))", {"A": "dcsr"}),
    "mixed": ("Z(i,j) = A(i,j) * B(i,j) + C(i,j)", dict.fromkeys("ABC", "csr")),
}
TENSORS = 76
DEEP = 12
"""The size of a third mode."""
WORKERS = (2, 5, 17)


def skewed(random: np.random.Generator, shape: tuple[int, int]) -> NDArray[Any]:
    """Rows and columns of very different lengths, and sometimes nothing, one row or an arrow."""
    rows, columns = random.random((shape[0], 1)) ** 6, random.random((1, shape[1])) ** 2
    array = (random.random(shape) < 3 * rows * columns) * 1.0
    match int(random.integers(0, 8)):
        case 0:
            array[:] = 0
        case 1 if shape[0]:
            array[: shape[0] // 2] = array[shape[0] // 2 + 1 :] = 0
            array[shape[0] // 2] = 1
        case 2 if min(shape):
            array[0] = array[:, 0] = 1
        case _:
            pass
    return array


def request_for(name: str, workers: int) -> Request:
    expression, formats = CASES[name]
    return make_request(expression, formats, {}, threads=workers)


def operands(request: Request, random: np.random.Generator) -> dict[str, Any]:
    """Random operands of a request."""
    shape = int(random.integers(0, 14)), int(random.integers(1, 16))
    sizes = dict(zip("ijkr", (*shape, DEEP, 2), strict=True))
    given: dict[str, Any] = {}
    for operand in request.operands:
        if operand.format.all_dense:
            given[operand.name] = np.ones([sizes[index] for index in operand.indices])
            continue
        array = skewed(random, shape)
        if len(operand.indices) == 3:
            array = array[:, :, None] * (random.random((*shape, DEEP)) < random.random((*shape, 1)))
        given[operand.name] = tm.tensor(array, operand.format)
    return given


def visits(request: Request, sharing: Sharing, given: Mapping[str, Any]) -> list[tuple[int, ...]]:
    """Every coordinate that a loop of the partition visits, with those of the loops around it."""
    partition, found = sharing.partition, list[tuple[int, ...]]()
    accesses = {use.tensor: use for use in request.uses}
    sizes: dict[str, int] = {}
    for tensor, use in accesses.items():
        sizes |= zip(use.indices, np.shape(given[tensor]), strict=True)
    own = tuple(loop.variable for loop in partition.measured)
    around: list[tuple[int, ...]] = [()]
    for depth, loop in enumerate(partition.measured):
        if driven_by_universe(loop.domain):
            around = [(*outer, c) for outer in around for c in range(sizes[loop.variable])]
            found += around
        for leaf in leaves(loop.domain):
            if leaf.variable != loop.variable:
                continue
            tensor = given[leaf.access]
            variables = level_variables(accesses[leaf.access], tensor.format)
            assert variables[: depth + 1] == own[: depth + 1]
            found += positions(tensor, depth + 1)
    if partition.along is None:
        return found
    levels = {name: level_variables(use, given[name].format) for name, use in accesses.items()}
    depth = loops_along(partition.along, partition.measured, levels.__getitem__).stop
    outside = [place for place in found if len(place) <= depth]
    if len(found) < (1 + INSIDE_PER_OUTSIDE) * len(outside):
        return found
    return where_operands_meet(partition, depth, given, found)


def where_operands_meet(
    partition: Partition, depth: int, given: Mapping[str, Any], found: list[tuple[int, ...]]
) -> list[tuple[int, ...]]:
    """The visits inside of coordinates at which the first `depth` loops have what they ask for."""
    known = {
        (access, depth): set(positions(tensor, depth))
        for access, tensor in given.items()
        for depth in range(1, len(partition.measured))
    }

    def is_met(domain: SetExpr, place: tuple[int, ...]) -> bool:
        match domain:
            case Stored(access=access):
                return place in known[access, len(place)]
            case Union(sets):
                return any(is_met(s, place) for s in sets)
            case Intersection(sets):
                return all(is_met(s, place) for s in sets)
            case _:
                return True  # A complement excludes nothing until the last loop.

    domains = [loop.domain for loop in partition.measured]
    return [
        place
        for place in found
        if all(is_met(domains[k], place[: k + 1]) for k in range(min(depth, len(place) - 1)))
    ]


def positions(tensor: tm.Tensor, levels: int) -> list[tuple[int, ...]]:
    """The coordinates of every position of a tensor's level, and of its ancestors."""
    columns: list[NDArray[np.int64]] = []
    for k, level, parents in walked(tensor):
        if k < levels:
            kind = storage_kind(tensor.format.levels[k].kind)
            owners, coordinates = kind.coordinates(level, parents)
            columns = [*(column[owners] for column in columns), coordinates]
    return list(zip(*(column.tolist() for column in columns), strict=True))


def most_at_once(found: list[tuple[int, ...]]) -> int:
    """How many visits are of one coordinate."""
    _, counts = np.unique([str(place) for place in found], return_counts=True)
    return int(counts.max(initial=1))


def work_of(shares: Shares, found: list[tuple[int, ...]]) -> list[int]:
    """How many visits lie between where a worker begins and where the next one does."""
    begins = [share.begin for share in shares.shares]
    before = [sum(place < begin for place in found) for begin in begins]
    return [b - a for a, b in pairwise([*before, len(found)])]


@pytest.mark.parametrize("workers", WORKERS)
@pytest.mark.parametrize("name", CASES)
def test_workers_get_the_same_work(name: str, workers: int):
    request, random = request_for(name, workers), np.random.default_rng(workers)
    sharing = sharing_of(request)
    assert sharing is not None
    for _ in range(TENSORS):
        given = operands(request, random)
        found = visits(request, sharing, given)
        shares = sharing.shares(given)
        work = work_of(shares, found)
        assert [share.work for share in shares.shares] == work
        innermost = [place for place in found if len(place) == len(sharing.partition.loops)]
        most = -(-len(found) // workers) + most_at_once(found) - 1
        assert max(work_of(shares, innermost)) <= most
        around = len(sharing.partition.measured) - 1
        assert max(work) <= most + around * most_at_once(found)


@pytest.mark.parametrize("out", ["dense", "dcsr"])
def test_rows_that_do_not_meet_are_no_work(out: str):
    A, B = np.ones((40, 12)), np.ones((40, 12))
    A[20::2] = B[21::2] = 0
    given: dict[str, Any] = {"A": tm.tensor(A, "dcsr"), "B": tm.tensor(B, "dcsr")}
    product = "Z(i,j) = A(i,j) * B(i,j)"
    sharing = sharing_of(make_request(product, {**MATRICES, "Z": out}, {}, threads=2))
    assert sharing is not None
    one, other = sharing.shares(given).shares
    assert one.work + other.work == 30 + 30 + 20 * (12 + 12)
    assert abs(one.work - other.work) <= 4
    assert other.begin[0] in (10, 11)  # By all entries, it would be 15.
    result = tm.evaluate(product, out=out, threads=2, **given)
    assert np.array_equal(np.asarray(result), A * B)


@pytest.mark.parametrize("out", ["dense", "dcsr"])
def test_rows_that_are_not_located_are_no_work(out: str):
    A, B = np.zeros((40, 12)), np.ones((40, 12))
    A[:10] = 1
    given: dict[str, Any] = {"A": tm.tensor(A, "dcsr"), "B": tm.tensor(B, "csr")}
    product = "Z(i,j) = A(i,j) * B(i,j)"
    request = make_request(product, {"A": "dcsr", "B": "csr", "Z": out}, {}, threads=2)
    sharing = sharing_of(request)
    assert sharing is not None
    assert sharing.partition.variables == ("i", "j")
    one, other = sharing.shares(given).shares
    assert one.work == other.work == (10 + 10 * (12 + 12)) // 2
    assert other.begin[0] == 5  # By all entries, it would be behind A.
    result = tm.evaluate(product, out=out, threads=2, **given)
    assert np.array_equal(np.asarray(result), A * B)


@pytest.mark.parametrize("workers", [2, 5, 17])
@pytest.mark.parametrize("format", ["csr", "dcsr"])
def test_rows_that_stay_whole_weigh_as_much_as_they_have(format: str, workers: int):
    request = make_request(SPMV, {"A": format, "y": "csf"}, {}, threads=workers)
    sharing, random = sharing_of(request), np.random.default_rng(workers)
    assert sharing is not None
    assert sharing.partition.variables == ("i",)
    assert [loop.variable for loop in sharing.partition.weighed] == ["j"]
    for _ in range(TENSORS):
        found = visits(request, sharing, given := operands(request, random))
        shares = sharing.shares(given)
        work = work_of(shares, found)
        assert [share.work for share in shares.shares] == work
        heaviest = most_at_once([place[:1] for place in found])
        assert max(work) <= -(-len(found) // workers) + heaviest - 1


@pytest.mark.parametrize("name", ["sum dcsr", "four", "product", "spmv csr"])
def test_copies_of_a_coordinate_alone_add_to_the_bound(name: str):
    """Each operand has a coordinate once: that is the (operands - 1) of the merge path."""
    request, random = request_for(name, 2), np.random.default_rng(1)
    sharing = sharing_of(request)
    assert sharing is not None
    for _ in range(20):
        found = visits(request, sharing, given := operands(request, random))
        matrices = [t for t in given.values() if np.ndim(t) == 2]
        assert most_at_once(found) <= len(matrices)


@pytest.mark.parametrize("out", ["dense", "csr", "dcsr"])
def test_the_addition_of_the_documents(out: str):
    A, B = np.zeros((4, 3)), np.zeros((4, 3))
    A[0], A[3, 0], B[0, 1], B[2, 2] = 1, 1, 1, 1
    request = make_request(SUM, {"A": "dcsr", "B": "dcsr", "Z": out}, {}, threads=2)
    sharing = sharing_of(request)
    assert sharing is not None
    shares = sharing.shares({"A": tm.tensor(A, "dcsr"), "B": tm.tensor(B, "dcsr")})
    assert shares.lines() == [
        "worker  begins at     work",
        "     1  i = 0            5",
        "     2  i = 0, j = 2     5",
    ]


def test_serial_kernels_are_not_shared():
    assert sharing_of(make_request(SPMV, {"A": "csr"}, {})) is None
    formats = {"A": "csr", "y": "csf"}
    assert sharing_of(make_request("y(j) = A(i,j)", formats, {}, threads=4)) is None


@pytest.mark.parametrize("workers", [2, 5, 17])
def test_rows_of_a_product_weigh_what_they_multiply(workers: int):
    product, formats = "Z(i,k) = A(i,j) * B(j,k)", dict.fromkeys("ABZ", "csr")
    request, random = make_request(product, formats, {}, threads=workers), np.random.default_rng(7)
    sharing = sharing_of(request)
    assert sharing is not None
    assert [loop.variable for loop in sharing.partition.visited] == ["i", "j", "k"]
    for _ in range(TENSORS):
        rows, inner = int(random.integers(0, 14)), int(random.integers(1, 16))
        A, B = skewed(random, (rows, inner)), skewed(random, (inner, 9))
        shares = sharing.shares({"A": tm.tensor(A, "csr"), "B": tm.tensor(B, "csr")})
        weights = (1 + (A != 0).sum(1) + (A != 0) @ (B != 0).sum(1)).astype(int)
        begins = [share.begin[0] for share in shares.shares]
        cuts = [*begins, rows]
        work = [int(weights[begin:end].sum()) for begin, end in pairwise(cuts)]
        assert [share.work for share in shares.shares] == work
        assert max(work) <= -(-int(weights.sum()) // workers) + max(weights, default=1) - 1
