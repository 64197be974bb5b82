"""
A sparse tensor compiler: what to compute and how it is stored go in, C++ comes out and runs.

    import tamale as tm

    A = tm.read("A.mtx", format="csr")
    y = tm.evaluate("y(i) = A(i,j) * x(j)", A=A, x=x)

Names are imported when they are first used; importing the package imports neither SciPy nor xDSL.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tamale.backends.jit.memory import keep_memory, release_memory
    from tamale.dialects.errors import (
        CoordinateError,
        FormatError,
        KernelError,
        NotationError,
        ScheduleError,
        TamaleError,
    )
    from tamale.dialects.format.hybrid import resolve_hybrid as Hybrid
    from tamale.dialects.format.named import resolve_format
    from tamale.dialects.format.notation import parse_format as Format
    from tamale.dialects.operators import Operator, declare_operator
    from tamale.frontend import formats
    from tamale.frontend.api import compile, einsum, evaluate, parse
    from tamale.frontend.conversion_api import conversion, convert
    from tamale.frontend.converting import Conversion
    from tamale.frontend.executors.dask_cluster import DaskExecutor
    from tamale.frontend.executors.executor import Executor, SerialExecutor
    from tamale.frontend.executors.processes import ProcessExecutor
    from tamale.frontend.executors.threads import ThreadExecutor
    from tamale.frontend.files import read
    from tamale.frontend.hybrid import HybridTensor
    from tamale.frontend.interop import tensor
    from tamale.frontend.kernel import Kernel
    from tamale.frontend.parts.distributed import Distributed
    from tamale.frontend.parts.partition import partition
    from tamale.frontend.parts.parts import Part, Parts
    from tamale.frontend.schedule import Schedule
    from tamale.frontend.tensor import Tensor
    from tamale.frontend.version import VERSION as __version__

_HOMES = {
    "TamaleError": "tamale.dialects.errors",
    "NotationError": "tamale.dialects.errors",
    "FormatError": "tamale.dialects.errors",
    "ScheduleError": "tamale.dialects.errors",
    "KernelError": "tamale.dialects.errors",
    "CoordinateError": "tamale.dialects.errors",
    "Format": "tamale.dialects.format.notation:parse_format",
    "Hybrid": "tamale.dialects.format.hybrid:resolve_hybrid",
    "resolve_format": "tamale.dialects.format.named",
    "Operator": "tamale.dialects.operators",
    "declare_operator": "tamale.dialects.operators",
    "formats": "tamale.frontend.formats:",
    "keep_memory": "tamale.backends.jit.memory",
    "release_memory": "tamale.backends.jit.memory",
    "compile": "tamale.frontend.api",
    "conversion": "tamale.frontend.conversion_api",
    "convert": "tamale.frontend.conversion_api",
    "einsum": "tamale.frontend.api",
    "evaluate": "tamale.frontend.api",
    "parse": "tamale.frontend.api",
    "read": "tamale.frontend.files",
    "tensor": "tamale.frontend.interop",
    "Conversion": "tamale.frontend.converting",
    "__version__": "tamale.frontend.version:VERSION",
    "HybridTensor": "tamale.frontend.hybrid",
    "Kernel": "tamale.frontend.kernel",
    "Schedule": "tamale.frontend.schedule",
    "Tensor": "tamale.frontend.tensor",
    "partition": "tamale.frontend.parts.partition",
    "Part": "tamale.frontend.parts.parts",
    "Parts": "tamale.frontend.parts.parts",
    "Distributed": "tamale.frontend.parts.distributed",
    "DaskExecutor": "tamale.frontend.executors.dask_cluster",
    "Executor": "tamale.frontend.executors.executor",
    "ProcessExecutor": "tamale.frontend.executors.processes",
    "SerialExecutor": "tamale.frontend.executors.executor",
    "ThreadExecutor": "tamale.frontend.executors.threads",
}
"""Public name -> the module that has it, and the name there if it differs."""

__all__ = [
    "Conversion",
    "CoordinateError",
    "DaskExecutor",
    "Distributed",
    "Executor",
    "Format",
    "FormatError",
    "Hybrid",
    "HybridTensor",
    "Kernel",
    "KernelError",
    "NotationError",
    "Operator",
    "Part",
    "Parts",
    "ProcessExecutor",
    "Schedule",
    "ScheduleError",
    "SerialExecutor",
    "TamaleError",
    "Tensor",
    "ThreadExecutor",
    "__version__",
    "compile",
    "conversion",
    "convert",
    "declare_operator",
    "einsum",
    "evaluate",
    "formats",
    "keep_memory",
    "parse",
    "partition",
    "read",
    "release_memory",
    "resolve_format",
    "tensor",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'tamale' has no attribute '{name}'")
    module_name, colon, attribute = _HOMES[name].partition(":")
    module = import_module(module_name)
    value = module if colon and not attribute else getattr(module, attribute or name)
    globals()[name] = value
    return value
