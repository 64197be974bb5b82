"""Which expressions may take the duplicates of an operand one by one."""

import pytest

from tamale.dialects.notation.parser import parse_notation
from tamale.passes.algebra.linearity import is_linear


@pytest.mark.parametrize(
    "expression, linear",
    [
        ("A(i)", True),
        ("-2 * A(i) * b(i)", True),
        ("A(i) / b(i) - A(i)", True),
        ("A(i) * A(i)", False),
        ("b(i) / A(i)", False),
        ("abs(A(i))", False),
        ("A(i) + b(i)", False),
        ("b(i)", False),
    ],
)
def test_linear_in_a(expression: str, linear: bool):
    assert is_linear(parse_notation(f"y(i) = {expression}").expression, "A") is linear
