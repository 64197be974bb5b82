"""Tensors as tin knows them: a value at every coordinate, and where there is an entry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute

from tamale.dialects.format.attribute import tensor_format
from tamale.dialects.format.spec import Format
from tamale.interpreters.remapping import Remapper
from tamale.passes.levels import is_padded


@dataclass(frozen=True)
class MeantTensor:
    """A tensor whose format says how it is to be stored, though nothing has been stored yet."""

    format: Format
    values: NDArray[Any]
    present: NDArray[np.bool_]
    decided: bool = True
    """Whether `present` is what every way to compute the tensor gives."""

    @classmethod
    def undecided(cls, type: Attribute, values: NDArray[Any]) -> MeantTensor:
        """A tensor of which nobody has said where it has entries."""
        format = tensor_format(cast("TensorType[Attribute]", type))
        return cls(format, values, values != 0, decided=False)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.values.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        return self.values.dtype

    def nonzeros(self) -> list[tuple[tuple[int, ...], Any]]:
        """
        Coordinates and value of every entry in the order in which the format stores them; where it
        pads, of those that are not zero.
        """
        chosen = self.present & (self.values != 0) if is_padded(self.format) else self.present
        remapper = Remapper.to_levels(self.format)
        places = sorted(map(tuple, np.argwhere(chosen).tolist()), key=remapper.next)
        return [(place, self.values[place]) for place in places]
