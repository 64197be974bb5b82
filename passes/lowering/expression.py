"""
Expressions of index notation as arithmetic on loaded values, and whether they have an entry at
all.
"""

from __future__ import annotations

from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects.cfir.ranks import BelowOp
from tamale.dialects.cfir.storage import LoadOp, PosBoundsOp
from tamale.dialects.notation.ast import Access, Call, Expr, Literal, to_text
from tamale.dialects.operators import operator_named
from tamale.passes.algebra.presence import presence
from tamale.passes.levels import is_padded, storage_kind
from tamale.passes.lowering.scope import Scope


def emit_expression(scope: Scope, expression: Expr) -> SSAValue:
    """The value of `expression` at the scope's coordinates, in the kernel's element type."""
    kernel = scope.kernel
    emit = kernel.emit
    match expression:
        case Literal(value=value):
            return emit.constant(value, kernel.element)
        case Access(tensor=name) if name in scope.workspaces:
            return emit.load(scope.workspaces[name].value)
        case Access(tensor=name) if name in scope.coordinates and name not in kernel.accesses:
            return emit.cast(scope.coordinates[name], kernel.element)
        case Call(operator="map", arguments=(entry, value)):
            return emit_map(scope, entry, value)
        case Call(operator="width", arguments=(Access() as access,)):
            return emit.cast(emit_width(scope, access), kernel.element)
        case Access(tensor=name):
            value = emit.insert(LoadOp(kernel.tensors[name], operand_position(scope, expression)))
            return emit.cast(value.value, kernel.element)
        case Call(operator=name, arguments=arguments):
            values = [emit_expression(scope, argument) for argument in arguments]
            return operator_named(name).emit(emit, *values)
        case _:
            raise PassFailedException(
                f"lower-lattices: {to_text(expression)} is a reduction inside a statement; "
                "it has to be given loops of its own"
            )


def emit_map(scope: Scope, entry: Expr, value: Expr) -> SSAValue:
    """`value` where `entry` has one, else 0; a padded tensor has one where its value is not 0."""
    kernel = scope.kernel
    emit = kernel.emit
    mapped = emit_expression(scope, value)
    match entry:
        case Access(tensor=name) if name not in scope.workspaces:
            if not is_padded(kernel.formats[name]):
                return mapped
            position = operand_position(scope, entry)
            stored = emit.insert(LoadOp(kernel.tensors[name], position)).value
        case _:
            stored = emit_expression(scope, entry)
    return emit.select(emit.nonzero(stored), mapped, emit.constant(0, kernel.element))


def emit_width(scope: Scope, access: Access) -> SSAValue:
    """How many entries an operand stores at the coordinates of the loops around."""
    kernel, name = scope.kernel, access.tensor
    emit, tensor, levels = kernel.emit, kernel.tensors[name], kernel.formats[name].levels
    reached = sum((name, k) in scope.places for k in range(len(levels)))
    begin = scope.parent(name, reached).begin
    end, several = emit.add(begin, emit.constant(1)), False
    for k in range(reached, len(levels)):
        if kernel.formats[name].properties(k).branchless:
            continue
        if several or storage_kind(levels[k].kind).iterates == "coordinates":
            begin, end = (emit.insert(BelowOp(tensor, k, p)).count for p in (begin, end))
        else:
            bounds = emit.insert(PosBoundsOp(tensor, k, begin, scope.ancestors(name, k)))
            begin, end = bounds.begin, bounds.end
        several = True
    return emit.sub(end, begin)


def operand_position(scope: Scope, access: Access) -> SSAValue:
    """The position of an operand in its last level; scalars have only one."""
    last = len(scope.kernel.formats[access.tensor].levels) - 1
    if last < 0:
        return scope.kernel.emit.constant(0)
    place = scope.place(access.tensor, last)
    if place.end is not None:
        raise PassFailedException(
            f"lower-lattices: {to_text(access)} may hold several entries at one coordinate; "
            "sum its duplicates first"
        )
    return place.begin


def emit_presence(scope: Scope, expression: Expr) -> SSAValue | None:
    """Whether the expression has an entry here, as i1; None if it surely has."""
    condition = presence(expression, scope.workspaces.keys())
    return None if condition is None else _emit_condition(scope, condition)


def _emit_condition(scope: Scope, condition: Expr) -> SSAValue:
    emit = scope.kernel.emit
    match condition:
        case Literal(value=value):
            return emit.constant(int(value != 0), i1)
        case Access(tensor=name):
            filled = scope.workspaces[name].filled
            return emit.true() if filled is None else emit.load(filled)
        case Call(operator="and" | "or" as name, arguments=(left, right)):
            sides = [_emit_condition(scope, side) for side in (left, right)]
            return emit.and_(*sides) if name == "and" else emit.or_(*sides)
        case _:
            return emit.nonzero(emit_expression(scope, condition))
