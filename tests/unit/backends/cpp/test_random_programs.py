"""Random programs: the C++ computes what an independent interpreter of the IR computes."""

import math
import random
import struct
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from cpp_oracle import run_function
from cpp_programs import ARRAYS, FLOATS, RESULTS, SCALARS, SIZE, Generator

PROGRAMS = 30
RUNS = 6


def random_value(source: random.Random, type_: str) -> Any:
    """A value that is likely to show a mistake."""
    if type_ == "i1":
        return source.random() < 0.5
    if type_ in FLOATS:
        value = source.choice((0.0, -0.0, 1.0, -2.5, 0.1, 3e10, math.inf, math.nan))
        return struct.unpack("f", struct.pack("f", value))[0] if type_ == "f32" else value
    bits = {"index": 64, "i64": 64, "i32": 32, "i8": 8}[type_]
    extreme = source.choice((-(1 << (bits - 1)), (1 << (bits - 1)) - 1))
    return source.choice((0, 1, -1, 2, 5, 100, extreme))


def random_inputs(source: random.Random) -> list[tuple[str, Any]]:
    """Arguments of a random program."""
    arrays = [(t, [random_value(source, t) for _ in range(SIZE)]) for t in ARRAYS.values()]
    return [*arrays, *((t, random_value(source, t)) for t in SCALARS.values())]


def comparable(values: list[Any]) -> str:
    """One spelling for equal values: NaN is NaN, but the zeros differ."""
    return repr(values)


@pytest.mark.parametrize("batch", range(2))
def test_random_programs(batch: int, parse: Callable[..., Any], load: Callable[..., Any]):
    names = [f"f{batch * PROGRAMS + number}" for number in range(PROGRAMS)]
    texts = [Generator(int(name[1:])).function(name) for name in names]
    module, library = parse("".join(texts)), load("".join(texts))
    for name, text in zip(names, texts, strict=True):
        for attempt in range(RUNS):
            expected = random_inputs(random.Random(attempt))
            actual = deepcopy(expected)
            results = run_function(module, name, [value for _, value in expected])
            got = library.call(name, actual, RESULTS)
            assert comparable([*actual, got]) == comparable([*expected, results]), text
