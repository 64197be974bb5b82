"""The type that a statement is computed in."""

import math

import numpy as np
import pytest

import tamale as tm


def test_constants_alone_follow_the_same_rule():
    """`exp(1)` is no integer, `1 + 2` is one."""
    assert tm.evaluate("Z = exp(1) + 1 / 2") == pytest.approx(math.e + 0.5)
    assert tm.evaluate("Z = 1 + 2").dtype == np.int64


def test_single_and_double_complex_numbers_meet_in_double():
    a, b = np.array([1 + 2j], "complex64"), np.array([0.5])
    z = tm.evaluate("z(i) = a(i) * b(i)", a=a, b=b)
    assert z.dtype == np.complex128
    assert z.tolist() == [0.5 + 1j]
