"""What the IR can say. Importing this package imports no dialect and no xDSL."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tamale.dialects.lazy import lazy_table

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Dialect

DIALECTS = {
    "builtin": "xdsl.dialects.builtin:Builtin",
    "test": "xdsl.dialects.test:Test",
    "func": "xdsl.dialects.func:Func",
    "scf": "xdsl.dialects.scf:Scf",
    "arith": "xdsl.dialects.arith:Arith",
    "math": "xdsl.dialects.math:Math",
    "complex": "xdsl.dialects.complex:Complex",
    "cf": "xdsl.dialects.cf:Cf",
    "linalg": "tamale.dialects.linalg:LINALG",
    "tensor": "xdsl.dialects.tensor:Tensor",
    "bufferization": "xdsl.dialects.bufferization:Bufferization",
    "sparse_tensor": "tamale.dialects.sparse_tensor:SPARSE_TENSOR",
    "memref": "tamale.dialects.memref:MEMREF",
    "format": "tamale.dialects.format.attribute:FORMAT",
    "tin": "tamale.dialects.tin:TIN",
    "cin": "tamale.dialects.cin:CIN",
    "cfir": "tamale.dialects.cfir:CFIR",
    "query": "tamale.dialects.query.ops:QUERY",
    "assembly": "tamale.dialects.assembly:ASSEMBLY",
}
"""Where each dialect lives; it is imported when a file or a pass first names it."""


def get_all_dialects() -> dict[str, Callable[[], Dialect]]:
    """Every dialect that tamale reads and writes, each behind a factory that imports it."""
    return lazy_table(DIALECTS)


def tamale_context() -> Context:
    """An xDSL context that knows every dialect of tamale and has loaded none."""
    from xdsl.context import Context

    context = Context()
    for name, factory in get_all_dialects().items():
        context.register_dialect(name, factory)
    return context
