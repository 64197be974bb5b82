"""PyTorch on one thread of the processor: its CSR tensors, which share SciPy's arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from importlib import import_module
from typing import Any
from warnings import catch_warnings

from results import Gap
from timing import Contender

from tamale.dialects.lazy import load

NAME = "torch"


@cache
def torch() -> Any:
    """PyTorch on one thread; None if it is not installed."""
    try:
        module: Any = import_module("torch")
    except ImportError:
        return None
    module.set_num_threads(1)
    return module


def gaps(section: str) -> Iterator[Gap]:
    """What a section says if there is no PyTorch."""
    if torch() is None:
        yield Gap(section, NAME, "it is not installed; pip install 'tamale[bench-torch]'")


def csr_tensor(csr: Any) -> Any:
    """SciPy's matrix as a tensor; PyTorch warns that it calls these a beta, and trusts arrays."""
    arrays = [torch().from_numpy(array) for array in (csr.indptr, csr.indices, csr.data)]
    with catch_warnings(action="ignore"):
        return torch().sparse_csr_tensor(*arrays, size=csr.shape)


def product(csr: Any, right: Any) -> list[Contender]:
    """`A @ x` of a vector or of a dense matrix."""
    if torch() is None:
        return []
    call: Callable[[], Any] = partial(csr_tensor(csr).matmul, torch().from_numpy(right))
    return [Contender(f"{NAME} A @ {'xB'[right.ndim - 1]}", call)]


def sampled_addmm(s: Any, a: Any, b: Any) -> list[Contender]:
    """SDDMM, which takes the pattern alone, and the multiplication by the entries."""
    if torch() is None:
        return []
    mask, entries = csr_tensor(s), torch().from_numpy(s.data)
    left, right = torch().from_numpy(a), torch().from_numpy(b).T

    def run() -> Any:
        product = torch().sparse.sampled_addmm(mask, left, right, beta=0.0)
        product.values().mul_(entries)
        return product

    def view(product: Any) -> Any:
        return load("scipy.sparse:csr_array")((product.values(), s.indices, s.indptr), s.shape)

    return [Contender(f"{NAME} sampled_addmm", run, view)]
