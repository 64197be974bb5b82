"""
Named formats as attributes: `tm.formats.csr`, `tm.formats.coo`, of order 2 where they come in any
order; and `tm.formats.bcsr(2, 3)` where a name takes numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tamale.dialects.errors import FormatError
from tamale.dialects.format.hybrid import HybridFormat, resolve_any
from tamale.dialects.format.named import NAMED_FORMATS, NAMED_HYBRIDS, resolve_format
from tamale.dialects.format.spec import Format
from tamale.dialects.integers import whole_numbers


@dataclass(frozen=True)
class FormatWithNumbers:
    """A named format that is none before it is told its numbers; call it with them."""

    name: str
    usage: str
    """The name and its numbers, `bcsr(m, n)`."""

    def __call__(self, *numbers: int, order: int = 2) -> Format | HybridFormat:
        """
        The format with these numbers, for tensors of an order.

        Raises:
            FormatError: the numbers or the order do not fit.

        >>> str(FormatWithNumbers("sell", "sell(s)")(4))
        '(i, j) -> (i / 4 : dense, #i : ragged, i % 4 : dense, j : singleton)'
        """
        whole = whole_numbers(numbers)
        if whole is None:
            raise FormatError(f"format: '{self.usage}' takes whole numbers, got {numbers}")
        return resolve_any(f"{self.name}({', '.join(map(str, whole))})", order)


_WITH_NUMBERS = {
    entry.name: FormatWithNumbers(entry.name, entry.usage)
    for entry in (*NAMED_FORMATS.values(), *NAMED_HYBRIDS.values())
    if entry.needs_numbers
}


def __getattr__(name: str) -> Any:
    """A `Format`, or what makes one of numbers."""
    if name in _WITH_NUMBERS:
        return _WITH_NUMBERS[name]
    try:
        return resolve_format(name, 2)
    except FormatError as error:
        raise AttributeError(str(error)) from error


def __dir__() -> list[str]:
    return [*NAMED_FORMATS, *NAMED_HYBRIDS]
