"""Products of a sparse matrix or tensor with dense factors: SDDMM, TTV, TTM, MTTKRP."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial, reduce
from importlib import import_module
from typing import Any

import byhand_products
import numpy as np
import pytorch
import unsupported
from bare import into_array
from data import Matrix, narrow_matrices
from effort import Effort
from results import Gap, Result
from tensors import RANK, Entries, tensors
from timing import Contender, Contest, contend, contend_all

import tamale as tm
from tamale.dialects.lazy import load

SECTION = "contractions"
BY_HAND_MOST = 1_000_000
"""NumPy's SDDMM of more entries would take as long as all others."""
SDDMM, TTV, TTM, MTTKRP = "SDDMM", "TTV", "TTM", "MTTKRP"
BY_HAND = "NumPy and SciPy"
FIBERS = "(i, j, r) -> (i : compressed, j : compressed, r : dense)"
"""A row of values for each fiber, as the peers have them."""
PYTTB_MOST = 10_000
"""pyttb's TTM of more entries takes minutes."""


def measure(effort: Effort) -> Iterator[Result]:
    """SDDMM of every matrix, MTTKRP of every tensor, the others of those of order three."""
    yield from missing()
    for matrix in narrow_matrices(effort):
        yield from contend(sddmm(matrix), effort)
    for x in tensors(effort):
        if x.order == 3:
            yield from contend_all((ttv(x), ttm(x)), effort)
        yield from contend_all(mttkrp(x), effort)


def missing() -> Iterator[Gap]:
    """A gap for each peer that is not installed."""
    for peer in (pytorch, unsupported):
        yield from peer.gaps(SECTION)
    if imported("pyttb") is None:
        yield Gap(SECTION, "pyttb", "it cannot be imported")


def imported(module: str) -> Any:
    """A peer's module; None if it is missing."""
    try:
        return import_module(module)
    except ImportError:
        return None


# Matrices


def sddmm(matrix: Matrix) -> Contest:
    """The product of two dense factors where a matrix has entries, times these."""
    s: Any = matrix.csr
    rows, columns = s.shape
    generator = np.random.default_rng(0)
    a, b = generator.random((rows, RANK)), generator.random((columns, RANK))
    kernel = tm.compile("Z(i,j) = S(i,j) * A(i,k) * B(j,k)", S="csr", Z="csr")
    csr_array = load("scipy.sparse:csr_array")
    of_entry: Any = s.tocoo().row

    def by_hand() -> Any:
        dots = np.einsum("nk,nk->n", a[of_entry], b[s.indices])
        return csr_array((s.data * dots, s.indices, s.indptr), shape=s.shape)

    numpy = [Contender(BY_HAND, by_hand)] if s.nnz <= BY_HAND_MOST else []
    peers = [*numpy, *pytorch.sampled_addmm(s, a, b)]
    ours = Contender("tamale", partial(kernel, S=tm.tensor(s), A=a, B=b))
    return Contest(SECTION, SDDMM, matrix.name, "call", ours, peers, matrix.larger_than_cache)


# Tensors


def ttv(x: Entries) -> Contest:
    """The third mode is summed against a vector; the result is sparse."""
    c = np.ascontiguousarray(x.factors[2][:, 0])
    kernel = tm.compile("Z(i,j) = X(i,j,k) * c(k)", X="csf", Z="dcsr")
    tensordot = load("sparse:tensordot")
    peers = [Contender("pydata/sparse tensordot", partial(tensordot, x.pydata, c, axes=1))]
    if imported("pyttb") is not None:
        peers.append(Contender("pyttb ttv", partial(x.pyttb().ttv, c, 2), as_scipy))
    return contest(x, TTV, Contender("tamale", partial(kernel, X=x.tensor, c=c)), peers)


def ttm(x: Entries) -> Contest:
    """The third mode is summed against a matrix; values below each fiber are compared."""
    c = x.factors[2]
    kernel = tm.compile("Z(i,j,r) = X(i,j,k) * C(k,r)", X="csf", C="dense", Z=FIBERS)
    i, j, _ = x.coordinates.T
    fibers = x.grouped(i * x.shape[1] + j)
    peers = [Contender(BY_HAND, lambda: fibers @ c)]
    if imported("pyttb") is not None and len(x.values) <= PYTTB_MOST:
        product = partial(x.pyttb().ttm, np.ascontiguousarray(c.T), 2)
        peers.append(Contender("pyttb ttm", product, in_fibers))
    ours = Contender("tamale", partial(kernel, X=x.tensor, C=c), fiber_values)
    return contest(x, TTM, ours, peers)


def mttkrp(x: Entries) -> Iterator[Contest]:
    """The matricised tensor times a Khatri-Rao product, without making it; both clocks."""
    kept, *summed = "ijklm"[: x.order]
    factors = dict(zip("BCDE", x.factors[1:], strict=False))
    product = "".join(f" * {f}({mode},r)" for f, mode in zip(factors, summed, strict=True))
    dense: dict[str, Any] = dict.fromkeys([*factors, "M"], "dense")
    statement = f"M({kept},r) = X({','.join((kept, *summed))}){product}"
    kernel = tm.compile(statement, X="csf", **dense)
    out = np.empty((x.shape[0], RANK))
    ours = into_array(kernel, (x.tensor, *factors.values()), out)
    peer = byhand_products.mttkrp(x.tensor, x.factors[1:], np.empty_like(out))
    yield Contest(SECTION, MTTKRP, x.name, "kernel", ours, [peer])
    peers = [Contender(BY_HAND, mttkrp_by_hand(x))]
    if imported("pyttb") is not None:
        peers.append(Contender("pyttb mttkrp", partial(x.pyttb().mttkrp, x.factors, 0)))
    ours = Contender("tamale", partial(kernel, X=x.tensor, **factors))
    yield contest(x, MTTKRP, ours, peers)


def mttkrp_by_hand(x: Entries) -> Callable[[], Any]:
    """The rows of the Khatri-Rao product where there are entries, summed by SciPy."""
    i, *others = x.coordinates.T
    pos = np.searchsorted(i, np.arange(x.shape[0] + 1))
    entries = (x.values, np.arange(len(i)), pos)
    of_row = load("scipy.sparse:csr_array")(entries, shape=(x.shape[0], len(i)))
    pairs = list(zip(x.factors[1:], others, strict=True))
    return lambda: of_row @ reduce(np.multiply, (factor[crd] for factor, crd in pairs))


def contest(x: Entries, what: str, ours: Contender, peers: list[Contender]) -> Contest:
    return Contest(SECTION, what, x.name, "call", ours, peers)


def as_scipy(found: Any) -> Any:
    """A matrix of pyttb's, sparse or dense."""
    if not hasattr(found, "subs"):
        return found.data
    entries = (found.vals[:, 0], tuple(found.subs.T))
    return load("scipy.sparse:coo_array")(entries, shape=found.shape)


def fiber_values(tensor: tm.Tensor) -> Any:
    """The values below each pair of outer coordinates, a row each."""
    return tensor.vals.reshape(-1, RANK)


def in_fibers(found: Any) -> Any:
    """A product of pyttb's, likewise."""
    dense = found.double().reshape(-1, RANK)
    return dense[dense.any(axis=1)]
