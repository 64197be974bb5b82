"""The value of a number token: 64-bit integers and floats, imaginary floats."""

from math import isinf

from tamale.dialects.notation.diagnostics import error_at
from tamale.dialects.notation.lexer import Token


def number_value(text: str, token: Token, *, sign: int = 1) -> int | float | complex:
    """
    The number that `token` of the statement `text` spells, times `sign` (1 or -1).

    Raises:
        NotationError: the number does not fit in 64 bits.
    """
    digits = token.text.lower()
    if digits.endswith("j"):
        return complex(0.0, sign * _real(text, token, digits[:-1]))
    if not digits.isdigit():
        return sign * _real(text, token, digits)
    return sign * _magnitude(text, token, largest=2**63 if sign < 0 else 2**64 - 1)


def _magnitude(text: str, token: Token, *, largest: int) -> int:
    # The length is compared first: int() refuses thousands of digits with an error of its own.
    digits = token.text.lstrip("0") or "0"
    if len(digits) > len(str(largest)) or int(digits) > largest:
        help = "add '.0' to make it a float"
        raise error_at(text, token.span, "the integer does not fit in 64 bits", help)
    return int(digits)


def _real(text: str, token: Token, digits: str) -> float:
    value = float(digits)
    if isinf(value):
        message = "the number does not fit in a 64-bit float"
        raise error_at(text, token.span, message, "write inf for infinity")
    return value
