"""Operands that no file gives, made up to fit those that are read: ones, or random entries."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np

from tamale.dialects.errors import KernelError, TamaleError
from tamale.dialects.format.named import dense_format
from tamale.dialects.notation.ast import Access, to_text
from tamale.frontend.dtypes import element_type
from tamale.frontend.entries import from_entries
from tamale.frontend.libraries.dense import from_numpy
from tamale.frontend.request import Operand, Request
from tamale.frontend.tensor import Tensor

_SHARE = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*=\s*([0-9]*\.?[0-9]+(?:e-?[0-9]+)?)\s*")


def add_made_up(parser: ArgumentParser) -> None:
    """The arguments about operands without a file."""
    parser.add_argument(
        "--seed", type=int, help="random values instead of ones, the same for the same seed"
    )
    parser.add_argument(
        "--fill",
        action="append",
        default=[],
        metavar="T=SHARE",
        help="random values at about this share of the coordinates of T, which no file gives: "
        "A=0.01; at all for 1; may be repeated",
    )


def parse_shares(flags: Sequence[str], request: Request) -> dict[str, float]:
    """
    Operand -> share of its coordinates with an entry, from `A=0.01`.

    Raises:
        TamaleError: a flag cannot be read, names no operand, or asks for more than all.
    """
    names = [operand.name for operand in request.operands]
    shares: dict[str, float] = {}
    for flag in flags:
        found = _SHARE.fullmatch(flag)
        if found is None or not 0 <= float(found[2]) <= 1:
            raise TamaleError(
                "fill flag: expected an operand, '=' and a share of its coordinates from 0 to 1, "
                f"in  --fill {flag}\n  help: write A=0.01"
            )
        if found[1] not in names:
            raise TamaleError(
                f"fill flag: '{found[1]}' names no operand of  {request.source}\n"
                f"  help: its operands are {', '.join(names) or 'none'}"
            )
        shares[found[1]] = float(found[2])
    return shares


class Maker:
    """Makes operands that no file gives."""

    def __init__(
        self,
        request: Request,
        sizes: Mapping[str, int],
        shares: Mapping[str, float],
        dtype: str,
        seed: int | None,
    ) -> None:
        self.request, self.sizes, self.shares = request, sizes, shares
        self.dtype, self.seeded = np.dtype(element_type(dtype, "run")), seed is not None
        self.random = np.random.default_rng(abs(seed or 0))

    def make(self, operand: Operand) -> Tensor:
        """
        An operand with a value at every coordinate, or at a share of them.

        Raises:
            KernelError: the size of one of its index variables is not known.
        """
        for variable in operand.indices:
            if variable not in self.sizes:
                access = to_text(Access(operand.name, operand.indices))
                raise KernelError(
                    f"run: no file tells the size of '{variable}' in {access}, in  "
                    f"{self.request.source}\n"
                    f"  help: read a tensor with '{variable}' by -i, or give --size {variable}=100"
                )
        shape = [self.sizes[variable] for variable in operand.indices]
        share = self.shares.get(operand.name)
        if share is not None and share < 1 and shape:
            return self._scattered(shape, share, operand)
        values = self._values(shape) if share or self.seeded else np.ones(shape, self.dtype)
        return from_numpy(values, dense_format(len(shape))).to_format(operand.format)

    def _scattered(self, shape: Sequence[int], share: float, operand: Operand) -> Tensor:
        """Entries at random coordinates, each at most once."""
        count = round(share * prod(shape))
        drawn = np.array([self.random.integers(0, max(size, 1), count) for size in shape])
        coordinates = np.unique(drawn, axis=1)
        vals = self._values([coordinates.shape[1]])
        return from_entries(list(coordinates), vals, shape, operand.format)

    def _values(self, shape: Sequence[int]) -> Any:
        if self.dtype.kind == "i":
            return self.random.integers(0, 10, shape).astype(self.dtype)
        values = np.asarray(self.random.random(shape))
        if self.dtype.kind == "c":
            values = values + 1j * self.random.random(shape)
        return values.astype(self.dtype)
