"""
A tin kernel read as one statement of index notation over named accesses.

Each distinct use of a tensor gets a name of its own: the two P's of `P' A P` become `P` and `P2`.
Index variables keep their hints; two reductions over a `j` become `j` and `j2`, since a loop
variable means one loop.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import ArrayAttr, FloatAttr, IntegerAttr
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects import tin
from tamale.dialects.format.attribute import StatisticsAttr
from tamale.dialects.format.statistics import Statistics
from tamale.dialects.locations import locate
from tamale.dialects.notation.ast import Access, Assignment, Call, Expr, Literal, Reduce

UNIVERSE_NAME = "U"


@dataclass
class TinReader:
    """Reads one kernel; afterwards `tensors` says which tensor each access is of."""

    kernel: tin.KernelOp
    tensors: dict[str, SSAValue] = field(default_factory=dict[str, SSAValue])
    _accesses: dict[tuple[SSAValue, tuple[str, ...]], Access] = field(
        default_factory=dict[tuple[SSAValue, tuple[str, ...]], Access]
    )
    _variables: dict[SSAValue, str] = field(default_factory=dict[SSAValue, str])
    _taken: set[str] = field(default_factory=lambda: {UNIVERSE_NAME})

    def read(self) -> Assignment:
        """The kernel as `result = expression`."""
        self._bind(self.kernel.variables, "i")
        for op in self.kernel.body.walk():
            if isinstance(op, tin.SumOp | tin.ReduceOp):
                self._bind(op.variables, "j")
        expression = self._read(self.kernel.yielded)
        name = self._fresh(self.kernel.result.name_hint or "Z")
        indices = tuple(self._variables[v] for v in self.kernel.indices)
        return Assignment(Access(name, indices), None, expression)

    @property
    def statistics(self) -> dict[str, Statistics]:
        """Access -> how large its tensor is, where that is known."""
        return known_statistics(self.tensors)

    def in_written_names(self, message: str) -> str:
        """A message about the statement with tensors called as they were written."""
        for name, tensor in self.tensors.items():
            if tensor.name_hint:
                message = re.sub(rf"\b{re.escape(name)}\b", tensor.name_hint, message)
        return message

    def _bind(self, variables: Sequence[SSAValue], default: str) -> None:
        for variable in variables:
            self._variables[variable] = self._fresh(variable.name_hint or default)

    def _fresh(self, wanted: str) -> str:
        base = wanted.replace(".", "_").replace("$", "_").replace("-", "_")
        name, number = base, 2
        while name in self._taken:
            name, number = f"{base}{number}", number + 1
        self._taken.add(name)
        return name

    def _read(self, value: SSAValue) -> Expr:
        op = value.owner
        match op:
            case tin.AccessOp():
                return self.access_of(op)
            case tin.LiteralOp():
                return Literal(literal_value(op.value))
            case tin.BroadcastOp():
                return self._read(op.operand)
            case tin.SumOp():
                return self._read_reduction("add", op)
            case tin.ReduceOp():
                return self._read_reduction(op.operator.data, op)
            case tin.MapOp():
                return Call(op.operator.data, tuple(map(self._read, op.arguments)))
            case Operation() if op.name in _ELEMENTWISE:
                return Call(_ELEMENTWISE[op.name], tuple(map(self._read, op.operands)))
            case _:
                found = f"'{op.name}'" if isinstance(op, Operation) else f"%{value.name_hint}"
                raise locate(
                    PassFailedException(
                        f"concretize: a kernel may only yield expressions of tin, found {found}"
                    ),
                    op if isinstance(op, Operation) else self.kernel,
                )

    def _read_reduction(self, operator: str, op: tin.SumOp | tin.ReduceOp) -> Expr:
        variables = tuple(self._variables[v] for v in op.variables)
        body = self._read(op.yielded)
        if isinstance(body, Reduce) and body.operator == operator:
            return Reduce(operator, (*variables, *body.variables), body.body)
        return Reduce(operator, variables, body)

    def access_of(self, op: tin.AccessOp) -> Access:
        """The named access that an op of the kernel is."""
        indices = tuple(self._variables[v] for v in op.indices)
        key = op.tensor, indices
        if key not in self._accesses:
            name = self._fresh(op.tensor.name_hint or "T")
            self._accesses[key] = Access(name, indices)
            self.tensors[name] = op.tensor
        return self._accesses[key]


_ELEMENTWISE = {
    "tin.add": "add",
    "tin.sub": "sub",
    "tin.mul": "mul",
    "tin.div": "div",
    "tin.neg": "neg",
}


STATISTICS = "format.statistics"
"""The attribute of a function's argument that says how large it is."""


def known_statistics(tensors: Mapping[str, SSAValue]) -> dict[str, Statistics]:
    """Name -> how large a tensor is, of those of which it is known."""
    found = {name: statistics_of(tensor) for name, tensor in tensors.items()}
    return {name: known for name, known in found.items() if known is not None}


def statistics_of(tensor: SSAValue) -> Statistics | None:
    """How large a tensor is, as its kernel or the function that it is an argument of says."""
    known: Attribute | None = None
    if isinstance(tensor, BlockArgument):
        function = tensor.block.parent_op()
        if isinstance(function, func.FuncOp) and function.arg_attrs is not None:
            known = function.arg_attrs.data[tensor.index].data.get(STATISTICS)
    elif isinstance(tensor.owner, tin.KernelOp):
        known = tensor.owner.statistics
    return known.data if isinstance(known, StatisticsAttr) else None


def literal_value(attribute: Attribute) -> int | float | complex:
    """The number of a `tin.literal`."""
    if isinstance(attribute, IntegerAttr):
        return cast(IntegerAttr, attribute).value.data
    if isinstance(attribute, FloatAttr):
        return cast("FloatAttr", attribute).value.data
    real, imaginary = cast("ArrayAttr[FloatAttr]", attribute)
    return complex(real.value.data, imaginary.value.data)
