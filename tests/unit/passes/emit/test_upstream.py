"""Ops built the short way are the ops that xDSL's constructors build."""

from typing import Any

import pytest
from xdsl.dialects import arith, math, memref, scf
from xdsl.dialects import complex as complex_dialect
from xdsl.dialects.builtin import ComplexType, Float64Type, IndexType, f32, f64, i1, i32, i64
from xdsl.ir import Attribute, Block, Operation, Region

from tamale.passes.emit import upstream
from tamale.passes.emit.upstream import (
    Predicate,
    array_type,
    choosing,
    comparing,
    computing,
    counting,
    loading,
    repeating,
    storing,
    yielding,
)

INDEX = IndexType()
COMPLEX = ComplexType[Float64Type](f64)
ARGUMENTS = Block(arg_types=[INDEX, INDEX, i1, array_type(f64), f64, f64, COMPLEX, COMPLEX, i32])
A, B, CONDITION, ARRAY, X, Y, V, W, N = ARGUMENTS.args
INTEGER = (
    arith.AddiOp,
    arith.SubiOp,
    arith.MuliOp,
    arith.FloorDivSIOp,
    arith.RemSIOp,
    arith.MinSIOp,
    arith.MaxSIOp,
    arith.AndIOp,
    arith.OrIOp,
    arith.XOrIOp,
)
FLOAT = (arith.AddfOp, arith.SubfOp, arith.MulfOp, arith.DivfOp, arith.MinimumfOp, arith.MaximumfOp)
COMPLEX_OPS = (
    complex_dialect.AddOp,
    complex_dialect.SubOp,
    complex_dialect.MulOp,
    complex_dialect.DivOp,
)
UNARY = (arith.NegfOp, math.AbsFOp, math.SqrtOp, math.ExpOp)
COMPLEX_UNARY = (complex_dialect.NegOp, complex_dialect.SqrtOp, complex_dialect.ExpOp)
CASTS: tuple[tuple[Any, Any, Attribute], ...] = (
    (arith.IndexCastOp, A, i32),
    (arith.SIToFPOp, N, f64),
    (arith.UIToFPOp, CONDITION, f64),
    (arith.ExtSIOp, N, i64),
    (arith.ExtUIOp, CONDITION, i64),
    (arith.TruncIOp, N, i1),
    (arith.TruncFOp, X, f32),
)


def same(ours: Operation, theirs: Operation) -> bool:
    equal = ours.is_structurally_equivalent(theirs)
    ours.verify()
    ours.erase()
    theirs.erase()
    return equal


@pytest.mark.parametrize(
    "op_class, operands",
    [
        *((op, (A, B)) for op in INTEGER),
        *((op, (X, Y)) for op in FLOAT),
        *((op, (V, W)) for op in COMPLEX_OPS),
        *((op, (X,)) for op in UNARY),
        *((op, (V,)) for op in COMPLEX_UNARY),
    ],
)
def test_computing(op_class: Any, operands: Any):
    assert same(computing(op_class, operands, operands[0].type), op_class(*operands))


@pytest.mark.parametrize("op_class, operand, type", CASTS)
def test_conversions(op_class: Any, operand: Any, type: Attribute):
    assert same(computing(op_class, (operand,), type), op_class(operand, type))


def test_select():
    ours = computing(arith.SelectOp, (CONDITION, X, Y), f64)
    assert same(ours, arith.SelectOp(CONDITION, X, Y))


@pytest.mark.parametrize("predicate", ["eq", "ne", "slt", "sle", "sgt", "sge"])
def test_comparing(predicate: Predicate):
    assert same(comparing(predicate, A, B), arith.CmpiOp(A, B, predicate))


def test_memory():
    assert same(loading(ARRAY, (A,)), memref.LoadOp.get(ARRAY, [A]))
    assert same(storing(X, ARRAY, (A,)), memref.StoreOp.get(X, ARRAY, [A]))


def body(*types: Attribute) -> Block:
    return Block([scf.YieldOp()], arg_types=types)


def test_control_flow():
    assert same(counting(A, B, A, body(INDEX)), scf.ForOp(A, B, A, [], Region(body(INDEX))))
    assert same(choosing(CONDITION, body()), scf.IfOp(CONDITION, [], Region(body())))
    assert same(
        choosing(CONDITION, body(), body()),
        scf.IfOp(CONDITION, [], Region(body()), Region(body())),
    )

    def before() -> Block:
        return Block([scf.ConditionOp(CONDITION)])

    assert same(
        repeating(before(), body()),
        scf.WhileOp([], [], Region(before()), Region(body())),
    )


def test_terminators():
    loop = repeating(Block([upstream.testing(CONDITION)]), Block([yielding()]))
    theirs = scf.WhileOp(
        [], [], Region(Block([scf.ConditionOp(CONDITION)])), Region(Block([scf.YieldOp()]))
    )
    assert same(loop, theirs)
