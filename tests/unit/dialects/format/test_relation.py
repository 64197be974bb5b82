"""What levels say about those below: on real formats, and by brute force."""

from itertools import product

import pytest

from tamale.dialects.format.expressions import counters, evaluate, to_text
from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.notation import parse_format
from tamale.dialects.format.relation import relation
from tamale.dialects.format.spec import Format

DIA = resolve_format("dia")
BCSR = resolve_format("bcsr(2, 3)")
FORMATS = {
    "dia": DIA,
    "bcsr": BCSR,
    "ell": resolve_format("ell"),
    "anti": parse_format("(i, j) -> (i + j : dense, i : dense)"),
    "flipped": parse_format("(i, j) -> (j : dense, j - i : dense)"),
    "coarse": parse_format("(i, j) -> (i : dense, i / 2 : dense, j : dense)"),
}


def texts(format: Format, k: int) -> tuple[str | None, list[str], list[str]]:
    found = relation(format, k)
    value = None if found.value is None else to_text(found.value)
    return value, [*map(to_text, found.lows)], [*map(to_text, found.highs)]


def test_diagonals():
    assert texts(DIA, 0) == (None, [], [])
    assert texts(DIA, 1) == (None, ["0", "0 - l0"], ["dim_i", "dim_j - l0"])
    assert texts(DIA, 2)[0] == "l0 + l1"


def test_blocks_end_with_the_dimension():
    assert texts(BCSR, 1) == (None, [], [])
    assert texts(BCSR, 2) == (None, ["0 - l0 * 2"], ["dim_i - l0 * 2"])
    assert texts(BCSR, 3) == (None, ["0 - l1 * 3"], ["dim_j - l1 * 3"])


def test_a_mode_may_go_down_as_the_level_goes_up():
    assert texts(FORMATS["flipped"], 1) == (None, ["l0 - dim_i + 1"], ["l0 + 1"])


def test_a_coarser_coordinate_is_determined():
    assert texts(FORMATS["coarse"], 1)[0] == "l0 / 2"


@pytest.mark.parametrize("name", FORMATS)
def test_every_entry_obeys(name: str):
    format = FORMATS[name]
    for shape in product((1, 3, 4), repeat=2):
        sizes = {f"dim_{mode}": n for mode, n in zip(format.modes, shape, strict=True)}
        for point in product(*map(range, shape)):
            modes = dict(zip(format.modes, point, strict=True))
            coordinates = dict(sizes)
            for k, level in enumerate(format.levels):
                counted = {counter: 0 for counter in counters(level.expression)}
                own = evaluate(level.expression, modes, counted)
                found = relation(format, k)
                assert found.value is None or evaluate(found.value, coordinates) == own
                assert all(evaluate(low, coordinates) <= own for low in found.lows)
                assert all(own < evaluate(high, coordinates) for high in found.highs)
                coordinates[f"l{k}"] = own
