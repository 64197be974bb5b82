"""
Which tensors the sizes and arrays of a lowered function are, and which formats have such arrays.

`lower-levels` names them `A_dim1`, `A2_pos`, `A_vals`; ARCHITECTURE.md, "The C interface".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute

from tamale.dialects.errors import FormatError, TamaleError
from tamale.dialects.format.named import NAMED_FORMATS
from tamale.dialects.format.spec import Format
from tamale.passes.lowering.storage import array_element, level_arrays

_DIM = re.compile(r"(?P<tensor>\w+)_dim(?P<mode>\d+)")
_VALS = re.compile(r"(?P<tensor>\w+)_vals")
_LEVEL_ARRAY = re.compile(r"\d+_[a-z]+")


@dataclass
class TensorParameters:
    """The arguments that one tensor has become: sizes, level arrays, values."""

    name: str
    order: int = 0
    arrays: tuple[str, ...] = ()
    """Level arrays as messages show them, without the tensor's name: `2_pos of i32`."""
    element: Attribute | None = None
    """The type of the values; none if there is no argument for them."""


def arrays_of(format: Format) -> tuple[str, ...]:
    """The level arrays of a format, as `TensorParameters` has them."""
    return tuple(
        f"{k + 1}_{array} of {array_element(format, k, array)}"
        for k, array in level_arrays(format)
    )


def array_types_of(format: Format) -> tuple[str, ...]:
    """The types of the elements of a format's level arrays."""
    return tuple(f"{array_element(format, k, array)}" for k, array in level_arrays(format))


def plain_formats(order: int) -> dict[str, Format]:
    """The named formats for tensors of `order` that need no argument."""
    found: dict[str, Format] = {}
    for name, entry in NAMED_FORMATS.items():
        try:
            found[name] = entry.build(order, ())
        except FormatError:
            continue
    return found


def parameters_of(function: func.FuncOp) -> list[TensorParameters]:
    """
    The tensors behind the arguments of a function that takes arrays, in order.

    Raises:
        TamaleError: an argument is not called as sizes and arrays of tensors are.
    """
    found: list[TensorParameters] = []
    for number, argument in enumerate(function.body.block.args):
        hint = argument.name_hint or f"#{number}"
        if not _add_argument(found, hint, argument.type):
            raise TamaleError(
                f"interpret: argument {hint} of @{function.sym_name.data} belongs to no tensor\n"
                "  help: sizes and arrays are known by the names that lower-levels gives them, "
                "A_dim1, A2_pos, A_vals; other tools may drop these"
            )
    return found


def _add_argument(found: list[TensorParameters], hint: str, type: Attribute) -> bool:
    """Adds an argument to the last tensor, or begins the next; False if it belongs to none."""
    if dim := _DIM.fullmatch(hint):
        return _add_size(found, dim["tensor"], int(dim["mode"]))
    if not isinstance(type, MemRefType):
        return False
    element = cast("MemRefType[Attribute]", type).element_type
    if vals := _VALS.fullmatch(hint):
        if not found or found[-1].name != vals["tensor"]:
            found.append(TensorParameters(vals["tensor"]))
        found[-1].element = element
        return True
    if not found or not _LEVEL_ARRAY.fullmatch(hint.removeprefix(found[-1].name)):
        return False
    found[-1].arrays += (f"{hint.removeprefix(found[-1].name)} of {element}",)
    return True


def _add_size(found: list[TensorParameters], tensor: str, mode: int) -> bool:
    if mode == 1:
        found.append(TensorParameters(tensor))
    last = found[-1] if found else None
    if last is None or (last.name, last.order) != (tensor, mode - 1):
        return False
    last.order = mode
    return True
