"""
Expressions of index notation as arithmetic on loaded values, and whether they have an entry at
all.
"""

from __future__ import annotations

from xdsl.dialects.builtin import i1
from xdsl.ir import SSAValue
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects.cfir.storage import CoordBoundsOp, LoadOp, LocateOp, PosBoundsOp
from tamale.dialects.notation.ast import Access, Call, Expr, Literal, to_text
from tamale.dialects.operators import operator_named
from tamale.passes.algebra.derivation import fill_value
from tamale.passes.algebra.fills import is_fill, number
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
    emit, tensor = kernel.emit, kernel.tensors[name]
    levels = kernel.formats[name].levels
    reached = sum((name, k) in scope.places for k in range(len(levels)))
    begin = scope.parent(name, reached).begin
    end, several = emit.add(begin, emit.constant(1)), False
    for k in range(reached, len(levels)):
        if kernel.formats[name].properties(k).branchless:
            continue
        ancestors = scope.ancestors(name, k)
        if storage_kind(levels[k].kind).iterates == "coordinates":
            low = emit.insert(CoordBoundsOp(tensor, k, begin, ancestors)).low
            begin, end = (
                emit.insert(LocateOp(tensor, k, parent, low, ancestors)).position
                for parent in (begin, end)
            )
        else:
            bounds = emit.insert(PosBoundsOp(tensor, k, begin, ancestors))
            if several:
                last = emit.sub(end, emit.constant(1))
                end = emit.insert(PosBoundsOp(tensor, k, last, ancestors)).end
            else:
                end = bounds.end
            begin = bounds.begin
        several = True
    return emit.sub(end, begin)


def operand_position(scope: Scope, access: Access) -> SSAValue:
    """The position of an operand in its last level; scalars have only one."""
    last = len(scope.kernel.formats[access.tensor].levels) - 1
    if last < 0:
        return scope.kernel.emit.constant(0)
    place = scope.places.get((access.tensor, last))
    if place is None:
        raise PassFailedException(
            f"lower-lattices: {to_text(access)} is read where the loops around have not reached "
            f"an entry of {access.tensor}"
        )
    if place.end is not None:
        raise PassFailedException(
            f"lower-lattices: {to_text(access)} may hold several entries at one coordinate; "
            "sum its duplicates first"
        )
    return place.begin


def emit_presence(scope: Scope, expression: Expr) -> SSAValue | None:
    """Whether the expression has an entry here, as i1; None if it surely has."""
    match expression:
        case Access(tensor=name) if name in scope.workspaces:
            filled = scope.workspaces[name].filled
            return None if filled is None else scope.kernel.emit.load(filled)
        case Call() if is_fill(expression):
            # Zero is what an absent entry reads as anyway; any other value has to be stored.
            return scope.kernel.emit.constant(0, i1) if number(expression) == 0 else None
        case Call(operator=name, arguments=arguments):
            return _emit_call_presence(scope, name, arguments)
        case _:
            return None


def _emit_call_presence(scope: Scope, name: str, arguments: tuple[Expr, ...]) -> SSAValue | None:
    operator, emit = operator_named(name), scope.kernel.emit
    if fill_value(_as_operand(scope, Call(name, arguments))) not in (0, None):
        return None  # Computed everywhere, because its value is not zero where nothing is stored.
    needed = [
        argument
        for k, argument in enumerate(arguments)
        if fill_value(_as_operand(scope, argument)) == operator.annihilator(k)
        and operator.annihilator(k) is not None
    ]
    parts = [emit_presence(scope, argument) for argument in needed or arguments]
    known = [part for part in parts if part is not None]
    if not known or (not needed and len(known) < len(parts)):
        return None
    total = known[0]
    for part in known[1:]:
        total = emit.and_(total, part) if needed else emit.or_(total, part)
    return total


def _as_operand(scope: Scope, expression: Expr) -> Expr:
    """Workspaces stand for what may be absent, as operands do, not for scalars."""
    match expression:
        case Access(tensor=name) if name in scope.workspaces:
            return Access(name, ("_",))
        case Call(operator=operator, arguments=arguments):
            return Call(operator, tuple(_as_operand(scope, a) for a in arguments))
        case _:
            return expression
