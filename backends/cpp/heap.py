"""Buffers on the heap, and leaving a function early."""

from xdsl.dialects import cf, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX
from xdsl.ir import Attribute, SSAValue
from xdsl.utils.exceptions import DiagnosticException

from tamale.backends.cpp.body import Body
from tamale.backends.cpp.expressions import Expression, Precedence, negation
from tamale.backends.cpp.lines import indented
from tamale.backends.cpp.ownership import is_row_of_owners
from tamale.backends.cpp.places import pointer_variable
from tamale.backends.cpp.status import OUT_OF_MEMORY, status_of
from tamale.backends.cpp.types import as_memref, element_ctype, pointer_to
from tamale.backends.cpp.zeroing import zeroing_store
from tamale.dialects.memref import ReallocOp, root_of


def print_alloc(body: Body, op: memref.AllocOp) -> None:
    """`buffer = (T *)allocate(n * sizeof(T));`, zeroed or not, and what happens without memory."""
    owner = body.values.consume(body.ownership.owner_of(op))
    size = _byte_count(body, op.memref.type, list(op.dynamic_sizes))
    body.values.settle(body.places.writes(op))
    pointer = pointer_to(element_ctype(op.memref.type))
    zeroed = zeroing_store(op) is not None
    allocate = body.prelude.allocator(zeroed=zeroed) if op.dynamic_sizes else "malloc"
    body.lines.add(
        f"{owner.text} = ({pointer.name}){allocate}({size});",
        f"if (!{owner.text}) {' '.join(body.fail(OUT_OF_MEMORY))}",
    )
    place = body.owners[owner.text]
    body.values.set(op.memref, Expression(owner.text, pointer, reads=frozenset([place])))


def print_realloc(body: Body, op: ReallocOp) -> None:
    """`reallocate` into a variable of its own, so that the old buffer is not lost if it fails."""
    owner = body.values.consume(op.source)
    if owner.text not in body.owners and not _is_in_row(op.source):
        raise DiagnosticException(
            f"cpp: '{op.name}' of '{op.source.name_hint}', which no local variable owns.\n"
            "  help: load the buffer from its pointer variable right before."
        )
    size = _byte_count(body, op.result.type, [] if op.dynamic_size is None else [op.dynamic_size])
    body.values.settle(body.places.writes(op))
    pointer = pointer_to(element_ctype(op.result.type))
    grown, reallocate = body.scopes.declare("grown"), body.prelude.reallocator()
    body.lines.add(
        f"{pointer.declare(grown)} = ({pointer.name}){reallocate}({owner.text}, {size});",
        f"if (!{grown}) {' '.join(body.fail(OUT_OF_MEMORY))}",
        f"{owner.text} = {grown};",
    )
    body.values.set(op.result, owner)


def print_dealloc(body: Body, op: memref.DeallocOp) -> None:
    """`free`, and a null pointer if a failure could free it again."""
    buffer = body.values.consume(op.memref)
    body.values.settle(body.places.writes(op))
    body.prelude.include("stdlib.h")
    body.lines.add(f"free({buffer.text});")
    is_owned = buffer.text in body.owners or _is_in_row(op.memref)
    if is_owned and body.ownership.may_fail_after(op) and not _is_replaced_next(op):
        body.lines.add(f"{buffer.text} = nullptr;")


def _is_in_row(buffer: SSAValue) -> bool:
    """Whether a buffer is one that an array of pointers owns."""
    variable = pointer_variable(buffer)
    return variable is not None and is_row_of_owners(variable)


def _is_replaced_next(op: memref.DeallocOp) -> bool:
    """Whether the variable of the freed buffer gets another one at once."""
    following = op.next_op
    return (
        isinstance(following, memref.StoreOp)
        and following.memref is pointer_variable(op.memref)
        and following.value is not op.memref
    )


def hand_over(body: Body, op: memref.StoreOp, value: Expression, target: Expression) -> None:
    """After `target = value`: leaves `target` alone to free the buffer, if both might."""
    maker = root_of(op.value).owner
    are_owners = value.text in body.owners and target.text in body.owners
    if not isinstance(maker, memref.AllocOp | ReallocOp) or not are_owners:
        return
    if value.text == target.text:
        return
    if maker.parent is not op.parent:
        raise DiagnosticException(
            f"cpp: '{target.text}' becomes the owner of '{value.text}' only on some paths.\n"
            "  help: store a buffer in the block that allocates it."
        )
    if not body.ownership.may_fail_after(op):
        return
    body.lines.add(f"{value.text} = nullptr;")
    place = body.owners[target.text]
    for name in body.values.names_for(body.owners[value.text]):
        if body.values.is_stable(name, frozenset([place]), after=op):
            body.values.set(name, target)
        elif body.values.is_used_after(name, op, or_inside=False):
            body.values.declare(name, target)


def print_assert(body: Body, op: cf.AssertOp) -> None:
    """Leaves the function with the status of the message unless the condition holds."""
    condition = negation(body.values.operand(op.arg))
    leave = body.fail(status_of(op.msg.data))
    body.lines.add(f"if ({condition.text}) {{", *indented(leave), "}")


def _byte_count(body: Body, type_: Attribute, sizes: list[SSAValue]) -> str:
    """The size of a buffer; `sizeof` makes C++ multiply without a sign."""
    ctype, shape = element_ctype(type_), as_memref(type_).get_shape()
    body.prelude.include("stdlib.h")
    if not shape:
        return f"sizeof({ctype.name})"
    if shape[0] != DYNAMIC_INDEX:
        return f"{shape[0]} * sizeof({ctype.name})"
    count = body.values.operand(sizes[0])
    return f"{count.within(Precedence.MULTIPLICATIVE)} * sizeof({ctype.name})"
