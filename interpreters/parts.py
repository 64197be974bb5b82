"""Results in parts: what each worker has appended, and the result that is made of all of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from xdsl.interpreter import Interpreter, PythonValues, impl, register_impls

from tamale.dialects.cfir.parts import (
    ClosePartOp,
    FreePartsOp,
    JoinOp,
    OpenPartOp,
    PartOp,
    PartsOp,
)
from tamale.dialects.format.attribute import tensor_format
from tamale.dialects.format.spec import Format
from tamale.interpreters.appended import AppendedResult, Result
from tamale.interpreters.level_functions import appended, integers
from tamale.interpreters.memory import InterpretationFailure, dtype_of, plain
from tamale.interpreters.runtime import TensorFunctions


class Part(Result):
    """A part that is closed: its entries, in storage."""

    def __init__(self, appended: AppendedResult) -> None:
        super().__init__(appended.format, appended.shape)
        self.levels, self.vals = appended.stored()

    def pos_bounds(self, k: int, parent: int, ancestors: Sequence[int]) -> tuple[int, int]:
        pos = self.levels[k]["pos"]
        self._check(parent, len(pos) - 1)
        return int(pos[parent]), int(pos[parent + 1])

    def pos_access(self, k: int, position: int, ancestors: Sequence[int]) -> int:
        crd = self.levels[k]["crd"]
        self._check(position, len(crd))
        return int(crd[position])

    def load(self, position: int) -> Any:
        self._check(position, len(self.vals))
        return self.vals[position]

    def _check(self, place: int, count: int) -> None:
        if not 0 <= place < count:
            raise InterpretationFailure(
                f"interpret: place {place} of a worker's part, which has {count}"
            )


class JoinedResult(AppendedResult):
    """A result with exact room, which begins with a part, and is written in any order."""

    def __init__(self, first: Part, dtype: np.dtype[Any], rooms: Sequence[int]) -> None:
        super().__init__(first.format, first.shape, dtype, rooms, counted=False)
        self.lengths = dict(self.rooms)
        for k, arrays in enumerate(first.levels):
            self.coordinates[k].update(enumerate(arrays.get("crd", ())))
            if "pos" in arrays:
                self.edges[k].update(enumerate(pairwise(arrays["pos"])))
        self.values.update(enumerate(first.vals))


@dataclass
class PartsResult(Result):
    """The parts that there are by now."""

    format: Format
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    parts: dict[int, Part] = field(default_factory=dict[int, Part])

    def locate(
        self, k: int, parent: int, coordinate: int, ancestors: Sequence[int]
    ) -> tuple[int, bool]:
        """The position below a dense level; the last worker's part ends behind all coordinates."""
        low, size = self._dense(k)
        if coordinate == low + size:
            return parent * size + size, False
        return super().locate(k, parent, coordinate, ancestors)

    def part(self, worker: int) -> Part:
        """
        The part of a worker.

        Raises:
            InterpretationFailure: it is not closed, or has been given back.
        """
        if worker not in self.parts:
            raise InterpretationFailure(f"interpret: worker {worker} has no part")
        return self.parts[worker]


@register_impls
class PartFunctions(TensorFunctions):
    """Opening and closing parts, walking them, and joining them."""

    @impl(PartsOp)
    def run_parts(self, interpreter: Interpreter, op: PartsOp, args: PythonValues) -> Any:
        type = op.result.type
        format, dtype = tensor_format(type), dtype_of(type.element_type)
        shape = tuple(integers(args)) if op.dims else self.result_shape(format.order)
        return (PartsResult(format, shape, dtype),)

    @impl(OpenPartOp)
    def run_open_part(self, interpreter: Interpreter, op: OpenPartOp, args: PythonValues) -> Any:
        parts: PartsResult = args[0]
        rest = integers(args[1:])
        parents = None if op.parents is None else rest.pop(0)
        counted = op.counted is not None
        opened = AppendedResult(
            parts.format, parts.shape, parts.dtype, rest, counted=counted, parents=parents
        )
        return (opened,)

    @impl(ClosePartOp)
    def run_close_part(self, interpreter: Interpreter, op: ClosePartOp, args: PythonValues) -> Any:
        parts: PartsResult = args[1]
        parts.parts[plain(args[2])] = Part(appended(args[0]))
        return ()

    @impl(PartOp)
    def run_part(self, interpreter: Interpreter, op: PartOp, args: PythonValues) -> Any:
        parts: PartsResult = args[0]
        return (parts.part(plain(args[1])),)

    @impl(JoinOp)
    def run_join(self, interpreter: Interpreter, op: JoinOp, args: PythonValues) -> Any:
        parts: PartsResult = args[0]
        return (JoinedResult(parts.part(0), parts.dtype, integers(args[1:])),)

    @impl(FreePartsOp)
    def run_free_parts(self, interpreter: Interpreter, op: FreePartsOp, args: PythonValues) -> Any:
        parts: PartsResult = args[0]
        parts.parts.clear()
        return ()
