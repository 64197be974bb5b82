"""One case of the differential test: a statement, formats, and operands entry by entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from packing import store

from tamale.dialects.format.named import resolve_format
from tamale.dialects.notation.parser import parse_notation
from tamale.frontend.request import Request, make_request
from tamale.frontend.statistics import with_statistics
from tamale.frontend.tensor import Tensor


@dataclass(frozen=True)
class Entries:
    """A tensor as what is stored where; `format` is a format line or a name."""

    name: str
    format: str
    shape: tuple[int, ...]
    coordinates: tuple[Any, ...]
    """Per mode: the coordinates of the entries."""
    vals: Any

    def tensor(self) -> Tensor:
        """The entries in their format."""
        format = resolve_format(self.format, len(self.shape))
        return store(self.coordinates, self.vals, self.shape, format).check()

    def code(self) -> str:
        """Python that makes the tensor."""
        coordinates = ", ".join(f"np.array({c.tolist()}, dtype=int)" for c in self.coordinates)
        vals = f'np.array({self.vals.tolist()}, dtype="{self.vals.dtype}")'.replace("nan", "np.nan")
        comma = "," if len(self.coordinates) == 1 else ""
        return (
            f"{self.name} = store(({coordinates}{comma}), {vals.replace('inf', 'np.inf')}, "
            f"{self.shape}, tm.resolve_format({self.format!r}, {len(self.shape)}))"
        )


@dataclass(frozen=True)
class Case:
    """What a kernel is compiled from, and called with."""

    label: str
    statement: str
    operands: tuple[Entries, ...]
    out: str
    """The result's format."""
    sizes: Mapping[str, int] = field(default_factory=dict[str, int])
    """The size of every index variable."""
    assumed: Mapping[str, int] = field(default_factory=dict[str, int])
    """Sizes, and entries of operands, that the kernel is made for; it has to be right for any."""
    assembly: str | None = None
    """How the entries of a sparse result get their places; None: by the rule."""

    @cached_property
    def tensors(self) -> dict[str, Tensor]:
        return {operand.name: operand.tensor() for operand in self.operands}

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The result's dimension sizes."""
        return tuple(self.sizes[v] for v in parse_notation(self.statement).result.indices)

    @property
    def threads(self) -> int:
        """Workers share the loops of about half of all statements."""
        return 1 + 2 * (len(self.statement) % 2)

    def request(self, name: str = "kernel") -> Request:
        """
        The request for the kernel.

        Raises:
            TamaleError: the statement or a format is refused.
        """
        result = parse_notation(self.statement).result.tensor
        formats = {operand.name: operand.format for operand in self.operands}
        dtypes = {operand.name: operand.vals.dtype.name for operand in self.operands}
        formats[result] = self.out
        request = make_request(
            self.statement,
            formats,
            dtypes,
            name=name,
            assembly=self.assembly,
            threads=self.threads,
        )
        return with_statistics(request, *self._assumptions())

    def _assumptions(self) -> tuple[dict[str, int], dict[str, int]]:
        """The sizes and the entries that are assumed."""
        operands = [operand.name for operand in self.operands]
        entries = {name: number for name, number in self.assumed.items() if name in operands}
        return {v: n for v, n in self.assumed.items() if v not in operands}, entries

    def __str__(self) -> str:
        how = f"  result: {self.out}  {self.shape}, by {self.assembly or 'rule'}"
        lines = [self.label, f"  {self.statement}", how]
        lines += [
            f"  {o.name}: {o.format}  {o.shape} {o.vals.dtype} {len(o.vals)} entries"
            for o in self.operands
        ]
        return "\n".join(lines)

    def code(self) -> str:
        """A script that runs the case and checks what it gives."""
        names = ", ".join(f"{o.name}={o.name}" for o in self.operands)
        result = parse_notation(self.statement).result.tensor
        formats = {**{o.name: o.format for o in self.operands}, result: self.out}
        dtypes = {o.name: str(o.vals.dtype) for o in self.operands}
        assumed_sizes, assumed_entries = self._assumptions()
        return "\n".join(
            [
                "import numpy as np, tamale as tm",
                "from tamale.frontend.api import compile_typed",
                "from packing import store  # tests/differential",
                "from tamale.frontend.reference import evaluate_reference",
                *(operand.code() for operand in self.operands),
                f"kernel = compile_typed({self.statement!r}, {formats}, {dtypes}, "
                f"sizes={assumed_sizes}, entries={assumed_entries}, "
                f"assembly={self.assembly!r}, threads={self.threads})",
                f"reference = evaluate_reference(kernel.request.statement, dict({names}), "
                f"sizes={dict(self.sizes)})",
                f"result = kernel({names}, shape={self.shape})",
                "print(kernel.cfir, kernel.cpp, reference, result, sep='\\n')",
                "if isinstance(result, tm.Tensor) and not result.format.all_dense:",
                "    result.check()",
                "    print(result.entries(), result.levels)",
                "    stored = np.zeros(result.shape, bool)",
                "    stored[result.entries()[0]] = True",
                "    np.testing.assert_array_equal(stored, reference.structure)",
                "np.testing.assert_allclose(np.asarray(result), reference.values, 1e-4)",
            ]
        )


def without_entries(entries: Entries, keep: Any) -> Entries:
    """Only the entries that `keep`, a mask, selects."""
    coordinates = tuple(np.asarray(c)[keep] for c in entries.coordinates)
    return Entries(entries.name, entries.format, entries.shape, coordinates, entries.vals[keep])
