"""Kernels: compiled once, kept on disk, called with tensors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tamale.backends.jit.build import Build, Built, build
from tamale.backends.jit.library import NativeKernel
from tamale.backends.jit.native import loaded
from tamale.dialects.format.statistics import Statistics
from tamale.dialects.lazy import load as load_lazily
from tamale.frontend.calling import CallPlan
from tamale.frontend.finite import require_finite
from tamale.frontend.request import Request
from tamale.frontend.scheduling import Rescheduling
from tamale.frontend.signature import array_types
from tamale.frontend.statistics import known_of, worth_a_choice

if TYPE_CHECKING:
    from tamale.frontend.stages import Stages


@dataclass(frozen=True)
class Kernel:
    """
    A compiled statement.

    Call it with its operands by name: tensors, NumPy arrays, SciPy arrays or numbers. The result
    is a NumPy array where its format is dense, else a `Tensor`.
    """

    request: Request

    def __repr__(self) -> str:
        return f"Kernel({self.request.source!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process loads its own code."""
        return Kernel, (self.request,)

    # What it is made of

    @cached_property
    def stages(self) -> Stages:
        """The kernel at every level of the compiler."""
        return load_lazily("tamale.frontend.stages:Stages")(self.request)

    @property
    def tin(self) -> str:
        """What is computed."""
        return self.stages.text("tin")

    @property
    def cin(self) -> str:
        """In which loops."""
        return self.stages.text("cin")

    @property
    def ocin(self) -> str:
        """What is iterated and what located."""
        return self.stages.text("ocin")

    @property
    def cfir(self) -> str:
        """With which cases."""
        return self.stages.text("cfir")

    @property
    def mlir(self) -> str:
        """The last form: upstream MLIR."""
        return self.stages.text("mlir")

    @property
    def cpp(self) -> str:
        """The C++ that is compiled."""
        return self.stages.cpp

    def explain(self) -> str:
        """Why this loop order, what is iterated, what located, how the result is assembled."""
        return self.stages.explain()

    # Schedules

    @property
    def schedule(self) -> Rescheduling[Kernel]:
        """
        What was asked for about loops. Its methods return kernels of the same statement under
        another schedule: `kernel.schedule.reorder("i", "k", "j")`.
        """
        return Rescheduling(self.request, Kernel.compiled)

    @classmethod
    def compiled(cls, request: Request) -> Kernel:
        """The kernel of a request, whose refusal comes now and not with the first call."""
        kernel = cls(request)
        _ = kernel.native
        return kernel

    # Calls

    @cached_property
    def built(self) -> Built:
        """The library and its source on disk; compiles them if no cache has them."""
        request = self.request

        def make() -> Build:
            return Build(self.cpp, {"source": request.source})

        return build(
            request.key_parts,
            make,
            shared=request.has_choices,
            parallel=request.threads > 1,
        )

    @cached_property
    def native(self) -> NativeKernel:
        """The loaded function."""
        return loaded(self.built, self.request.name, self.parameters())

    def parameters(self) -> list[str]:
        """The C types of the arguments, in the documented order."""
        parameters: list[str] = []
        for operand in self.request.operands:
            parameters += array_types(operand.format, operand.dtype, "const {} *")
        result = self.request.result_format
        out = "{} *" if result.all_dense else "{} **"
        return parameters + array_types(result, self.request.dtype, out)

    @cached_property
    def _plan(self) -> CallPlan:
        """All that a call needs, looked up once."""
        return CallPlan(self.request, self.native)

    @cached_property
    def _adapts(self) -> bool:
        """Whether the sizes of operands decide which code runs."""
        return self.request.has_choices and not self.request.statistics

    @cached_property
    def _fitted(self) -> dict[tuple[Statistics, ...], Kernel]:
        """Sizes of operands, rounded -> the kernel for them."""
        return {}

    def fitted(self, **operands: Any) -> Kernel:
        """
        The kernel that a call with these operands runs.

        It is the kernel itself unless something in its schedule depends on sizes: the order of the
        loops, what is computed first, what is converted, how entries of a row are found again.
        """
        return self._fit(operands) if self._adapts else self

    def _fit(self, operands: Mapping[str, Any]) -> Kernel:
        """As `fitted`, of a kernel that adapts."""
        known = known_of(self.request, operands)
        kernel = self._fitted.get(known)
        if kernel is None:
            statistics = worth_a_choice(self.request, known)
            kernel = Kernel(replace(self.request, statistics=statistics)) if statistics else self
            self._fitted[known] = kernel
        return kernel

    def __call__(
        self,
        *,
        out: Any = None,
        shape: Sequence[int] | None = None,
        check_finite: bool = False,
        **operands: Any,
    ) -> Any:
        """
        Computes the result.

        Args:
            out: a NumPy array to write a dense result into, instead of a new one.
            shape: the result's dimension sizes; needed only for index variables that no operand
                has.
            check_finite: whether to refuse dense operands that hold a NaN or an infinity, which
                would be lost where another operand of a product has no entry.
            operands: every tensor on the right of the statement by its name.

        Raises:
            KernelError: an operand is missing, unknown, or of the wrong type, order or size, or the
                kernel ran out of memory.
            FormatError: an operand's arrays break the promises of its format.
        """
        return self.run(operands, out, shape, check_finite=check_finite)

    def run(
        self,
        operands: Mapping[str, Any],
        out: Any,
        shape: Sequence[int] | None = None,
        *,
        check_finite: bool = False,
    ) -> Any:
        """As a call."""
        if check_finite:
            require_finite(operands, self.request.source)
        kernel = self._fit(operands) if self._adapts else self
        return kernel._plan.run(operands, out, shape)
