"""
The matrices: grids and a power law made here, PyAMG's, and files from the data folder.

Each is a SciPy CSR array of float64 with 32-bit sorted indices and no duplicates; the ones made
here are the same in every run.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from effort import Effort
from machine import cache_bytes
from results import Gap
from stencils import stand_ins, star, stencil

import tamale as tm
from tamale.dialects.lazy import load

PYAMG_EXAMPLES = ("local_disc_galerkin_diffusion", "bar")
SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
"""Where `data_folder` looks without `$TAMALE_DATA`."""


@dataclass(frozen=True)
class Matrix:
    """A matrix and its name."""

    name: str
    csr: Any

    @property
    def nbytes(self) -> int:
        """The size of its three arrays."""
        return self.csr.data.nbytes + self.csr.indices.nbytes + self.csr.indptr.nbytes

    @property
    def larger_than_cache(self) -> bool:
        return self.nbytes > cache_bytes()


@cache
def matrices(effort: Effort) -> tuple[tuple[Matrix, ...], tuple[Gap, ...]]:
    """All matrices, and what is missing."""
    found: list[Matrix] = []
    gaps: list[Gap] = []
    made = chain(made_here(effort), from_the_paper(effort))
    for item in chain(made, from_pyamg(effort), from_files(effort)):
        (gaps if isinstance(item, Gap) else found).append(item)  # pyright: ignore[reportArgumentType]
    return tuple(found), tuple(gaps)


@cache
def narrow_matrices(effort: Effort) -> tuple[Matrix, ...]:
    """As `matrices`, with smaller stencils: for operands with many dense columns."""
    found, _ = matrices(effort)
    made = tuple(made_here(effort, effort.wide_scale))
    return (*made, *found[len(made) :])


# Made here


@cache
def made_here(effort: Effort, scale: float = 1.0) -> tuple[Matrix, ...]:
    """Nearest neighbours on grids of two and three dimensions, and a power law."""
    flat, deep = round(effort.grid_2d * scale), round(effort.grid_3d * scale)
    rows = round(effort.power_law * scale)
    return (
        Matrix(f"5-point {flat}x{flat}", grid(flat, flat)),
        Matrix(f"7-point {deep}x{deep}x{deep}", grid(deep, deep, deep)),
        Matrix(f"power law {rows}", power_law(rows)),
    )


def grid(*sizes: int) -> Any:
    """Each point of a grid and its nearest neighbours, as ecology1 and atmosmodd have them."""
    return normal(stencil(sizes, star(len(sizes))))


def from_the_paper(effort: Effort) -> Iterator[Matrix]:
    """The stencils of the conversion paper, in their sizes."""
    if effort.stand_ins:
        yield from (Matrix(name, normal(made)) for name, made in stand_ins())


def power_law(rows: int) -> Any:
    """Eight entries a row on average; few rows and columns have most, in no order."""
    generator = np.random.default_rng(0)

    def coordinates() -> Any:
        ranks = (rows * generator.random(8 * rows) ** 2).astype(np.int64)
        return generator.permutation(rows)[ranks]

    coo_array = load("scipy.sparse:coo_array")
    entries = (generator.uniform(0.1, 1, 8 * rows), (coordinates(), coordinates()))
    return normal(coo_array(entries, shape=(rows, rows)))


def normal(matrix: Any) -> Any:
    """As every matrix here is stored."""
    csr = load("scipy.sparse:csr_array")(matrix, dtype=np.float64)
    csr.sum_duplicates()
    csr.indices, csr.indptr = csr.indices.astype(np.int32), csr.indptr.astype(np.int32)
    return csr


def shifted(csr: Any) -> Any:
    """The matrix with its columns moved to the right by one: a pattern that overlaps in part."""
    columns = ((csr.indices + 1) % csr.shape[1]).astype(np.int32)
    moved = load("scipy.sparse:csr_array")((csr.data, columns, csr.indptr), shape=csr.shape)
    moved.sort_indices()
    return moved


# From elsewhere


def from_pyamg(effort: Effort) -> Iterator[Matrix | Gap]:
    """A finite-element matrix, and examples that PyAMG ships."""
    try:
        load_example = load("pyamg.gallery:load_example")
        linear_elasticity = load("pyamg.gallery:linear_elasticity")
    except ImportError as error:
        yield Gap("data", "PyAMG's matrices", f"it cannot be imported: {error}")
        return
    side = effort.elasticity
    yield Matrix(f"elasticity {side}x{side}", normal(linear_elasticity((side, side))[0]))
    for name in PYAMG_EXAMPLES:
        yield Matrix(name, normal(load_example(name)["A"]))


def from_files(effort: Effort) -> Iterator[Matrix | Gap]:
    """The largest Matrix Market files of the data folder."""
    folder = data_folder()
    if folder is None:
        yield Gap("data", "further matrices", "TAMALE_DATA names no folder with .mtx files")
        return
    files = [path for path in folder.iterdir() if path.name.endswith((".mtx", ".mtx.gz"))]
    files.sort(key=lambda path: (-path.stat().st_size, path.name))
    for path in files[: effort.files]:
        csr = tm.read(path, "csr").to_scipy()
        if csr.dtype.kind == "c":
            yield Gap("data", path.name, "it is complex")
        else:
            yield Matrix(path.name.partition(".mtx")[0], normal(csr))


def data_folder() -> Path | None:
    """
    The folder that `$TAMALE_DATA` names, else SHARED_DATA if it exists.

    Raises:
        TamaleError: `$TAMALE_DATA` names no folder.
    """
    named = os.environ.get("TAMALE_DATA")
    if named and not Path(named).is_dir():
        raise tm.TamaleError(f"data: TAMALE_DATA is '{named}', which is no folder")
    folder = Path(named) if named else SHARED_DATA
    return folder if folder.is_dir() else None
