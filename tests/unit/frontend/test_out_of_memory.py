"""Every allocation of a kernel fails in turn: it is reported, and nothing is leaked."""

import gc
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tamale as tm
from tamale.backends.jit.library import load, pointer
from tamale.frontend.kernel import Kernel
from tamale.frontend.request import make_request

LIMITED = """
#include <stdint.h>
#include <stdlib.h>
static bool limited = false;
static int64_t allowed = 0, live = 0;
static inline int64_t add(int64_t *to, int64_t more) {
  return __atomic_fetch_add(to, more, __ATOMIC_RELAXED);
}
static inline bool refused() { return limited && add(&allowed, -1) <= 0; }
static inline void *counted(void *block) { return add(&live, block != nullptr), block; }
static inline void *limited_malloc(size_t bytes) {
  return refused() ? nullptr : counted(malloc(bytes));
}
static inline void *limited_calloc(size_t count, size_t bytes) {
  return refused() ? nullptr : counted(calloc(count, bytes));
}
static inline void *limited_realloc(void *block, size_t bytes) {
  if (refused()) return nullptr;
  return block ? realloc(block, bytes) : counted(realloc(block, bytes));
}
static inline void counted_free(void *block) { add(&live, -(block != nullptr)), free(block); }
#define malloc(bytes) limited_malloc(bytes)
#define calloc(count, bytes) limited_calloc(count, bytes)
#define realloc(block, bytes) limited_realloc(block, bytes)
#define free(block) counted_free(block)
extern "C" int32_t allow(int64_t count) { limited = count >= 0, allowed = count; return 0; }
extern "C" int32_t count_live(int64_t *out) { *out = live; return 0; }
"""
"""Put in front of the code: `allow(n)` lets n allocations succeed, all of them if n is -1."""

CASES = [
    ("Z(i,j) = A(i,j) + B(i,j)", {"A": "csr", "B": "csr", "Z": "csr"}),
    ("Z(i,j) = A(i,j) + B(i,j)", {"A": "csr", "B": "csc", "Z": "dcsr"}),
    ("Z(i,j) = A(i,k) * B(k,j)", {"A": "csr", "B": "csr", "Z": "csr"}),
    ("Z(i,j) = A(k,i) * B(k,j)", {"A": "csr", "B": "csr", "Z": "coo"}),
    ("Z(i,j) = A(i,k) * B(k,l) * C(l,j)", {"A": "csr", "B": "dok", "C": "csc", "Z": "dia"}),
    ("Z(i,j) = A(i,j)", {"A": "ucoo", "Z": "ell"}),
]
SHARED = [
    ("Z(i,j) = A(i,j) + B(i,j)", {"A": "dcsr", "B": "dcsr", "Z": "dcsr"}),
    ("Z(i,j) = A(i,k) * B(k,j)", {"A": "csr", "B": "csr", "Z": "csr"}),
    ("Z(i,l) = A(i,j) * B(j,k) * C(k,l)", dict.fromkeys("ABCZ", "csr")),
]
"""By three workers, each of which allocates."""


@pytest.mark.parametrize(
    ("statement", "formats", "threads"),
    [*((*case, 1) for case in CASES), *((*case, 3) for case in SHARED)],
    ids=str,
)
def test_every_allocation_may_fail(
    statement: str,
    formats: Mapping[str, str],
    threads: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    header = tmp_path / "limited.h"
    header.write_text(LIMITED)
    monkeypatch.setenv("TAMALE_CXXFLAGS", f"-include {header}")
    kernel = Kernel.compiled(make_request(statement, formats, {}, threads=threads))
    library = kernel.built.library
    allow = load(library, "allow", ["int64_t"])
    count_live = load(library, "count_live", ["int64_t *"])
    live = np.zeros(1, np.int64)
    rng = np.random.default_rng(2)
    operands: dict[str, Any] = {
        o.name: tm.tensor(rng.random((7, 7)) * (rng.random((7, 7)) < 0.4), o.format)
        for o in kernel.request.operands
    }
    failures, result = 0, None
    while result is None:
        allow.call(failures)
        result, refusal = outcome(kernel, operands)
        if result is None:
            assert "out of memory (status 1)" in refusal
            count_live.call(pointer(live, "int64_t *"))
            assert live[0] == 0, f"{live[0]} blocks are left after allocation {failures} failed"
            failures += 1
    allow.call(-1)
    assert failures > 0
    assert result == kernel(**operands)
    kernel(**operands)  # Nobody looks at the arrays of this one.
    del result
    gc.collect()
    count_live.call(pointer(live, "int64_t *"))
    assert live[0] == 0


def outcome(kernel: Kernel, operands: Mapping[str, Any]) -> tuple[Any, str]:
    """What a call returns, and what it is refused with."""
    try:
        return kernel(**operands), ""
    except tm.KernelError as error:
        return None, str(error)
