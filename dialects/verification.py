"""Verification of whole modules: what xDSL checks, dominance, and the place of the failure."""

from __future__ import annotations

from typing import NoReturn

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl.dominance import DominanceInfo
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.locations import locate


def verify_module(module: ModuleOp) -> None:
    """
    Checks every op of `module`, and that every value is defined before it is used.

    Raises:
        VerifyException: located at the op that is wrong. xDSL's note with the whole module is
            dropped: the place says more.
    """
    try:
        module.verify()
    except VerifyException as error:
        error.__notes__ = []
        raise locate(error, _culprit(module)) from None
    verify_dominance(module)


def _culprit(module: ModuleOp) -> Operation:
    """The innermost op that fails by itself; `module` if none does."""
    for op in module.walk(region_first=True):
        try:
            op.verify(verify_nested_ops=False)
        except VerifyException:
            return op
    return module


def verify_dominance(op: Operation, visible: frozenset[SSAValue] | set[SSAValue] = frozenset()):
    """
    Checks the order of definitions and uses inside `op`, which xDSL does not.

    Args:
        op: any op; its own operands are not looked at.
        visible: values defined outside that the regions of `op` may use.

    Raises:
        VerifyException: located at the first op with an operand that is not defined before it.
    """
    isolated = op.has_trait(IsolatedFromAbove, value_if_unregistered=False)
    outer: set[SSAValue] = set() if isolated else set(visible)
    for region in op.regions:
        _verify_region(region, outer)


def _verify_region(region: Region, outer: set[SSAValue]) -> None:
    blocks = list(region.blocks)
    if len(blocks) == 1:
        _verify_block(blocks[0], outer | set(blocks[0].args))
        return
    info = DominanceInfo(region)
    defined = {b: {*b.args, *(r for op in b.ops for r in op.results)} for b in blocks}
    for block in blocks:
        above = [defined[b] for b in blocks if info.strictly_dominates(b, block)]
        _verify_block(block, outer.union(block.args, *above))


def _verify_block(block: Block, visible: set[SSAValue]) -> None:
    for op in block.ops:
        for position, operand in enumerate(op.operands):
            if operand not in visible:
                _reject(op, position, operand)
        if op.regions:
            verify_dominance(op, visible)
        visible.update(op.results)


def _reject(op: Operation, position: int, operand: SSAValue) -> NoReturn:
    name = f" (%{operand.name_hint})" if operand.name_hint else ""
    message = f"operand {position}{name} of '{op.name}' is used before its definition"
    raise locate(VerifyException(message), op)
