"""
Running a module before and after each pass: the first pass that changes a result is named.

A checker keeps, for every function and sample, what the function computed last; after a pass it
runs the function again and compares values, structure and status.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp, TensorType

from tamale.dialects.errors import KernelError
from tamale.frontend.tensor import Tensor
from tamale.interpreters.meant import MeantTensor
from tamale.interpreters.running import Outcome, ResultType, run_function
from tamale.interpreters.sampling import STYLES, Sample, sample
from tamale.passes.levels import is_padded


@dataclass(frozen=True)
class Computed:
    """What a run gave: values, and which entries are stored if that is decided; or a status."""

    values: NDArray[Any] | None = None
    structure: NDArray[np.bool_] | None = None
    status: str = ""

    def differs(self, other: Computed) -> bool:
        """Whether these are not two results of one computation."""
        if self.values is None or other.values is None:
            return self.status != other.status
        if self.values.shape != other.values.shape or not self._close(other.values):
            return True
        both = self.structure is not None and other.structure is not None
        return both and not np.array_equal(self.structure, other.structure)  # pyright: ignore[reportArgumentType]

    def _close(self, others: NDArray[Any]) -> bool:
        assert self.values is not None
        exact = self.values.dtype.kind in "iu"
        relative = 1e-4 if self.values.dtype.name in ("float32", "complex64") else 1e-9
        if exact:
            return np.array_equal(self.values, others)
        return np.allclose(self.values, others, rtol=relative, atol=relative, equal_nan=True)

    def __str__(self) -> str:
        if self.values is None:
            return self.status
        if self.structure is None:
            return str(self.values)
        return f"{self.values}\nwith entries at {np.argwhere(self.structure).tolist()}"


@dataclass(frozen=True)
class Difference:
    """A pass has changed what a function computes."""

    pass_name: str
    function: str
    names: tuple[str, ...]
    sample: Sample
    before: Computed
    after: Computed
    module: str
    """The module before the pass."""

    def __str__(self) -> str:
        inputs = [
            f"  {name}, {operand!r}:\n{_indented(str(operand.to_numpy()))}"
            for name, operand in zip(self.names, self.sample.operands, strict=True)
        ]
        return "\n".join(
            [
                f"{self.pass_name} changes what @{self.function} computes.",
                *inputs,
                "  before the pass:",
                _indented(str(self.before)),
                "  after the pass:",
                _indented(str(self.after)),
            ]
        )


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


@dataclass
class _Case:
    """One function on one sample."""

    function: str
    names: tuple[str, ...]
    result: ResultType
    sample: Sample
    last: Computed

    def run(self, module: ModuleOp) -> Computed:
        """What the function computes now."""
        try:
            outcome = run_function(
                module,
                self.sample.operands,
                self.result,
                shape=self.sample.shape,
                name=self.function,
            )
            return computed(outcome)
        except Exception as error:  # Wrong IR may break an interpreter in any way: that is news.
            summary = str(error).split("\n", 1)[0]
            return Computed(status=f"{type(error).__name__}: {summary}")


def computed(outcome: Outcome) -> Computed:
    """The values of an outcome, and its structure where that is decided."""
    if isinstance(outcome, MeantTensor):
        padded = outcome.format.all_dense or is_padded(outcome.format)
        told = outcome.decided and not padded
        return Computed(outcome.values, outcome.present if told else None)
    outcome.check()
    return Computed(outcome.to_numpy(), structure_of(outcome))


def structure_of(tensor: Tensor) -> NDArray[np.bool_] | None:
    """Where a tensor has entries; None if padding cannot be told from them."""
    if tensor.format.all_dense or is_padded(tensor.format):
        return None
    structure = np.zeros(tensor.shape, np.bool_)
    structure[tensor.entries()[0]] = True
    return structure


class PassChecker:
    """Follows one module through its passes."""

    def __init__(self, module: ModuleOp, *, seed: int = 0, samples: int = len(STYLES)) -> None:
        self.skipped: list[str] = []
        """Why functions are not checked."""
        self._cases: list[_Case] = []
        for function in module.walk():
            if isinstance(function, func.FuncOp) and not function.is_declaration:
                self._add(module, function, seed, samples)
        self._text = str(module)

    @property
    def runs(self) -> int:
        """How many times the module is run after each pass."""
        return len(self._cases)

    def _add(self, module: ModuleOp, function: func.FuncOp, seed: int, samples: int) -> None:
        name = function.sym_name.data
        inputs, outputs = function.function_type.inputs, function.function_type.outputs
        if len(outputs) != 1 or not all(isinstance(t, TensorType) for t in (*inputs, *outputs)):
            self.skipped.append(f"@{name} does not take tensors and return one")
            return
        result = ResultType.of(next(iter(outputs)))
        names = tuple(a.name_hint or f"#{k}" for k, a in enumerate(function.body.block.args))
        for number in range(samples):
            style = STYLES[number % len(STYLES)]
            case = _Case(name, names, result, sample(function, style, seed + number), Computed())
            case.last = case.run(module)
            if case.last.status and not case.last.status.startswith(KernelError.__name__):
                self.skipped.append(f"@{name} cannot be run: {case.last.status}")
                return
            self._cases.append(case)

    def after(self, pass_name: str, module: ModuleOp) -> Difference | None:
        """The first difference that a pass has made; None if it has made none."""
        for case in self._cases:
            now = case.run(module)
            if now.differs(case.last):
                return Difference(
                    pass_name, case.function, case.names, case.sample, case.last, now, self._text
                )
            case.last = now if case.last.structure is None else case.last
        self._text = str(module)
        return None
