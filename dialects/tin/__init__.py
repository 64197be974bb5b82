"""
tin, tensor index notation: *what* to compute, with no loops and no storage.

A kernel names index variables and yields one value per coordinate of its result:

    %y = tin.kernel %i {
      %s = tin.sum %j {
        %a = tin.access %A[%i, %j] : tensor<?x?xf64, #csr> -> f64
        %b = tin.access %x[%j] : tensor<?xf64> -> f64
        %m = tin.mul %a, %b : f64
        tin.yield %m : f64
      } : f64
      tin.yield %s : f64
    } : tensor<?xf64>

Source: Kjolstad et al., OOPSLA 2017 (index notation); Root et al., OOPSLA 2024 (broadcast as an
operator).
"""

from xdsl.ir import Dialect

from tamale.dialects.tin.binding import INDEX, Binding, YieldOp
from tamale.dialects.tin.convert import ConvertOp
from tamale.dialects.tin.expressions import (
    AccessOp,
    AddOp,
    BroadcastOp,
    DivOp,
    LiteralOp,
    MapOp,
    MulOp,
    NegOp,
    SubOp,
    free_variables,
)
from tamale.dialects.tin.kernel import KernelOp, order_attribute
from tamale.dialects.tin.reductions import ReduceOp, SumOp

__all__ = [
    "INDEX",
    "TIN",
    "AccessOp",
    "AddOp",
    "Binding",
    "BroadcastOp",
    "ConvertOp",
    "DivOp",
    "KernelOp",
    "LiteralOp",
    "MapOp",
    "MulOp",
    "NegOp",
    "ReduceOp",
    "SubOp",
    "SumOp",
    "YieldOp",
    "free_variables",
    "order_attribute",
]

TIN = Dialect(
    "tin",
    [
        KernelOp,
        SumOp,
        ReduceOp,
        AccessOp,
        LiteralOp,
        AddOp,
        SubOp,
        MulOp,
        DivOp,
        NegOp,
        MapOp,
        BroadcastOp,
        ConvertOp,
        YieldOp,
    ],
    [],
)
