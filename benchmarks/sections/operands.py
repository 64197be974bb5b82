"""
Kernels whose operands are in DCSR, COO and CSF, the user's clock.

SciPy has the matrices in CSR, and pydata/sparse has the tensors as lists of coordinates: the
formats that their own kernels want.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
from data import Matrix, made_here, shifted
from effort import Effort
from results import Result
from sections.contractions import BY_HAND, mttkrp_by_hand
from tensors import Entries, power_law
from timing import Contender, Contest, contend_all

import tamale as tm
from tamale.dialects.lazy import load
from tamale.frontend.api import compile_typed

SECTION = "operands"
FORMATS = ("dcsr", "coo")
WIDTH = 32


def measure(effort: Effort) -> Iterator[Result]:
    """The matrices made here, small ones, and a tensor."""
    for matrix in made_here(effort, effort.wide_scale / 2):
        for format in FORMATS:
            yield from contend_all(of_matrices(matrix, format), effort)
    yield from contend_all(of_tensors(power_law(effort, 3)), effort)


def of_matrices(matrix: Matrix, format: str) -> Iterator[Contest]:
    """Every sparse operand and result in one format."""
    a: Any = matrix.csr
    b: Any = shifted(a)
    rows, columns = a.shape
    x, y = np.random.default_rng(0).random((2, max(rows, columns), WIDTH))
    A, B = tm.convert(a, format), tm.convert(b, format)
    sparse = {"A": A, "B": B}
    for what, statement, operands, scipy_call in (
        ("A + B", "Z(i,j) = A(i,j) + B(i,j)", sparse, lambda: a + b),
        ("A .* B", "Z(i,j) = A(i,j) * B(i,j)", sparse, lambda: a.multiply(b)),
        ("A * B", "Z(i,j) = A(i,k) * B(k,j)", sparse, lambda: ordered(a @ b)),
        ("A X, 32 columns", "Y(i,r) = A(i,j) * X(j,r)", {"A": A, "X": x}, lambda: a @ x),
        (
            "SDDMM", "Z(i,j) = A(i,j) * X(i,r) * Y(j,r)", {"A": A, "X": x, "Y": y},
            lambda: sampled(a, x, y),
        ),
    ):  # fmt: skip
        formats = dict.fromkeys("ABZ", format)
        peer = Contender(BY_HAND if what == "SDDMM" else "SciPy csr", scipy_call)
        yield contest(f"{what}, {format}", matrix.name, statement, formats, operands, peer)


def of_tensors(x: Entries) -> Iterator[Contest]:
    """One tensor in CSF and as a list of coordinates; the other has its last coordinates moved."""
    other = load("sparse:COO")(moved(x), x.values, shape=x.shape)
    c = np.ascontiguousarray(x.factors[2][:, 0])
    vector = partial(load("sparse:tensordot"), x.pydata, c, axes=1)
    factors = {"B": x.factors[1], "C": x.factors[2]}
    for format in ("csf", "coo"):
        X, Y = tm.tensor(x.pydata, format), tm.tensor(other, format)
        for what, statement, operands, peer in (
            ("X : Y", "s = X(i,j,k) * Y(i,j,k)", {"Y": Y}, lambda: (x.pydata * other).sum()),
            ("X + Y", "Z(i,j,k) = X(i,j,k) + Y(i,j,k)", {"Y": Y}, lambda: x.pydata + other),
            ("TTV", "W(i,j) = X(i,j,k) * c(k)", {"c": c}, vector),
            ("MTTKRP", "M(i,r) = X(i,j,k) * B(j,r) * C(k,r)", factors, mttkrp_by_hand(x)),
        ):
            formats = {"X": format, "Y": format, "Z": format, "W": "dcsr"}
            name = BY_HAND if what == "MTTKRP" else "pydata/sparse"
            theirs = Contender(name, peer, comparable)
            given = {"X": X, **operands}
            yield contest(f"{what}, {format}", x.name, statement, formats, given, theirs)


def contest(
    what: str,
    data: str,
    statement: str,
    formats: Mapping[str, str],
    operands: Mapping[str, Any],
    peer: Contender,
) -> Contest:
    """A compiled statement against a peer; formats of tensors that it does not name are ignored."""
    named = {name: format for name, format in formats.items() if f"{name}(" in statement}
    kernel = compile_typed(statement, named, {})
    ours = Contender("tamale", partial(kernel, **operands), comparable)
    return Contest(SECTION, what, data, "call", ours, [peer])


# Peers and views


def ordered(product: Any) -> Any:
    """SciPy's product with sorted rows, as DCSR and COO have them."""
    product.sort_indices()
    return product


def sampled(s: Any, x: Any, y: Any) -> Any:
    """SDDMM of NumPy's."""
    rows: Any = s.tocoo().row
    dots = np.einsum("nk,nk->n", x[rows], y[s.indices])
    return load("scipy.sparse:csr_array")((s.data * dots, s.indices, s.indptr), shape=s.shape)


def moved(x: Entries) -> Any:
    """Coordinates whose last one is larger by one: a pattern that overlaps in part."""
    i, j, k = x.coordinates.T
    return np.stack([i, j, (k + 1) % x.shape[2]])


def comparable(found: Any) -> Any:
    """A sparse result as SciPy's; of order three with the first two modes as rows."""
    if isinstance(found, tm.Tensor):
        return found if found.order < 3 else matricised(found.shape, *found.entries())
    if not hasattr(found, "coords"):
        return found
    if found.ndim < 3:
        return found.to_scipy_sparse() if found.ndim == 2 else found.todense()
    return matricised(found.shape, found.coords, found.data)


def matricised(shape: tuple[int, ...], coordinates: Any, values: Any) -> Any:
    """The first two modes as rows."""
    i, j, k = coordinates
    sizes = (shape[0] * shape[1], shape[2])
    return load("scipy.sparse:coo_array")((values, (i * shape[1] + j, k)), shape=sizes)
