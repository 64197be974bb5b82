"""Products of a sparse matrix or tensor with dense factors: SDDMM, TTV, TTM, MTTKRP."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from importlib import import_module
from typing import Any

import numpy as np
import pytorch
from data import Matrix, narrow_matrices
from effort import Effort
from results import Gap, Result
from timing import Contender, Contest, contend, contend_all

import tamale as tm
from tamale.dialects.lazy import load

SECTION = "contractions"
BY_HAND_MOST = 1_000_000
"""NumPy's SDDMM of more entries would take as long as all others."""
SDDMM, TTV, TTM, MTTKRP = "SDDMM", "TTV", "TTM", "MTTKRP"
BY_HAND = "NumPy and SciPy"
RANK = 32
FIBERS = "(i, j, r) -> (i : compressed, j : compressed, r : dense)"
"""A row of values for each fiber, as the peers have them."""
PYTTB_MOST = 10_000
"""pyttb's TTM of more entries takes minutes."""


def measure(effort: Effort) -> Iterator[Result]:
    """SDDMM of every matrix, the others of one tensor."""
    yield from missing()
    for matrix in narrow_matrices(effort):
        yield from contend(sddmm(matrix), effort)
    x = entries(effort.power_law // 4)
    yield from contend_all((ttv(x), ttm(x), mttkrp(x)), effort)


def missing() -> Iterator[Gap]:
    """A gap for each peer that is not installed."""
    yield from pytorch.gaps(SECTION)
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


class Entries:
    """A tensor of three modes: few coordinates of each have most of its entries."""

    def __init__(self, most: int) -> None:
        generator = np.random.default_rng(0)
        self.shape = (max(8, most // 30), max(8, most // 50), max(8, most // 100))
        draws = [(size * generator.random(most) ** 2).astype(np.int64) for size in self.shape]
        self.coordinates = np.unique(np.stack(draws, 1), axis=0)
        self.values = generator.random(len(self.coordinates))
        self.name = f"power law, {len(self.values)} entries"
        pydata: Any = load("sparse:COO")(self.coordinates.T, self.values, shape=self.shape)
        self.tensor, self.pydata = tm.tensor(pydata, "csf"), pydata
        self.factors = [generator.random((size, RANK)) for size in self.shape]

    def pyttb(self) -> Any:
        """The same as pyttb's."""
        sptensor = load("pyttb:sptensor")
        return sptensor(self.coordinates, self.values[:, None], self.shape)

    def grouped(self, parents: Any) -> Any:
        """The third mode's entries as rows of a matrix, each below one of the sorted `parents`."""
        first = np.flatnonzero(np.diff(parents, prepend=-1))
        pos, crd = np.append(first, len(parents)), self.coordinates[:, 2]
        shape = (len(first), self.shape[2])
        return load("scipy.sparse:csr_array")((self.values, crd, pos), shape=shape)

    def contest(self, what: str, ours: Contender, peers: list[Contender]) -> Contest:
        return Contest(SECTION, what, self.name, "call", ours, peers)


@cache
def entries(most: int) -> Entries:
    """The same tensor for every section."""
    return Entries(most)


def ttv(x: Entries) -> Contest:
    """The third mode is summed against a vector; the result is sparse."""
    c = np.ascontiguousarray(x.factors[2][:, 0])
    kernel = tm.compile("Z(i,j) = X(i,j,k) * c(k)", X="csf", Z="dcsr")
    tensordot = load("sparse:tensordot")
    peers = [Contender("pydata/sparse tensordot", partial(tensordot, x.pydata, c, axes=1))]
    if imported("pyttb") is not None:
        peers.append(Contender("pyttb ttv", partial(x.pyttb().ttv, c, 2), as_scipy))
    return x.contest(TTV, Contender("tamale", partial(kernel, X=x.tensor, c=c)), peers)


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
    return x.contest(TTM, ours, peers)


def mttkrp(x: Entries) -> Contest:
    """The matricised tensor times a Khatri-Rao product, without making it."""
    _, b, c = x.factors
    i, j, k = x.coordinates.T
    kernel = tm.compile(
        "M(i,r) = X(i,j,k) * B(j,r) * C(k,r)", X="csf", B="dense", C="dense", M="dense"
    )
    pos = np.searchsorted(i, np.arange(x.shape[0] + 1))
    entries = (x.values, np.arange(len(i)), pos)
    of_row = load("scipy.sparse:csr_array")(entries, shape=(x.shape[0], len(i)))
    peers = [Contender(BY_HAND, lambda: of_row @ (b[j] * c[k]))]
    if imported("pyttb") is not None:
        peers.append(Contender("pyttb mttkrp", partial(x.pyttb().mttkrp, x.factors, 0)))
    ours = Contender("tamale", partial(kernel, X=x.tensor, B=b, C=c))
    return x.contest(MTTKRP, ours, peers)


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
