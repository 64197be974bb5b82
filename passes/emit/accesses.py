"""What ops do to arrays: which they are given, whether they only read, and what these hold."""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.dialects.builtin import AnyFloat, IntegerType, MemRefType
from xdsl.ir import Attribute, Operation, SSAValue

from tamale.dialects.effects import Effect, facts_of
from tamale.dialects.memref import root_of


def touched(op: Operation) -> set[SSAValue]:
    """The arrays that an op is given."""
    return {origin_of(value) for value in op.operands if isinstance(value.type, MemRefType)}


def origin_of(array: SSAValue) -> SSAValue:
    """The array that a value is another type of, or the variable that it is in."""
    array = root_of(array)
    return array.owner.memref if isinstance(array.owner, memref.LoadOp) else array


def only_reads(op: Operation) -> bool:
    return not op.regions and facts_of(type(op)).effect <= Effect.READS


def is_number(type: Attribute) -> bool:
    """Whether registers hold several of a type, and processors add them at once."""
    return isinstance(type, IntegerType | AnyFloat) and type.bitwidth in (32, 64)
