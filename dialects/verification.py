"""Verification of whole modules: what xDSL checks, dominance, and the place of the failure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from xdsl.dialects import arith, scf
from xdsl.dialects.arith import CMPF_COMPARISON_OPERATIONS, CMPI_COMPARISON_OPERATIONS
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation, Region, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.irdl.dominance import DominanceInfo
from xdsl.traits import IsolatedFromAbove
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.locations import locate
from tamale.dialects.walking import walk_ops

_PREDICATES: Mapping[type[Operation], int] = {
    arith.CmpiOp: len(CMPI_COMPARISON_OPERATIONS),
    arith.CmpfOp: len(CMPF_COMPARISON_OPERATIONS),
}
"""Comparison -> how many predicates there are."""


def verify_module(module: ModuleOp) -> None:
    """
    Checks that every value is defined before it is used, then every op of `module`, whose own
    checks may follow operands to where they come from, and look into ops around.

    Raises:
        VerifyException: located at the op that is wrong. xDSL's note with the whole module is
            dropped: the place says more.
    """
    verify_dominance(module)
    _verify_definitions(module)
    try:
        module.verify()
    except Exception as error:
        error.__notes__ = []
        refusal = _refusal(error)
        raise locate(refusal, _culprit(module)) from None


def _refusal(error: Exception) -> VerifyException:
    """
    What a verifier says of an op. Some of xDSL's raise a plain `Exception`; whatever else is raised
    is an error of the verifier.
    """
    if isinstance(error, VerifyException):
        return error
    if type(error) is not Exception:
        raise error
    return VerifyException(str(error))


def _verify_definitions(module: ModuleOp) -> None:
    """Checks the parts of every op against its definition."""
    for op in walk_ops(module):
        if isinstance(op, IRDLOperation):
            try:
                op.get_irdl_definition().verify(op)
            except VerifyException as error:
                raise locate(error, op) from None
            _verify_predicate(op)
            _verify_while(op)


def _verify_while(op: Operation) -> None:
    """A loop whose regions xDSL compares with its operands and results one by one."""
    if not isinstance(op, scf.WhileOp):
        return
    pairs = (("before", op.before_region, op.arguments), ("after", op.after_region, op.res))
    for name, region, values in pairs:
        given, wanted = len(region.block.args), len(values)
        if given != wanted:
            message = f"'scf.while' has {given} arguments in its '{name}' region, needs {wanted}"
            raise locate(VerifyException(message), op)


def _verify_predicate(op: Operation) -> None:
    """A comparison that xDSL itself could not print."""
    if isinstance(op, arith.CmpiOp | arith.CmpfOp):
        number, known = op.predicate.value.data, _PREDICATES[type(op)]
        if number not in range(known):
            message = f"'{op.name}' has no predicate {number}; there are 0 to {known - 1}"
            raise locate(VerifyException(message), op)


def _culprit(module: ModuleOp) -> Operation:
    """The innermost op that fails by itself; `module` if none does."""
    for op in module.walk(region_first=True):
        try:
            op.verify(verify_nested_ops=False)
        except Exception:
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
