"""Schedules from Python and the command line: values, kernels under them, and refusals."""

import pickle
from typing import Any, TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray

import tamale as tm
from tamale.frontend.request import make_request
from tamale.tools.tamale import main

CHAIN = "Z(i,j) = A(i,k) * B(k,l) * C(l,j)"
FORMATS: dict[str, Any] = dict.fromkeys("ABCZ", "csr")
Operands: TypeAlias = dict[str, Any]
PART = "T(i,l) = A(i,k) * B(k,l)"


@pytest.fixture(scope="module")
def operands() -> Operands:
    rng = np.random.default_rng(5)
    sizes = {"A": (4, 6), "B": (6, 5), "C": (5, 3)}
    arrays = {n: rng.random(size) * (rng.random(size) < 0.5) for n, size in sizes.items()}
    return {name: tm.tensor(array, "csr") for name, array in arrays.items()}


def product(operands: Operands) -> NDArray[np.float64]:
    A, B, C = (operands[name].to_numpy() for name in "ABC")
    return A @ B @ C


@pytest.mark.parametrize(
    ("schedule", "kernels"),
    [
        (tm.Schedule().precompute(PART, "csr"), 2),
        (tm.Schedule().precompute(PART), 2),
        (tm.Schedule().precompute(PART, "coo").reorder("k,i,l", of="T"), 2),
        (tm.Schedule().precompute("T(l,i) = B(k,l) * A(i,k)", "csc"), 2),
        (tm.Schedule().precompute("T(i,k,l) = A(i,k) * B(k,l)", "csf"), 2),
        (tm.Schedule().precompute(PART, "csr").precompute("U(i,j) = T(i,l) * C(l,j)", "csr"), 3),
        (tm.Schedule().reorder("i", "k", "l", "j"), 1),
    ],
    ids=str,
)
def test_every_schedule_gives_the_same(
    schedule: tm.Schedule, kernels: int, operands: Operands
):
    kernel = tm.compile(CHAIN, schedule=schedule, **FORMATS)
    assert kernel.tin.count("tin.kernel") == kernels
    found = kernel(**operands).check()
    assert np.allclose(found.to_numpy(), product(operands))
    again = tm.evaluate(CHAIN, out="csr", schedule=schedule, **operands)
    assert again.equals(found)


def test_a_kernel_under_another_schedule(operands: Operands):
    kernel = tm.compile(CHAIN, **FORMATS)
    split = kernel.schedule.precompute(PART, "csr")
    turned = split.schedule.reorder("k", "i", "l", of="T").schedule.reorder("i", "l", "j")
    assert "order(k, i, l)" in turned.tin
    assert "order(i, l, j)" in turned.tin
    assert "order" not in split.tin  # which is another kernel, as it was
    assert repr(kernel.schedule) == "Schedule()"
    assert repr(turned.schedule) == (
        f"Schedule(precompute {PART}, csr; reorder k, i, l of T; reorder i, l, j)"
    )
    for each in (kernel, split, turned):
        assert np.allclose(each(**operands).to_numpy(), product(operands))
    explained = turned.explain()
    assert "computed first\n  T" in explained
    assert "i, l, j, as asked for" in explained
    same = tm.compile(CHAIN, schedule=turned.schedule.value, **FORMATS)
    assert same.tin == turned.tin


def test_a_schedule_is_a_value():
    one = tm.Schedule().reorder("i", "j")
    assert one == tm.Schedule().reorder("i,j") == pickle.loads(pickle.dumps(one))
    assert one.reorder("j", "i") == tm.Schedule().reorder("j", "i")
    assert hash(one) == hash(tm.Schedule().reorder("i,j"))
    requests = [
        make_request(CHAIN, FORMATS, {}, schedule=schedule)
        for schedule in (
            tm.Schedule(),
            tm.Schedule().precompute(PART),
            tm.Schedule().precompute(PART, "csr"),
            tm.Schedule().precompute(PART, "csr").reorder("k,i,l", of="T"),
        )
    ]
    assert len({request.key_parts for request in requests}) == 4


def test_an_order_for_evaluate_and_einsum():
    A, x = np.arange(6.0).reshape(2, 3), np.ones(3)
    assert tm.evaluate("y(i) = A(i,j) * x(j)", A=A, x=x, order=["j", "i"]).tolist() == [3, 12]
    assert tm.einsum("ij,j->i", A, x, order="j,i").tolist() == [3, 12]
    with pytest.raises(tm.ScheduleError, match="the order j, k was asked for"):
        tm.einsum("ij,j->i", A, x, order="j,k")


def test_a_part_without_variables_left():
    """The largest entry scales the rest: a number that is computed once."""
    kernel = tm.compile(
        "y(i) = a(i) * reduce(max, j, b(j))",
        schedule=tm.Schedule().precompute("T = reduce(max, j, b(j))"),
    )
    assert kernel(a=np.array([1.0, 2.0]), b=np.array([3.0, 5.0, 4.0])).tolist() == [5.0, 10.0]


@pytest.mark.parametrize(
    ("schedule", "message"),
    [
        (tm.Schedule().precompute("T(i) = A(i,k) * B(k,l)"), "depends on l as well"),
        (tm.Schedule().precompute("T(i,l) ="), "notation: "),
        (tm.Schedule().precompute(PART, "csf(1, 0, 2)"), "format"),
        (tm.Schedule().reorder("k,i,l", of="T"), "no loops compute 'T' in  Z(i,j)"),
        (tm.Schedule().precompute(PART).reorder("k,i", of="T"), "the order k, i was asked for"),
        (tm.Schedule().precompute(PART).precompute(PART), "has a 'T' already"),
    ],
    ids=str,
)
def test_refusals(schedule: tm.Schedule, message: str):
    with pytest.raises(tm.TamaleError) as refusal:
        tm.compile(CHAIN, schedule=schedule, **FORMATS)
    assert message in str(refusal.value)


def test_an_order_that_a_dependence_forbids():
    """Without conversions, B's rows cannot be walked before its columns are."""
    kernel = tm.compile("y(i) = A(i,j) * x(j)", A="csr", conversions=False)
    with pytest.raises(tm.ScheduleError, match=r"cycle: i -> j \(A\), j -> i \(order\)"):
        kernel.schedule.reorder("j", "i")


def test_two_orders():
    with pytest.raises(tm.ScheduleError, match="has an order already"):
        tm.compile(CHAIN, order="i,k,l,j", schedule=tm.Schedule().reorder("i,k,l,j"), **FORMATS)


def test_formats_of_temporaries_are_in_the_schedule():
    with pytest.raises(tm.FormatError, match="'T' names no tensor of  Z"):
        tm.compile(CHAIN, schedule=tm.Schedule().precompute(PART), T="csr", **FORMATS)


def test_on_the_command_line(capsys: pytest.CaptureFixture[str]):
    formats = [word for name in (*FORMATS, "T") for word in ("-f", f"{name}=csr")]
    words = [*formats, "--precompute", PART, "--order", "T:k,i,l", "--order", "i,l,j"]
    assert main(["compile", CHAIN, *words, "--emit", "tin"]) == 0
    text = capsys.readouterr().out
    assert text.index("order(k, i, l)") < text.index("order(i, l, j)")
    sizes = [word for size in ("i=3", "j=2", "k=4", "l=5") for word in ("--size", size)]
    assert main(["run", CHAIN, *words, *sizes]) == 0
    assert "ok" in capsys.readouterr().out
    assert main(["explain", CHAIN, *words]) == 0
    assert "computed first" in capsys.readouterr().out
    assert main(["compile", CHAIN, "--precompute", "T(i) = A(i,k) * B(k,l)"]) == 1
    assert "depends on l as well" in capsys.readouterr().err


# Threads

SPMV = "y(i) = A(i,j) * x(j)"


def test_parallelize():
    A, x = np.arange(20.0).reshape(5, 4), np.arange(4.0)
    kernel = tm.compile(SPMV, A="csr")
    for shared in (
        kernel.schedule.parallelize("i", threads=3),
        kernel.schedule.parallelize(threads=3),
        tm.compile(SPMV, A="csr", schedule=tm.Schedule().parallelize("i,j", threads=3)),
    ):
        assert "partitioned into 3 over i" in shared.ocin
        assert np.allclose(shared(A=tm.tensor(A, "csr"), x=x), A @ x)
    assert repr(shared.schedule) == "Schedule(parallelize i, j by 3)"
    assert "parallelize" not in repr(kernel.schedule)


@pytest.mark.parametrize(
    ("statement", "formats", "loops", "message"),
    [
        ("y(j) = A(i,j)", {"A": "csr", "y": "csf"}, "i", "no loop lies around everything"),
        (SPMV, {"A": "csr"}, "k", "the loops that workers share are those of i and j"),
        ("C(i,k) = A(i,j) * B(j,k)", {"A": "csr"}, "i,k", "those of i and j, from the outermost"),
        ("y(i) = A(i,j) * x(j)", {"A": "dok"}, "", "cannot be shared"),
    ],
)
def test_what_cannot_be_parallel(
    statement: str, formats: dict[str, Any], loops: str, message: str
):
    kernel = tm.compile(statement, **formats)
    with pytest.raises(tm.ScheduleError, match=message):
        kernel.schedule.parallelize(*([loops] if loops else []), threads=2)
    assert tm.compile(statement, threads=2, **formats).schedule.value.threads == 2


def test_two_numbers_of_threads():
    with pytest.raises(tm.ScheduleError, match="leave out one of the two"):
        tm.compile(SPMV, threads=2, schedule=tm.Schedule().parallelize("i", threads=3))
    with pytest.raises(tm.ScheduleError, match="threads: expected a whole number"):
        tm.Schedule().parallelize("i", threads=0)
