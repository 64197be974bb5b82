"""All statements in one table."""

from collections.abc import Callable
from typing import Any

from xdsl.dialects import cf, memref, scf
from xdsl.ir import Operation

from tamale.backends.cpp.body import Body
from tamale.backends.cpp.control import print_for, print_if, print_while
from tamale.backends.cpp.heap import print_alloc, print_assert, print_dealloc, print_realloc
from tamale.backends.cpp.parallel import print_parallel
from tamale.backends.cpp.storage import (
    print_cast,
    print_load,
    print_local,
    print_prefetch,
    print_store,
)
from tamale.dialects.memref import PrefetchOp, ReallocOp

STATEMENTS: dict[type[Operation], Callable[[Body, Any], None]] = {
    scf.IfOp: print_if,
    scf.ForOp: print_for,
    scf.WhileOp: print_while,
    scf.ParallelOp: print_parallel,
    memref.LoadOp: print_load,
    memref.StoreOp: print_store,
    PrefetchOp: print_prefetch,
    memref.AllocaOp: print_local,
    memref.CastOp: print_cast,
    memref.AllocOp: print_alloc,
    ReallocOp: print_realloc,
    memref.DeallocOp: print_dealloc,
    cf.AssertOp: print_assert,
}
"""By op class: the function that prints it; each takes an op of that class."""
