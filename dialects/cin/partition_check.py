"""What the verifiers of kernels ask of a partition."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.cin.kernel_like import KernelLike
from tamale.dialects.cin.partition import CutLoop
from tamale.dialects.cin.sets import Stored, leaves, set_text
from tamale.dialects.level_variables import level_variables
from tamale.dialects.operators import declared_operators, operator_named


def lies_along(levels: Sequence[str], loops: Sequence[str]) -> bool:
    """Whether a tensor's outermost levels are those of the innermost of the loops, in order."""
    return tuple(levels) == tuple(loops[-len(levels) :])


def verify_partition(op: KernelLike) -> None:
    """There are parts, the loops are the kernel's, and their work can be counted."""
    if op.partition is None:
        return
    partition = op.partition.data
    if partition.parts < 1:
        raise VerifyException(f"{op.name}: partitioned into {partition.parts} parts")
    if partition.combined is not None:
        _verify_operator(op, partition.combined)
    bound = {
        inner.properties["index_var"]
        for inner in op.body.walk()
        if inner.regions and "index_var" in inner.properties
    }
    variables = tuple(loop.variable for loop in partition.measured)
    for k, loop in enumerate(partition.measured):
        outer = variables[: k + 1]
        if StringAttr(loop.variable) not in bound or loop.variable in outer[:-1]:
            raise VerifyException(f"{op.name}: '{loop.variable}' is no loop that can be cut here")
        for leaf in leaves(loop.domain):
            if leaf.variable == loop.variable:
                _verify_leaf(op, loop, leaf, outer)
    if partition.along is not None:
        _verify_along(op, partition.along, variables)


def _verify_operator(op: KernelLike, name: str) -> None:
    known = name in declared_operators()
    if not known or operator_named(name).reduction_identity is None:
        raise VerifyException(f"{op.name}: partial results cannot be combined by '{name}'")


def _verify_along(op: KernelLike, name: str, variables: Sequence[str]) -> None:
    access = op.read_accesses.get(name)
    levels = () if access is None else level_variables(access, op.formats[name])
    if levels[:1] != tuple(variables[:1]):
        raise VerifyException(
            f"{op.name}: '{name}' is no operand whose outermost level the loop of "
            f"{variables[0]} walks, so that nothing is met along it"
        )


def _verify_leaf(op: KernelLike, loop: CutLoop, leaf: Stored, outer: Sequence[str]) -> None:
    access = op.read_accesses.get(leaf.access)
    levels = () if access is None else level_variables(access, op.formats[leaf.access])
    if leaf.variable not in levels:
        raise VerifyException(f"{op.name}: '{set_text(leaf)}' is no level of an operand")
    if not lies_along(levels[: levels.index(leaf.variable) + 1], outer):
        raise VerifyException(
            f"{op.name}: what '{set_text(leaf)}' has before a coordinate of '{loop.variable}' "
            f"cannot be counted along the loops {', '.join(outer)}"
        )
