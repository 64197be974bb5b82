"""What operators are on numbers, where Python and NumPy differ."""

import math

import pytest

import tamale as tm
from tamale.dialects.operators import operator_named


@pytest.mark.parametrize("name", ["max", "min"])
@pytest.mark.parametrize("pair", [(0, math.nan), (math.nan, 0)])
def test_extremes_of_nan_are_nan(name: str, pair: tuple[float, float]):
    """Python's depend on the order of their arguments."""
    value = operator_named(name).apply(*pair)
    assert value != value  # NaN


@pytest.mark.parametrize("name", ["max", "min"])
def test_complex_numbers_have_no_extremes(name: str):
    value = operator_named(name).apply(1j, 2)
    assert value != value  # NaN


def test_what_is_never_zero_is_computed_along_broadcast_modes_too():
    """`unless(A(j), 2)` has no entry, and says nothing of i; `exp` of it is 1 everywhere."""
    A = tm.tensor(([3.0], ([1],)), "csf", shape=(2,))
    Z = tm.compile("Z(i,j) = exp(unless(A(j), 2))", A="csf", Z="coo")(A=A, shape=(3, 2))
    assert (Z.to_numpy() == 1).all()
    assert Z.nnz == 6
