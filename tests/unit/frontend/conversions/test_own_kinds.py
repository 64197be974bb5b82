"""A level kind and formats that exist only here convert from and to all others, and compute."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
import pytest
from batches import FLAGS, BatchedKernel
from conversion_batches import compile_conversions
from entry_lists import EntryList, any_list, random_entries, unlike

from tamale.backends.jit.compiler import find_compiler
from tamale.dialects.format.kinds import register_level_kind
from tamale.dialects.format.level import Level, LevelProperties
from tamale.dialects.format.named import resolve_format
from tamale.dialects.query.select import Aggregate, Select
from tamale.frontend.request import make_request
from tamale.passes.levels.arithmetic import onto_low
from tamale.passes.levels.checks import check_edges
from tamale.passes.levels.functions import LevelAssembly, LevelStorage, StoredLevel
from tamale.passes.levels.segmented import Segmented, owners

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from xdsl.ir import SSAValue


@register_level_kind
class Window(Segmented):
    """Below each parent, all coordinates from the first that has an entry to the last."""

    name = "window"
    asks_ancestors = False
    defaults = LevelProperties(
        full=False, ordered=True, unique=True, branchless=False, compact=True
    )
    arrays = ("pos", "first")
    extents = MappingProxyType({"pos": "edges", "first": "parents"})
    iterates = "coordinates"
    pads = True

    # Walking

    def coord_bounds(self, level: LevelStorage, parent: SSAValue) -> tuple[SSAValue, SSAValue]:
        first = level.read("first", parent)
        return first, level.emit.add(first, self.width(level, parent))

    def locate(
        self, level: LevelStorage, parent: SSAValue, coordinate: SSAValue
    ) -> tuple[SSAValue, SSAValue]:
        emit = level.emit
        begin, end = self.segment(level, parent)
        position = emit.add(begin, emit.sub(coordinate, level.read("first", parent)))
        after = emit.compare("sge", position, begin)
        return position, emit.and_(after, emit.compare("slt", position, end))

    # Assembly

    def queries(self, level: Level, above: Sequence[str], own: str) -> tuple[Select, ...]:
        bounds = Aggregate("min", (own,), "smallest"), Aggregate("max", (own,), "largest")
        return (Select(tuple(above), bounds),)

    def room(
        self,
        level: LevelAssembly,
        coordinates: Sequence[SSAValue],
        row: Mapping[str, SSAValue],
    ) -> SSAValue:
        emit = level.emit
        both = emit.add(row["smallest"], row["largest"])
        return emit.max(emit.sub(both, level.size), emit.constant(0))

    def seq_init_edges(self, level: LevelAssembly, parents: SSAValue) -> None:
        level.allocate("first", parents)
        super().seq_init_edges(level, parents)

    def seq_insert_edges(
        self,
        level: LevelAssembly,
        parent: SSAValue,
        coordinates: Sequence[SSAValue],
        row: Mapping[str, SSAValue],
    ) -> None:
        super().seq_insert_edges(level, parent, coordinates, row)
        self._begin(level, parent, row)

    def unseq_init_edges(self, level: LevelAssembly, parents: SSAValue) -> None:
        level.allocate("first", parents, zeroed=True)
        super().unseq_init_edges(level, parents)

    def unseq_insert_edges(
        self,
        level: LevelAssembly,
        parent: SSAValue,
        coordinates: Sequence[SSAValue],
        row: Mapping[str, SSAValue],
    ) -> None:
        super().unseq_insert_edges(level, parent, coordinates, row)
        self._begin(level, parent, row)

    def _begin(self, level: LevelAssembly, parent: SSAValue, row: Mapping[str, SSAValue]) -> None:
        """An empty window begins at the last coordinate."""
        emit = level.emit
        distance = emit.max(row["smallest"], emit.constant(1))
        level.write("first", parent, onto_low(level, emit.sub(level.size, distance)))

    def get_pos(
        self, level: LevelAssembly, parent: SSAValue, coordinates: Sequence[SSAValue]
    ) -> SSAValue:
        return self.locate(level, parent, coordinates[-1])[0]

    # Stored arrays

    def check(self, level: StoredLevel, parents: int) -> None:
        check_edges(level, parents)

    def coordinates(
        self, level: StoredLevel, parents: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        above = owners(level, parents)
        shifts = level.arrays["first"].astype(np.int64) - level.arrays["pos"][:parents]
        return above, np.arange(len(above), dtype=np.int64) + shifts[above]


OWN = (
    "(i, j) -> (i : dense, j : window)",
    "(i, j) -> (j : compressed, i : window)",
    "(i, j) -> (j - i : window, i : dense)",
    "(i, j) -> ((j - i) / 2 : squeezed, i : dense, (j - i) % 2 : dense)",
    "(i, j) -> ((i + j) / 4 : compressed, i : window, (i + j) % 4 : bitmap)",
)
OTHERS = ("dense", "coo", "ucoo", "csr", "csc", "dcsr", "dcsc", "dia", "ell", "jad", "sell(2)",
          "bcsr(2, 3)", "bcsc(3, 2)", "dok", "bitmap", "hicoo(2)")  # fmt: skip
SHAPES = ((4, 6), (7, 3), (5, 5), (1, 1), (3, 0), (0, 3))


def matrices() -> list[EntryList]:
    random = np.random.default_rng(3)
    return [random_entries(random, shape) for shape in SHAPES]


@pytest.mark.parametrize("line", OWN)
def test_from_and_to_all_others(line: str, tmp_path: Path):
    own = resolve_format(line)
    others = [resolve_format(name, 2) for name in OTHERS]
    pairs = [(any_list(2), own), *((own, x) for x in others), *((x, own) for x in others)]
    first, *rest = compile_conversions(pairs, tmp_path)
    for matrix in matrices():
        tensor = first(matrix.as_list())
        assert not unlike(tensor, matrix.as_list(), matrix.dense)
        for there, back in zip(rest[: len(others)], rest[len(others) :], strict=True):
            other = there(tensor)
            problem = unlike(other, tensor, matrix.dense)
            assert not problem, f"{there}: {problem}"
            problem = unlike(back(other), other, matrix.dense)
            assert not problem, f"{back}: {problem}"


@pytest.mark.parametrize("line", OWN)
def test_matrix_times_vector(line: str, tmp_path: Path):
    (into,) = compile_conversions([(any_list(2), resolve_format(line))], tmp_path)
    library = tmp_path / "kernel.so"
    request = make_request("y(i) = A(i,j) * x(j)", {"A": line}, {}, name="spmv")
    kernel = BatchedKernel(request, library)
    find_compiler().compile(kernel.cpp, library, FLAGS)
    for matrix in matrices():
        x = np.arange(1.0, matrix.shape[1] + 1)
        assert np.array_equal(kernel(A=into(matrix.as_list()), x=x), matrix.dense @ x)
