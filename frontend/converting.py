"""Conversions between formats: generated once per pair and element type, kept on disk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from tamale.backends.cpp.status import OK
from tamale.backends.jit.build import Build
from tamale.backends.jit.library import NativeKernel
from tamale.backends.jit.native import native_kernel
from tamale.dialects.errors import FormatError
from tamale.dialects.format.selection import Selection
from tamale.dialects.format.spec import Format
from tamale.dialects.lazy import load as load_lazily
from tamale.frontend.dtypes import type_name
from tamale.frontend.naming import shown
from tamale.frontend.request import outside_kinds
from tamale.frontend.results import ResultPlan
from tamale.frontend.signature import array_types
from tamale.frontend.tensor import Tensor

if TYPE_CHECKING:
    from tamale.frontend.conversion_stages import ConversionStages

NAME = "convert"
"""The name of the generated function."""


@dataclass(frozen=True)
class Conversion:
    """A compiled conversion; call it with a tensor of the source format."""

    source: Format
    target: Format
    dtype: str
    where: Selection | None = None
    """Which entries are taken, over the source's modes; None: all."""
    threads: int = 1
    """How many workers share the loops, where they can; the result is that of one."""

    def __str__(self) -> str:
        pair = f"{shown(self.source)} to {shown(self.target)}"
        return pair if self.where is None else f"{pair} where {self.where}"

    @cached_property
    def stages(self) -> ConversionStages:
        """The conversion at every level of the compiler."""
        stages = load_lazily("tamale.frontend.conversion_stages:ConversionStages")
        return stages(self.source, self.target, self.dtype, self.where, self.threads)

    @property
    def cpp(self) -> str:
        """The C++ that is compiled."""
        return self.stages.cpp

    def explain(self) -> str:
        """Which statistics are taken, which passes are made, and why."""
        return self.stages.explain()

    @property
    def key_parts(self) -> tuple[str, ...]:
        """The texts that the code depends on."""
        formats = (self.source, self.target)
        shared = () if self.threads == 1 else (f"{self.threads} threads",)
        texts = (*map(str, formats), self.dtype, str(self.where), *shared)
        return (NAME, *texts, *outside_kinds(formats))

    @cached_property
    def native(self) -> NativeKernel:
        """The loaded function; compiles it if no cache has it."""

        def make() -> Build:
            return Build(self.cpp, {"source": f"convert {self}"})

        parameters = list(self._parameters())
        return native_kernel(self.key_parts, make, NAME, parameters, parallel=self.threads > 1)

    @cached_property
    def _result(self) -> ResultPlan:
        free = self.native.free
        assert free is not None
        return ResultPlan(self.target, np.dtype(self.dtype), free)

    def _parameters(self) -> Iterator[str]:
        yield from array_types(self.source, self.dtype, "const {} *")
        yield from array_types(self.target, self.dtype, "{} **")[self.target.order :]

    def __call__(self, tensor: Tensor) -> Tensor:
        """
        The tensor in the target format.

        Raises:
            FormatError: the tensor is not of the source format and element type, or too large for
                the Morton codes of the target.
            KernelError: the result does not fit into memory or its index types, or the format
                cannot hold one of the entries.
        """
        alike = tensor.format.canonical() == self.source.canonical()
        if not alike or type_name(tensor.dtype) != self.dtype:
            raise FormatError(
                f"convert {self}: expected {self.dtype} in {shown(self.source)}, got "
                f"{tensor.dtype} in {shown(tensor.format)}"
            )
        result = self._result
        result.check(tensor.shape)
        places = result.places()
        status = self.native.call(*tensor.arguments, *places)
        if status != OK:
            failure = load_lazily("tamale.frontend.conversion_errors:conversion_error")
            where = self.where and self.where.renamed(self.source.modes, tensor.format.modes)
            raise failure(status, tensor, self.target, where)
        return result.collect(tensor.shape, places)


@lru_cache(maxsize=4096)
def conversion(
    source: Format, target: Format, dtype: str, where: Selection | None = None, threads: int = 1
) -> Conversion:
    """The conversion between two formats, one object for each that differs in any of these."""
    return Conversion(source, target, dtype, where, threads)


def convert(tensor: Tensor, target: Format, threads: int = 1) -> Tensor:
    """
    A tensor in another format, made by so many workers; the tensor itself if its format means the
    same.

    Raises:
        FormatError: the formats cannot be converted into each other.
        KernelError: the result does not fit, see `Conversion`.
    """
    if target.order != tensor.order:
        raise FormatError(f"convert: {shown(target)} does not fit a tensor of order {tensor.order}")
    if target.canonical() == tensor.format.canonical():
        return tensor
    return conversion(tensor.format, target, type_name(tensor.dtype), None, threads)(tensor)
