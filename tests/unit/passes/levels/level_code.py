"""
A function that makes one level from entries by its assembly functions, then walks it, then looks
coordinates up: what the functions emit is compiled and run, and no pass takes part. Parents have
their positions as coordinates.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import func
from xdsl.dialects.builtin import IndexType, ModuleOp, i32, i64
from xdsl.ir import SSAValue
from xdsl.rewriter import InsertPoint

from tamale.backends.cpp.flags import REQUIRED_FLAGS
from tamale.backends.cpp.printer import print_cpp
from tamale.dialects.format.level import Level
from tamale.passes.emit.emitter import Emitter
from tamale.passes.emit.upstream import array_type
from tamale.passes.levels import storage_kind
from tamale.passes.levels.functions import LevelAssembly, StorageKind, StoredLevel
from tamale.passes.levels.made import Made
from tamale.passes.levels.ranks import has_rank, rank

COMPILER = shutil.which("g++") or shutil.which("clang++") or "c++"
INDEX = IndexType()
ROOM = 1 << 12
"""Elements of every array that the function fills."""

SIZES = ("low", "size", "parents", "entries", "probes")
INPUTS = ("parent", "own", "probe_parent", "probe")
OUTPUTS = (
    "position",
    "located",
    "found",
    "walked_parent",
    "walked",
    "walked_position",
    "count",
    "rank",
)

Column = NDArray[np.int64]


@dataclass(frozen=True)
class Entries:
    """Entries to store in one level: the positions of their parents, and their own coordinates."""

    low: int
    size: int
    parents: int
    parent: Column
    own: Column
    queries: Mapping[str, Column]
    """Label -> the result per parent, or per coordinate, or one for all."""

    @property
    def probes(self) -> tuple[Column, Column]:
        """All coordinates below all parents."""
        every = np.arange(self.low, self.low + self.size)
        return np.repeat(np.arange(self.parents), self.size), np.tile(every, self.parents)


@dataclass(frozen=True)
class Outcome:
    """What the compiled function did."""

    status: int
    arrays: dict[str, NDArray[Any]]
    outputs: dict[str, Column]

    @property
    def walked(self) -> list[tuple[int, int, int]]:
        """(parent position, coordinate, position) in the order of the walk."""
        count = int(self.outputs["count"][0])
        names = ("walked_parent", "walked", "walked_position")
        columns = (self.outputs[name][:count].tolist() for name in names)
        return list(zip(*columns, strict=True))


@dataclass
class LevelCode:
    """Builds, compiles and runs the function of one level."""

    level: Level
    sequenced: bool = True
    counted: bool = False
    """Whether edges are counted one by one."""
    locates: bool = True
    module: ModuleOp = field(init=False)

    def __post_init__(self) -> None:
        self.kind: StorageKind = storage_kind(self.level.kind)
        ordered = self.kind.properties(self.level, None).ordered
        self.ranks = ordered and has_rank(self.kind)
        self.labels = [
            aggregate.label
            for select in self.kind.queries(self.level, ("above",), "own")
            for aggregate in select.aggregates
        ]
        self.module = self._build()

    # Building

    def _build(self) -> ModuleOp:
        arrays = [array_type(INDEX)] * len(INPUTS)
        arrays += [array_type(i64)] * len(self.labels)
        arrays += [array_type(i32)] * len(self.kind.arrays)
        arrays += [array_type(INDEX)] * len(OUTPUTS)
        function = func.FuncOp("level", ([INDEX] * len(SIZES) + arrays, []))
        block = function.body.block
        made = [f"made {name}" for name in self.kind.arrays]
        names = (*SIZES, *INPUTS, *self.labels, *made, *OUTPUTS)
        self.values = dict(zip(names, block.args, strict=True))
        self.emit = Emitter(InsertPoint.at_end(block), block)
        level = self._assembly()
        self._assemble(level)
        self._walk(level)
        if self.locates:
            self._look_up(level)
        if self.ranks:
            self._rank(level)
        self.emit.insert(func.ReturnOp())
        module = ModuleOp([function])
        module.verify()
        return module

    def _assembly(self) -> LevelAssembly:
        def make(array: str, length: SSAValue, zeroed: bool) -> SSAValue:
            memory = self.values[f"made {array}"]
            if not zeroed:  # Nobody may count on zeros then.
                junk = self.emit.constant(77, i32)
                with self.emit.loop(self.emit.constant(0), length, "n") as n:
                    self.emit.store(junk, memory, n)
            return memory

        value = self.values
        queries = Made({label: value[label] for label in self.labels})
        size, low = value["size"], value["low"]
        return LevelAssembly(self.emit, Made(), size, low, queries=queries, make=make)

    def _assemble(self, level: LevelAssembly) -> None:
        emit, kind, value = self.emit, self.kind, self.values
        if kind.edges:
            self._insert_edges(level)
        kind.init_coords(level, value["parents"])
        kind.init_pos(level, value["parents"])
        with self._entries() as e:
            parent, coordinates = self._entry(e)
            if kind.yields:
                position = kind.yield_pos(level, parent)
            else:
                position = kind.get_pos(level, parent, coordinates)
            kind.insert_coord(level, parent, position, coordinates)
            emit.store(position, value["position"], e)
        kind.finalize_pos(level, value["parents"])
        emit.store(kind.size_below(level, value["parents"]), value["count"], emit.constant(1))

    def _insert_edges(self, level: LevelAssembly) -> None:
        emit, kind, parents = self.emit, self.kind, self.values["parents"]
        if self.sequenced:
            kind.seq_init_edges(level, parents)
        else:
            kind.unseq_init_edges(level, parents)
        if self.counted:
            with self._entries() as e:
                kind.unseq_count_edge(level, self._entry(e)[0])
        else:
            insert = kind.seq_insert_edges if self.sequenced else kind.unseq_insert_edges
            with emit.loop(emit.constant(0), parents, "p") as p:
                row = {label: level.query(label, p) for label in self.labels}
                insert(level, p, (p,), row)
        if not self.sequenced:
            kind.unseq_finalize_edges(level, parents)

    def _entries(self) -> Any:
        return self.emit.loop(self.emit.constant(0), self.values["entries"], "e")

    def _entry(self, e: SSAValue) -> tuple[SSAValue, tuple[SSAValue, SSAValue]]:
        """The parent's position, and the coordinates of the parent and the entry."""
        parent, own = (self.emit.load(self.values[name], e) for name in ("parent", "own"))
        return parent, (parent, own)

    def _walk(self, level: LevelAssembly) -> None:
        emit, kind = self.emit, self.kind
        zero = emit.constant(0)
        emit.store(zero, self.values["count"], zero)
        with emit.loop(zero, self.values["parents"], "p") as p:
            below = self._at(level, p)
            if kind.iterates == "positions":
                with emit.loop(*kind.pos_bounds(below, p), "q") as q:
                    found = kind.pos_found(below, q)
                    with emit.when(found):
                        self._visit(p, kind.pos_access(below, q), q)
            else:
                with emit.loop(*kind.coord_bounds(below, p), "c") as c:
                    position, found = kind.locate(below, p, c)
                    with emit.when(found):
                        self._visit(p, c, position)

    def _visit(self, parent: SSAValue, coordinate: SSAValue, position: SSAValue) -> None:
        emit, zero = self.emit, self.emit.constant(0)
        n = emit.load(self.values["count"], zero)
        emit.store(parent, self.values["walked_parent"], n)
        emit.store(coordinate, self.values["walked"], n)
        emit.store(position, self.values["walked_position"], n)
        emit.store(emit.add(n, emit.constant(1)), self.values["count"], zero)

    def _look_up(self, level: LevelAssembly) -> None:
        emit, value = self.emit, self.values
        with emit.loop(emit.constant(0), value["probes"], "e") as e:
            parent, own = (emit.load(value[name], e) for name in ("probe_parent", "probe"))
            position, found = self.kind.locate(self._at(level, parent), parent, own)
            emit.store(position, value["located"], e)
            emit.store(emit.as_index(emit.cast(found, i64)), value["found"], e)

    def _rank(self, level: LevelAssembly) -> None:
        emit, value, one = self.emit, self.values, self.emit.constant(1)
        with emit.loop(emit.constant(0), value["probes"], "e") as e:
            parent, own = (emit.load(value[name], e) for name in ("probe_parent", "probe"))
            begin = self.kind.size_below(level, parent)
            end = self.kind.size_below(level, emit.add(parent, one))
            found = rank(self.kind, self._at(level, parent), parent, (begin, end), own)
            emit.store(found, value["rank"], e)

    def _at(self, level: LevelAssembly, above: SSAValue) -> LevelAssembly:
        """The level below a parent with this coordinate."""
        return LevelAssembly(self.emit, level.arrays, level.size, level.low, (above,))

    # Running

    def run(self, library: ctypes.CDLL, entries: Entries) -> Outcome:
        arrays = {name: np.full(ROOM, 0, np.int32) for name in self.kind.arrays}
        outputs = {name: np.zeros(ROOM, np.int64) for name in OUTPUTS}
        queries = (entries.queries[label] for label in self.labels)
        inputs = (entries.parent, entries.own, *entries.probes, *queries)
        columns = [np.append(np.asarray(x, np.int64), 0) for x in inputs]  # None is empty.
        counts = (len(entries.own), len(entries.probes[0]))
        sizes = (entries.low, entries.size, entries.parents, *counts)
        pointers = [x.ctypes.data for x in (*columns, *arrays.values(), *outputs.values())]
        status = library["level"](*map(ctypes.c_int64, sizes), *map(ctypes.c_void_p, pointers))
        return Outcome(int(status), arrays, outputs)

    def stored(self, outcome: Outcome, entries: Entries) -> StoredLevel:
        """The arrays as a level in memory, cut to their lengths."""
        above: Sequence[Column] = (np.arange(entries.parents),)
        properties = self.kind.properties(self.level, None)
        arrays: dict[str, NDArray[Any]] = {}
        level = StoredLevel(arrays, entries.size, properties, "level", entries.low, above)
        for name in self.kind.arrays:
            arrays[name] = outcome.arrays[name]
            arrays[name] = arrays[name][: self.kind.length(level, name, entries.parents)]
        return level


def compiled(module: ModuleOp, folder: Path) -> ctypes.CDLL:
    """The functions of a module."""
    source, library = folder / "level.cpp", folder / "level.so"
    source.write_text(print_cpp(module))
    flags = ("-O1", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", *REQUIRED_FLAGS)
    subprocess.run([COMPILER, *flags, str(source), "-o", str(library)], check=True)
    return ctypes.CDLL(str(library))
