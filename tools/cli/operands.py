"""The operands of `tamale run`: read from files, or made up to fit those."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tamale.dialects.errors import FormatError, KernelError, TamaleError
from tamale.dialects.format.named import resolve_format
from tamale.dialects.notation.ast import Access, to_text
from tamale.frontend.dtypes import element_type
from tamale.frontend.entries import from_entries
from tamale.frontend.files import read
from tamale.frontend.interop import tensor
from tamale.frontend.libraries.dense import from_numpy
from tamale.frontend.request import Operand, Request
from tamale.frontend.tensor import Tensor
from tamale.tools.cli.made_up import Maker, add_made_up, parse_shares
from tamale.tools.cli.progress import progress
from tamale.tools.cli.sizes import add_size, parse_sizes

_INPUT = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*[=:](.+)", re.DOTALL)


def add_operands(parser: ArgumentParser) -> None:
    """The arguments that say where operands come from."""
    add_inputs(parser)
    add_size(parser, "size of an index variable that no file tells; may be repeated")


def add_inputs(parser: ArgumentParser) -> None:
    """The arguments that say what operands are, whatever says how large they are."""
    parser.add_argument(
        "-i",
        "--input",
        action="append",
        default=[],
        metavar="T=FILE",
        help="read tensor T (.mtx .tns .npz ..., see docs/files.md); all others are ones; may be "
        "repeated",
    )
    add_made_up(parser)


@dataclass(frozen=True)
class Operands:
    """Every operand of a request, and the sizes of its index variables as far as they are known."""

    tensors: Mapping[str, Tensor]
    sizes: Mapping[str, int]


def make_operands(arguments: Namespace, request: Request, formats: Mapping[str, str]) -> Operands:
    """
    Reads the operands that have a file and makes up the others.

    Raises:
        TamaleError: a flag or file cannot be read, a tensor does not fit, or a size is not known.
    """
    files, sizes = parse_inputs(arguments.input, request), parse_sizes(arguments.size, request)
    tensors: dict[str, Tensor] = {}
    for operand in request.operands:
        if operand.name in files:
            path, format = files[operand.name], formats.get(operand.name)
            with progress(f"reading {path}") as tell:
                found = tensor(read(path, progress=tell))
                tensors[operand.name] = fitted(operand, found, path, format, arguments.dtype)
    for access in request.uses:
        if access.tensor in tensors:
            note_sizes(access, tensors[access.tensor].shape, sizes, request)
    shares = parse_shares(arguments.fill, request)
    maker = Maker(request, sizes, shares, arguments.dtype or "float64", arguments.seed)
    for operand in request.operands:
        if operand.name not in tensors:
            tensors[operand.name] = maker.make(operand)
    return Operands(tensors, sizes)


def parse_inputs(flags: Sequence[str], request: Request) -> dict[str, Path]:
    """Operand -> file, from `A=A.mtx` or taco's `A:A.mtx`."""
    names = [operand.name for operand in request.operands]
    files: dict[str, Path] = {}
    for flag in flags:
        found = _INPUT.fullmatch(flag)
        if found is None:
            raise TamaleError(
                f"input flag: expected a tensor name, '=' and a file, in  -i {flag}\n"
                "  help: write A=A.mtx"
            )
        if found[1] not in names:
            raise TamaleError(
                f"input flag: '{found[1]}' names no operand of  {request.source}\n"
                f"  help: its operands are {', '.join(names) or 'none'}"
            )
        if found[1] in files:
            raise TamaleError(f"input flag: {found[1]} is given two files")
        files[found[1]] = Path(found[2].strip())
    return files


def note_sizes(
    access: Access, shape: Sequence[int], sizes: dict[str, int], request: Request
) -> None:
    """Adds what a tensor's shape says about its index variables."""
    for variable, size in zip(access.indices, shape, strict=True):
        if sizes.setdefault(variable, size) != size:
            raise KernelError(
                f"run: '{variable}' has size {sizes[variable]} elsewhere and {size} in "
                f"{to_text(access)}, in  {request.source}"
            )


def fitted(
    operand: Operand, found: Tensor, path: Path, format: str | None, dtype: str | None
) -> Tensor:
    """
    A tensor from a file, stored as asked for; a matrix of one column may be a vector.

    Raises:
        TamaleError: the tensor does not fit.
    """
    order = len(operand.indices)
    if order == 1 and found.order == 2 and found.shape[1] == 1:
        found = _column(found)
    if found.order != order:
        shape = " x ".join(map(str, found.shape)) or "a number"
        raise KernelError(
            f"run: {operand.name} is used with order {order}, but '{path}' has order {found.order} "
            f"({shape})"
        )
    if dtype is not None:
        found = with_dtype(found, dtype, path, "run")
    return found if format is None else found.to_format(resolve_format(format, order))


def _column(matrix: Tensor) -> Tensor:
    """A matrix of one column as a vector."""
    if matrix.format.all_dense:
        return from_numpy(matrix.to_numpy()[:, 0])
    coordinates, vals = matrix.nonzeros()
    return from_entries(coordinates[:1], vals, matrix.shape[:1], resolve_format("csf", 1))


def with_dtype(tensor: Tensor, dtype: str, path: Path, who: str) -> Tensor:
    """
    The tensor of a file with another element type.

    Raises:
        TamaleError: the type is not supported, or its values do not fit.
    """
    wanted = element_type(dtype, who)
    if not np.can_cast(tensor.dtype, wanted, "same_kind"):
        raise FormatError(f"{who}: '{path}' holds {tensor.dtype} values, which do not fit {wanted}")
    return Tensor(tensor.format, tensor.shape, tensor.levels, tensor.vals.astype(wanted))
