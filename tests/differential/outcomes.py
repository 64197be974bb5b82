"""What became of a case: right, refused with a documented reason, or a failure."""

from __future__ import annotations

import re
import traceback
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from cases import Case
from packing import is_packed

from tamale.dialects.errors import TamaleError
from tamale.frontend.kernel import Kernel
from tamale.frontend.reference import Reference, evaluate_reference
from tamale.frontend.tensor import Tensor
from tamale.passes.levels import is_padded

REFUSALS = (
    "no loop order fits every operand",
    "cannot be appended to below a sparse level",
    "would be scattered into by the loops",
    "may hold several entries at one coordinate",
    "at most [0-9]+ are merged at once",
    "takes [0-9]+ cases of code",
    "depends on whether a reduction has an entry",
    "cannot be assembled by count, scan and fill",
)
"""What the compiler may answer instead of compiling."""

FORM = re.compile(r"[a-z-]+: .*\n  help: ", re.DOTALL)
"""Who speaks first, help last."""

_TOLERANCES = {"float32": 2e-5, "complex64": 2e-5, "float64": 1e-11, "complex128": 1e-11}


@dataclass(frozen=True)
class Outcome:
    """The verdict on one case, and why."""

    verdict: Literal["right", "refused", "failed"]
    why: str = ""


def judge_error(error: Exception) -> Outcome:
    """A documented refusal, or a failure."""
    if isinstance(error, TamaleError) and FORM.match(str(error)):
        for reason in REFUSALS:
            if re.search(reason, str(error)):
                return Outcome("refused", reason)
    return Outcome("failed", "".join(traceback.format_exception(error)[-3:]))


def attempt(case: Case, kernel: Kernel) -> Outcome:
    """Runs a kernel and compares its result with the reference."""
    try:
        operands: dict[str, Any] = case.tensors
        result = kernel(shape=case.shape, **operands)
    except Exception as error:
        return judge_error(error)
    request = kernel.request
    reference = evaluate_reference(
        request.statement, case.tensors, dtype=request.dtype, sizes=case.sizes
    )
    nothing_summed = any(
        size == 0 for v, size in case.sizes.items() if v not in request.result.indices
    )
    if nothing_summed or _drops_zeros(kernel):
        reference = _with_entries_of(result, reference)
    try:
        difference = compare(result, reference, request.dtype)
    except TamaleError as error:
        difference = f"the result breaks its format: {error}"
    return Outcome("failed", difference) if difference else Outcome("right")


def _drops_zeros(kernel: Kernel) -> bool:
    """Whether a padded operand is converted: its zeros are then taken for padding."""
    padded = any(is_padded(operand.format) for operand in kernel.request.operands)
    return padded and "tin.convert" in str(kernel.stages.converted())


def _with_entries_of(result: Any, reference: Reference) -> Reference:
    """
    The reference, content with a result that lacks entries that are 0.

    A sum over nothing is 0, and whether that 0 is stored is left open.
    """
    if not isinstance(result, Tensor) or result.format.all_dense:
        return reference
    stored = np.zeros_like(reference.structure)
    stored[result.entries()[0]] = True
    missing = reference.structure & ~stored & (reference.values == 0)
    return Reference(reference.values, reference.structure & ~missing)


def compare(result: Any, reference: Reference, dtype: str) -> str:
    """What is wrong with a result; nothing if it is right."""
    found = np.asarray(result.check() if isinstance(result, Tensor) else result)
    if found.dtype != np.dtype(dtype) or found.shape != reference.values.shape:
        return f"got {found.dtype} {found.shape}, expected {dtype} {reference.values.shape}"
    if isinstance(result, Tensor) and not result.format.all_dense:
        problem = compare_structure(result.check(), reference)
        if problem:
            return problem
    if not are_close(found, reference.values):
        return f"wrong values: got\n{found}\nexpected\n{reference.values}"
    return ""


def are_close(found: Any, expected: Any) -> bool:
    """Equal for integers; for others, equal up to rounding in the size of the largest number."""
    if found.dtype.kind == "i":
        return bool(np.array_equal(found, expected))
    tolerance = _TOLERANCES[found.dtype.name]
    finite = np.abs(expected[np.isfinite(expected)])
    scale = max(1.0, float(finite.max(initial=0)))
    return bool(np.allclose(found, expected, tolerance, tolerance * scale, equal_nan=True))


def compare_structure(result: Tensor, reference: Reference) -> str:
    """
    Whether exactly the right coordinates are stored, each once where the format promises it, in
    fibers that are not empty; a padded format stores others as well, with the value 0.
    """
    columns, vals = result.entries()
    if is_padded(result.format):
        columns, vals = tuple(column[vals != 0] for column in columns), vals[vals != 0]
    places = np.stack([*columns, np.zeros(len(vals), np.int64)])
    stored = np.zeros(reference.structure.shape, np.bool_)
    stored[tuple(places[:-1])] = True
    if not result.format.may_repeat and len(np.unique(places, axis=1).T) != len(vals):
        return f"duplicates: {places[:-1].tolist()}"
    if is_padded(result.format):
        stored |= reference.structure & (reference.values == 0)
    if not np.array_equal(stored, reference.structure):
        return f"wrong structure: got\n{stored}\nexpected\n{reference.structure}"
    return _empty_fibers(result) if is_packed(result.format) else ""


def _empty_fibers(result: Tensor) -> str:
    """Coordinates below which nothing is stored."""
    places = np.stack([*result.coordinates(), np.zeros(result.nnz, np.int64)])
    for k, level in enumerate(result.levels):
        modes = [*result.format.mode_order[: k + 1], -1]
        prefixes = np.unique(places[modes], axis=1).shape[1]
        unique = result.format.properties(k).unique
        if unique and "crd" in level and len(level["crd"]) != prefixes:
            return f"empty fibers: level {k + 1} has {len(level['crd'])} of {prefixes} coordinates"
    return ""
