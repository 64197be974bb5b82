"""
Upstream ops from operands and types that are known to fit.

xDSL's constructors take operands in many shapes and sort out which they were given; for the ops
that a kernel consists of, that costs more than all the rest of lowering. These go straight to
`Operation.create`, and share the attributes and types that are always the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Literal, TypeAlias, TypeVar, cast

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, IntegerAttr, MemRefType, i1, i64
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

OpT = TypeVar("OpT", bound=Operation)
Predicate: TypeAlias = Literal["eq", "ne", "slt", "sle", "sgt", "sge"]

_PREDICATES: dict[Predicate, IntegerAttr] = {
    "eq": IntegerAttr(0, i64),
    "ne": IntegerAttr(1, i64),
    "slt": IntegerAttr(2, i64),
    "sle": IntegerAttr(3, i64),
    "sgt": IntegerAttr(4, i64),
    "sge": IntegerAttr(5, i64),
}


@cache
def array_type(element: Attribute) -> MemRefType[Attribute]:
    """A one-dimensional array of any length."""
    return MemRefType(element, [DYNAMIC_INDEX])


def element_type(array: SSAValue) -> Attribute:
    """What an array, or a mutable scalar, holds."""
    return cast("MemRefType[Attribute]", array.type).element_type


def computing(op_class: type[OpT], operands: Sequence[SSAValue], type: Attribute) -> OpT:
    """An op with one result of this type and the default properties."""
    return op_class.create(operands=operands, result_types=(type,))


def comparing(predicate: Predicate, a: SSAValue, b: SSAValue) -> arith.CmpiOp:
    properties = {"predicate": _PREDICATES[predicate]}
    return arith.CmpiOp.create(operands=(a, b), result_types=(i1,), properties=properties)


def loading(array: SSAValue, indices: Sequence[SSAValue]) -> memref.LoadOp:
    return computing(memref.LoadOp, (array, *indices), element_type(array))


def storing(value: SSAValue, array: SSAValue, indices: Sequence[SSAValue]) -> memref.StoreOp:
    return memref.StoreOp.create(operands=(value, array, *indices))


def counting(low: SSAValue, high: SSAValue, step: SSAValue, body: Block) -> scf.ForOp:
    """A loop that carries no values; `body` ends with a `yielding`, as all blocks do."""
    return scf.ForOp.create(operands=(low, high, step), regions=(Region(body),))


def sharing(low: SSAValue, high: SSAValue, step: SSAValue, body: Block) -> scf.ParallelOp:
    """A loop whose iterations may run at the same time; `body` ends with an empty `scf.reduce`."""
    return scf.ParallelOp([low], [high], [step], Region(body))


def choosing(condition: SSAValue, then: Block, otherwise: Block | None = None) -> scf.IfOp:
    regions = (Region(then), Region(() if otherwise is None else otherwise))
    return scf.IfOp.create(operands=(condition,), regions=regions)


def repeating(before: Block, after: Block) -> scf.WhileOp:
    return scf.WhileOp.create(regions=(Region(before), Region(after)))


def testing(condition: SSAValue) -> scf.ConditionOp:
    return scf.ConditionOp.create(operands=(condition,))


def yielding() -> scf.YieldOp:
    return scf.YieldOp.create()
