"""Which tensors a kernel converts, in words: why, and how."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from tamale.dialects import tin
from tamale.dialects.format.attribute import format_of
from tamale.passes.conversion.plan import plan_conversion
from tamale.passes.conversion.remarks import conversion_remarks
from tamale.passes.insert_conversions import read_conversions

OpT = TypeVar("OpT", bound=Operation)


def last_op(module: ModuleOp, kind: type[OpT]) -> OpT:
    """The last op of a kind that a module has."""
    return [op for op in module.walk() if isinstance(op, kind)][-1]


def conversion_lines(
    kernel: tin.KernelOp, inserted: Sequence[tin.ConvertOp], threads: int
) -> list[str]:
    """
    The conversions that were put around a kernel, after the reason for the first of them; for so
    many workers.
    """
    lines = list(_reason(kernel)) if inserted else []
    for op in inserted:
        plan = plan_conversion(format_of(op.source), format_of(op.result), threads)
        first, *steps = conversion_remarks(plan)
        lines += [f"{_name(op.source)} to {_name(op.result)}: {first}", *steps]
    return lines


def _reason(kernel: tin.KernelOp) -> Iterator[str]:
    """What the compiler would say if nothing could be converted, without its help."""
    reader, _, conversions = read_conversions(kernel)
    if conversions.refusal is None:
        return
    facts, _, _ = conversions.refusal.partition("\n  help: ")
    first, *rest = reader.in_written_names(facts).split("\n")
    yield f"needed: {first.removeprefix('concretize: ')}"
    yield from rest


def _name(tensor: SSAValue) -> str:
    return tensor.name_hint or "a tensor"
