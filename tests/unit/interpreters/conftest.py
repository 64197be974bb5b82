"""Running a module at every stage of the compiler."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.interpreter import Interpreter

from tamale.frontend.tensor import Tensor
from tamale.interpreters.checking import structure_of
from tamale.interpreters.meant import MeantTensor
from tamale.interpreters.running import Outcome, ResultType, function_named, run_function
from tamale.interpreters.sampling import Sample, Style, sample
from tamale.passes import Pipeline


@dataclass
class Staged:
    """One function of one module, on one sample."""

    module: ModuleOp
    sample: Sample
    result: ResultType

    def run(self, listeners: Sequence[Interpreter.Listener] = ()) -> Outcome:
        """What the function computes as it is now."""
        return run_function(
            self.module,
            self.sample.operands,
            self.result,
            shape=self.sample.shape,
            listeners=listeners,
        )

    def stages(self) -> Iterator[str]:
        """The name of each pass of the road after it ran, `tin` first."""
        yield "tin"
        for pass_ in Pipeline("compute").steps(self.module):
            yield pass_.name


def _staged(module: ModuleOp, style: Style, seed: int = 1) -> Staged:
    function = function_named(module, None)
    result = ResultType.of(next(iter(function.function_type.outputs)))
    return Staged(module, sample(function, style, seed), result)


@pytest.fixture
def staged() -> Callable[..., Staged]:
    """Makes a `Staged` of a module, with operands in a style."""
    return _staged


def _dense(outcome: Outcome) -> Any:
    return outcome.values if isinstance(outcome, MeantTensor) else outcome.to_numpy()


def _entries(outcome: Outcome) -> Any:
    if isinstance(outcome, Tensor):
        return structure_of(outcome.check())
    return outcome.present


@pytest.fixture
def dense() -> Callable[[Outcome], Any]:
    """The values of an outcome."""
    return _dense


@pytest.fixture
def entries() -> Callable[[Outcome], Any]:
    """Where an outcome has entries."""
    return _entries


@pytest.fixture
def operands_of() -> Callable[[Staged], list[Any]]:
    """The operands of a sample as NumPy arrays."""
    return lambda staged: [np.asarray(o.to_numpy()) for o in staged.sample.operands]
