"""The order of loops can be asked for, from Python and on the command line."""

import numpy as np
import pytest

import tamale as tm
from tamale.frontend.request import make_request
from tamale.frontend.schedule import Schedule, scheduled_in
from tamale.frontend.stages import Stages
from tamale.tools.tamale import main

PRODUCT = "Z(i,j) = A(i,k) * B(k,j)"
ROWS = {"A": "csr", "B": "csr", "Z": "csr"}
A = np.array([[1.0, 0, 2], [0, 0, 0], [0, 3, 0]])
B = np.array([[0.0, 4, 0], [5, 0, 0], [0, 6, 7]])


def loops(statement: str, order: str | None, formats: dict[str, str]) -> str:
    """The loops of the kernel, outermost first."""
    request = make_request(statement, formats, {}, schedule=scheduled_in(order, None))
    lines = str(Stages(request).module("cin")).splitlines()
    return "".join(line.split()[1] for line in lines if line.strip().startswith("cin.forall"))


@pytest.mark.parametrize("order", ["i,k,j", "k,i,j", "j, k, i", "i,j,k", "k,j,i", "j,i,k"])
def test_every_order_gives_the_same(order: str):
    kernel = tm.compile(PRODUCT, order=order, A="csr", B="csr", Z="csr")
    result = kernel(A=tm.tensor(A, "csr"), B=tm.tensor(B, "csr")).check()
    assert np.array_equal(result.to_numpy(), A @ B)
    assert loops(PRODUCT, order, ROWS).startswith(order.replace(",", "").replace(" ", ""))


def test_names_in_a_sequence():
    kernel = tm.compile("y(i) = A(i,j) * x(j)", order=["j", "i"], A="csc")
    assert kernel.cin.index("forall j") < kernel.cin.index("forall i")
    assert kernel(A=tm.tensor(A, "csc"), x=np.ones(3)).tolist() == [3.0, 0.0, 3.0]


def test_loops_over_what_levels_store():
    statement, formats = "y(i) = A(i,j) * x(j)", {"A": "dia"}
    assert loops(statement, "j_sub_i,i,j", formats) == "j_sub_iij"
    assert loops(statement, "j,i", formats) == "ji"  # of A in columns


def test_kernels_of_other_orders_are_others():
    schedules = [Schedule().reorder(*"ikj"), Schedule().reorder(*"kij"), Schedule()]
    requests = [make_request(PRODUCT, ROWS, {}, schedule=schedule) for schedule in schedules]
    assert len({request.key_parts for request in requests}) == 3


@pytest.mark.parametrize("order", ["i", "i,j,j", "i,l", "i,j,k,k"])
def test_an_order_of_other_loops_is_refused(order: str):
    with pytest.raises(tm.ScheduleError) as refusal:
        tm.compile("y(i) = A(i,j) * x(j)", order=order, A="csr")
    first, _, last = str(refusal.value).partition("\n")
    asked = ", ".join(order.split(","))
    assert first.startswith(f"concretize: the order {asked} was asked for, but the loops of  y(i)")
    assert first.endswith("are i, j")
    assert last == "  help: name each of them once, outermost first"


@pytest.mark.parametrize("order", ["i,,j", "i j", "", "i;j"])
def test_what_names_no_loops(order: str):
    with pytest.raises(tm.ScheduleError, match="expected the variables of the loops, outermost"):
        tm.compile("y(i) = A(i,j) * x(j)", order=order, A="csr")


def test_an_order_that_nothing_fits():
    """The sum is computed for one i after the other, whatever the formats."""
    with pytest.raises(tm.ScheduleError) as refusal:
        tm.compile("y(i) = max(sum(j, A(i,j)), b(i))", order="j,i")
    text = str(refusal.value)
    assert "no loop order fits every operand of  y(i) = max(sum(j, A(i,j)), b(i))" in text
    assert "cycle: i -> j (sum), j -> i (order)" in text
    assert text.endswith("help: ask for another order of the loops, or for none")


def test_without_conversions_operands_have_to_fit():
    with pytest.raises(tm.ScheduleError) as refusal:
        tm.compile("y(i) = A(i,j) * x(j)", order="j,i", conversions=False, A="csr")
    assert "cycle: i -> j (A), j -> i (order)" in str(refusal.value)
    assert str(refusal.value).endswith("or drop --no-conversions: A would be converted to csc")


def test_on_the_command_line(capsys: pytest.CaptureFixture[str]):
    formats = [word for name, format in ROWS.items() for word in ("-f", f"{name}={format}")]
    assert main(["compile", PRODUCT, *formats, "--order", "k,i,j", "--emit", "cin"]) == 0
    text = capsys.readouterr().out
    assert text.index("forall k in") < text.index("forall i in A_csc.i") < text.index("forall j in")
    assert main(["explain", PRODUCT, *formats, "--order", "k,i,j"]) == 0
    assert "k, i, j" in capsys.readouterr().out
    assert main(["compile", PRODUCT, *formats, "--order", "k,i"]) == 1
    assert "the order k, i was asked for" in capsys.readouterr().err
