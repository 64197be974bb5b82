"""A request as a module of tin: one function, one kernel."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.dialects import func
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    ComplexType,
    DictionaryAttr,
    FunctionType,
    ModuleOp,
    TensorType,
    f32,
    f64,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute, Block, Region, SSAValue

from tamale.dialects.format.attribute import FormatAttr, StatisticsAttr
from tamale.dialects.format.spec import Format
from tamale.frontend.request import Request
from tamale.passes.algebra.reading import STATISTICS
from tamale.passes.emit.tin_kernels import build_kernel

ELEMENT_TYPES: Mapping[str, Attribute] = {
    "float64": f64,
    "float32": f32,
    "complex128": ComplexType(f64),
    "complex64": ComplexType(f32),
    "int64": i64,
    "int32": i32,
    "int16": i16,
    "int8": i8,
}


def build_module(request: Request) -> ModuleOp:
    """
    A module with the function `request.name`: its operands in order of appearance, a kernel for
    each part that is computed first, and the result's.
    """
    types = [tensor_type(o.format, o.dtype) for o in request.operands]
    result_type = tensor_type(request.result_format, request.dtype)
    block = Block(arg_types=types)
    for operand, argument in zip(request.operands, block.args, strict=True):
        # A tensor that is also the result is read under another name, as it was.
        read = operand.name == request.result.tensor
        argument.name_hint = f"{operand.name}_in" if read else operand.name
    tensors: dict[str, SSAValue] = {
        o.name: a for o, a in zip(request.operands, block.args, strict=True)
    }
    for step in request.steps:
        name = step.result.tensor
        type = tensor_type(request.formats[name], request.dtype)
        kernel = build_kernel(step, tensors, type, request.order_of(name))
        block.add_op(kernel)
        tensors[name] = kernel.result
    block.add_op(func.ReturnOp(tensors[request.result.tensor]))
    function = func.FuncOp(
        request.name,
        FunctionType.from_lists(types, [result_type]),
        Region(block),
        arg_attrs=_argument_attributes(request),
    )
    return ModuleOp([function])


def _argument_attributes(request: Request) -> ArrayAttr[DictionaryAttr] | None:
    """How large operands are, where that is known."""
    if not request.statistics:
        return None
    known = [request.statistics.get(operand.name) for operand in request.operands]
    return ArrayAttr(
        DictionaryAttr({} if s is None else {STATISTICS: StatisticsAttr(s)}) for s in known
    )


def tensor_type(format: Format, dtype: str) -> TensorType[Attribute]:
    """`tensor<?x?xf64, #format.spec<...>>`; a dense tensor in order needs no encoding."""
    shape = [DYNAMIC_INDEX] * format.order
    if format.all_dense and format.mode_order == tuple(range(format.order)):
        return TensorType(ELEMENT_TYPES[dtype], shape)
    return TensorType(ELEMENT_TYPES[dtype], shape, FormatAttr(format))
