"""Element types of Binsparse arrays: `float64`, `complex[float32]`, `iso[int8]`."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from tamale.dialects.errors import FormatError

PLAIN = {
    **{f"{kind}{bits}": f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)},
    "float32": "float32",
    "float64": "float64",
    "bint8": "int8",
}
"""Their names -> NumPy's; truth values are small integers here."""

MOST_REPEATS = 1 << 27
"""How many elements an array with one value for all may have; a file could claim any number."""

_WRAPPED = re.compile(r"(iso|complex)\[(.*)\]")


def decoded(name: str, kind: object, data: Any, count: int | None) -> Any:
    """
    An array as its declared type says.

    Args:
        name: of the array, for messages.
        kind: the declared type.
        data: what is stored.
        count: how many elements there must be; None: as many as there are.

    Raises:
        FormatError: the type is not known, or the array is not of it.
    """
    array = np.asarray(data)
    if not isinstance(kind, str) or array.ndim != 1:
        raise FormatError(f"binsparse: '{name}' is {array.ndim}-dimensional, of type {kind!r}")
    wrapped = _WRAPPED.fullmatch(kind)
    if wrapped is None:
        found = _plain(name, kind, array)
    elif wrapped[1] == "complex":
        found = _complex(name, _plain(name, wrapped[2], array))
    else:
        return _repeated(name, decoded(name, wrapped[2], array, 1), count)
    if count is not None and len(found) != count:
        raise FormatError(f"binsparse: '{name}' has {len(found)} elements, expected {count}")
    return found


def _plain(name: str, kind: str, array: Any) -> Any:
    wanted = PLAIN.get(kind)
    if wanted is None:
        raise FormatError(f"binsparse: type '{kind}' of '{name}' is not known")
    if array.dtype.name not in (wanted, "bool", "uint8" if kind == "bint8" else wanted):
        raise FormatError(f"binsparse: '{name}' holds {array.dtype}, but is declared as {kind}")
    return array.astype(wanted, copy=False)


def _complex(name: str, parts: Any) -> Any:
    if parts.dtype.kind != "f" or len(parts) % 2:
        raise FormatError(f"binsparse: '{name}' holds no pairs of real and imaginary parts")
    return np.ascontiguousarray(parts).view(f"complex{parts.dtype.itemsize * 16}")


def _repeated(name: str, one: Any, count: int | None) -> Any:
    if count is None or count > MOST_REPEATS:
        raise FormatError(f"binsparse: '{name}' has one value for {count} elements, too many")
    return np.repeat(one, count)


def encoded(array: Any) -> tuple[str, Any]:
    """An array's declared type and what is stored."""
    if array.dtype.kind == "c":
        kind = f"float{array.dtype.itemsize * 4}"
        return f"complex[{kind}]", array.view(kind)
    return array.dtype.name, array
