"""
Named formats as attributes: `tm.formats.csr`, `tm.formats.coo`; of order 2 where they come in any
order.
"""

from __future__ import annotations

from tamale.dialects.errors import FormatError
from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.spec import Format


def __getattr__(name: str) -> Format:
    try:
        return resolve_format(name, 2)
    except FormatError as error:
        raise AttributeError(str(error)) from error
