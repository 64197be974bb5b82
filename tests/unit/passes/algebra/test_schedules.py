"""The cheapest schedules: which order, what is converted, and that each of them can run."""

from itertools import permutations, product
from random import Random

import pytest
from scheduled import formats_of, read

from tamale.dialects.errors import ScheduleError
from tamale.dialects.format.named import name_of
from tamale.dialects.format.statistics import Statistics
from tamale.passes.algebra.estimates import CONVERTED_ENTRY, FAN, SIZE
from tamale.passes.algebra.nests import Planner
from tamale.passes.algebra.scattering import reach
from tamale.passes.algebra.schedules import CLEARLY, Schedule, Scheduler
from tamale.passes.algebra.terms import accesses_in

PRODUCT = "Z(i,j) = A(i,k) * B(k,j)"
SUM_INSIDE = "Z(i,j) = C(i,j) + A(i,k) * B(k,j)"
STATEMENTS = (
    PRODUCT,
    "Z(i,j) = A(k,i) * B(k,j)",
    "Z(i,j) = A(i,k) * B(j,k) * C(i,j)",
    "Z(i,j) = A(i,k) * B(k,l) * C(l,j)",
    SUM_INSIDE,
    "Z(j,i) = (A(i,k) + B(k,i)) * C(k,j)",
)
MATRICES = ("csr", "csc", "dcsr", "coo", "ucoo", "dia", "dok", "dense")


def best(text: str, words: str, order: str = "") -> Schedule | None:
    statement = read(text)
    asked = tuple(order) or None
    return Scheduler(statement, formats_of(statement, words), order=asked).best()


def shown(schedule: Schedule | None) -> str:
    """`kij A:csc Z:list`; an order only where it is not the one of the rules."""
    if schedule is None:
        return "none"
    words = ["".join(schedule.order)] if schedule.order else []
    words += [f"{name}:{name_of(format) or 'list'}" for name, format in schedule.targets.items()]
    return " ".join(words)


@pytest.mark.parametrize(
    ("text", "formats", "expected"),
    [
        # As stored.
        (PRODUCT, "A:csr B:csr Z:csr", ""),
        (PRODUCT, "A:csr B:csr Z:coo", ""),
        (PRODUCT, "A:csc B:csc Z:csc", ""),
        (PRODUCT, "A:csc B:csr Z:dense", ""),
        # Rows of the result by rows of the operands.
        (PRODUCT, "A:csc B:csr Z:csr", "A:csr"),
        (PRODUCT, "A:csr B:csc Z:csr", "B:csr"),
        (PRODUCT, "A:csr B:csr Z:csc", "A:csc B:csc"),
        ("Z(i,j) = A(k,i) * B(k,j)", "A:csr B:csr Z:csr", "A:csc"),
        # The result in the order of the loops.
        ("Z(k,i) = sum(j, X(i,j,k))", "X:csf Z:csr", "Z:csc"),
        (PRODUCT, "A:csr B:csr Z:ell", "Z:csr"),
        # A list of terms.
        ("Z(j,k,l,m) = X(i,j,k) * Y(i,l,m)", "X:csf Y:csf Z:csf", "Z:list"),
        # Operands in no order, which are merged with none.
        ("Z(i,j) = (A(i,k) + B(i,k)) * C(k,j)", "A:dok B:dok C:csr Z:csr", "A:csr B:csr"),
        # The largest is not to be had from a list, as absent entries count.
        ("Z(i,j) = reduce(max, k, A(k,i) * B(k,j))", "A:csr B:csr Z:csr", "A:csc B:csc"),
        # Few k are found once, not for each i: the matrix is turned.
        ("t(i) = X(i,k) * a(k)", "X:csr t:csf a:csf", "X:csc"),
        # Few k outside of all i, though it is written the other way round.
        ("t(i) = X(i,k) * a(k) * b(k)", "t:csf a:csf b:csf", "ki"),
    ],
)
def test_the_cheapest(text: str, formats: str, expected: str):
    assert shown(best(text, formats)) == expected


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("ikj", ""),
        ("ijk", "B:csc"),
        ("kij", "A:csc Z:list"),
        ("jik", "B:csc Z:csc"),
    ],
)
def test_an_order_that_is_asked_for(order: str, expected: str):
    assert shown(best(PRODUCT, "A:csr B:csr Z:csr", order)) == expected


def test_an_order_of_other_loops():
    assert best(PRODUCT, "A:csr B:csr Z:csr", "ik") is None


@pytest.mark.parametrize("seed", range(6))
def test_what_is_chosen_can_run(seed: int):
    """The planner accepts it, and its result is reached in a way that can be served."""
    random = Random(seed)
    for text in STATEMENTS:
        statement = read(text)
        words = " ".join(f"{name}:{random.choice(MATRICES)}" for name in "ABCZ")
        formats = formats_of(statement, words)
        schedule = Scheduler(statement, formats).best()
        if schedule is None:  # The loops of the sum would scatter into C's.
            assert text == SUM_INSIDE
            continue
        chosen = {**formats, **schedule.targets}
        for part in Planner(statement, chosen, schedule.order).parts():
            order = part.ordering.order
            assert isinstance(order, tuple)
            assert schedule.order in (None, order)
            computed = chosen[statement.result.tensor]
            assert reach(statement.result, computed, order, "add") != "scattered"


@pytest.mark.parametrize("formats", list(product(("csr", "csc"), repeat=3)))
def test_nothing_is_converted_for_a_little(formats: tuple[str, str, str]):
    words = " ".join(f"{name}:{format}" for name, format in zip("ABZ", formats, strict=True))
    statement = read(PRODUCT)
    scheduler = Scheduler(statement, formats_of(statement, words))
    own, chosen = scheduler.unconverted(), scheduler.best()
    assert chosen is not None
    if own is not None and chosen.targets:
        assert chosen.cost * CLEARLY < own.cost


def test_no_order_that_can_run_is_cheaper():
    """By brute force: the chosen schedule against that of each order asked for."""
    for text in STATEMENTS[:4]:
        statement = read(text)
        formats = formats_of(statement, "A:csr B:csc C:dcsr Z:csc")
        chosen = Scheduler(statement, formats).best()
        assert chosen is not None
        variables = {v for a in accesses_in(statement.expression) for v in a.indices}
        for order in permutations(sorted(variables)):
            asked = Scheduler(statement, formats, order=order).best()
            if asked is not None:
                assert chosen.cost <= asked.cost * CLEARLY


def test_too_many_loops_are_not_tried_one_by_one():
    text = "z = A(i,j) * B(j,k) * C(k,l) * D(l,m) * E(m,n) * F(n,o) * G(o,i)"
    words = "A:csr B:csr C:csr D:csr E:csr F:csr G:csr"
    statement = read(text)
    with pytest.raises(ScheduleError):
        Planner(statement, formats_of(statement, words)).parts()
    assert best(text, words) is None


def test_what_is_cheaper_but_not_clearly_is_left():
    statement = read("t(i) = X(i,k) * a(k)")
    formats = formats_of(statement, "X:csr t:csf a:csf")
    scheduler = Scheduler(statement, formats, {"a": Statistics((None,), (20,))})
    own, best = scheduler.unconverted(), scheduler.best()
    assert own is not None
    assert scheduler.candidates[0].cost < own.cost < CLEARLY * scheduler.candidates[0].cost
    assert best == own


def test_what_a_reduction_inside_walks_is_its_own():
    """Not what the whole expression walks: the sum of a column is divided by where A is absent."""
    found = best("B(i,j) = A(i,j) / sum(k, C(k,j))", "A:csr B:csr C:csr")
    assert found is not None
    assert set(found.targets) == {"A", "B", "C"}
    assert found.cost < SIZE * (1 + 4 * FAN) + 3 * CONVERTED_ENTRY * SIZE * FAN
