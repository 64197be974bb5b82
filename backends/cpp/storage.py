"""Loads and stores, and the variables and arrays that live in a function."""

from collections.abc import Sequence

from xdsl.dialects import memref
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import DiagnosticException

from tamale.backends.cpp.assignments import assignment
from tamale.backends.cpp.body import Body
from tamale.backends.cpp.expressions import Expression, element, prefix
from tamale.backends.cpp.heap import hand_over
from tamale.backends.cpp.types import BOOL, CType, Kind, element_ctype, pointer_to
from tamale.dialects.memref import PrefetchOp, root_of


def print_load(body: Body, op: memref.LoadOp) -> None:
    """`array[position]`, or the name of a local variable."""
    body.values.bind(op.res, _target(body, op.memref, op.indices))


def print_store(body: Body, op: memref.StoreOp) -> None:
    """An assignment; of a buffer to a pointer variable, it also hands over who frees it."""
    value = body.values.consume(op.value)
    if op.memref in body.undeclared:
        body.undeclared.remove(op.memref)
        _print_declaration(body, op.memref, value.text)
        return
    target = _target(body, op.memref, op.indices)
    body.values.settle(body.places.writes(op))
    body.lines.add(*assignment(target.text, value, target.ctype))
    if target.ctype.kind is Kind.POINTER:
        hand_over(body, op, value, target)


def print_prefetch(body: Body, op: PrefetchOp) -> None:
    """A hint of the compiler's, which no address makes fail."""
    target = _target(body, op.memref, op.indices)
    kind, locality = int(bool(op.is_write)), op.locality.value.data
    hints = "" if (kind, locality) == (0, op.MOST) else f", {kind}, {locality}"
    body.lines.add(f"__builtin_prefetch(&{target.text}{hints});")


def print_cast(body: Body, op: memref.CastOp) -> None:
    """Nothing: the size of an array is no part of its C++ type."""
    body.values.bind(op.dest, body.values.consume(op.source))


def print_local(body: Body, op: memref.AllocaOp) -> None:
    """A local variable, declared where it gets its first value if that is in the same block."""
    if body.ownership.is_owner(op.memref):
        return
    if op.memref.type.get_num_dims() > 0:
        _print_local_array(body, op)
    elif _is_stored_first(op):
        body.undeclared.add(op.memref)
    else:
        _print_declaration(body, op.memref, _zero(element_ctype(op.memref.type)))


def _target(body: Body, array: SSAValue, indices: Sequence[SSAValue]) -> Expression:
    """The text of an element of `array`, or of the one thing that `array` holds."""
    base, ctype = body.values.consume(array), element_ctype(array.type)
    if indices:
        (position,) = indices
        text = element(base, body.values.operand(position), ctype)
    elif isinstance(root_of(array).owner, memref.AllocaOp):
        text = Expression(base.text, ctype)
    else:
        text = prefix("*", base, ctype)
    place = body.places.of(array)
    return text.reading(place) if body.places.is_written(place) else text


def _print_declaration(body: Body, variable: SSAValue, start: str) -> None:
    ctype = element_ctype(variable.type)
    name = body.scopes.declare(variable.name_hint)
    body.lines.add(f"{ctype.declare(name)} = {start};")
    body.values.set(variable, Expression(name, pointer_to(ctype)))


def _print_local_array(body: Body, op: memref.AllocaOp) -> None:
    ctype = element_ctype(op.memref.type)
    (size,) = op.memref.type.get_shape()
    if size == DYNAMIC_INDEX:
        raise DiagnosticException(
            f"cpp: '{op.name}' of a size known only when the kernel runs, {op.memref.type}.\n"
            "  help: use memref.alloc, which can report that memory is short."
        )
    name = body.scopes.declare(op.memref.name_hint)
    body.lines.add(f"{ctype.declare(name)}[{size}];")
    body.values.set(op.memref, Expression(name, pointer_to(ctype)))


def _zero(ctype: CType) -> str:
    match ctype.kind:
        case Kind.POINTER:
            return "nullptr"
        case Kind.FLOAT:
            return "0.0f" if ctype.bits == 32 else "0.0"
        case _:
            return "false" if ctype == BOOL else "0"


def _is_stored_first(op: memref.AllocaOp) -> bool:
    """Whether the first op that touches a local variable gives it a value, in the same block."""
    following = op.next_op
    while following is not None:
        if isinstance(following, memref.StoreOp) and following.memref is op.memref:
            return True
        if any(op.memref in inner.operands for inner in following.walk()):
            return False
        following = following.next_op
    return False
