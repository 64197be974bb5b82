"""Damage of modules: ops are dropped, doubled and moved, operands, attributes and types changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeAlias

from xdsl.dialects.builtin import (
    ArrayAttr,
    FunctionType,
    IntAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.rewriter import Rewriter

Damage: TypeAlias = Callable[[Operation, Random], None]

NUMBERS = (-1, 0, 1, 2, 7, 64, 2**31, 2**63 - 1)
WORDS = ("", "i", "j", "A", "Z", "add", "max", "no such thing", "é")


def damaged(module: ModuleOp, rng: Random) -> ModuleOp:
    """A copy of the module with a few things changed; it may be invalid."""
    copy = module.clone()
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        ops = [op for op in copy.walk() if op is not copy]
        if ops:
            rng.choice(DAMAGES)(rng.choice(ops), rng)
    return copy


def drop(op: Operation, rng: Random) -> None:
    """Takes an op out; other values of the same types stand in for its results."""
    for result in op.results:
        others = [value for value in values_around(op) if value.owner is not op]
        alike = [value for value in others if value.type == result.type]
        if result.uses and not alike:
            return
        if alike:
            result.replace_all_uses_with(rng.choice(alike))
    Rewriter.erase_op(op, safe_erase=False)


def double(op: Operation, rng: Random) -> None:
    """Puts a copy behind an op."""
    block = op.parent
    assert block is not None
    block.insert_op_after(op.clone(), op)


def move(op: Operation, rng: Random) -> None:
    """Puts an op elsewhere in its block, or into another one."""
    module = op.get_toplevel_object()
    assert isinstance(module, Operation)
    inside = {id(inner) for inner in op.walk()}
    blocks = [b for b in blocks_of(module) if id(b.parent_op()) not in inside]
    block = op.parent if rng.random() < 0.7 else rng.choice(blocks)
    assert block is not None
    op.detach()
    places = [*block.ops]
    if places:
        block.insert_op_before(op, rng.choice(places))
    else:
        block.add_op(op)


def swap_operand(op: Operation, rng: Random) -> None:
    """Gives an op another operand, mostly one of the same type."""
    if not op.operands:
        return
    place = rng.randrange(len(op.operands))
    values = values_around(op)
    alike = [value for value in values if value.type == op.operands[place].type]
    op.operands[place] = rng.choice(alike if rng.random() < 0.8 else values)


def drop_operand(op: Operation, rng: Random) -> None:
    """Takes an operand away, or gives one twice."""
    if op.operands:
        operands = list(op.operands)
        place = rng.randrange(len(operands))
        operands[place : place + 1] = [operands[place]] * rng.choice((0, 2))
        op.operands = operands


def change_attribute(op: Operation, rng: Random) -> None:
    """Changes a property or an attribute, or takes it away."""
    table = op.properties or op.attributes
    if not table:
        return
    name = rng.choice(sorted(table))
    if rng.random() < 0.1:
        del table[name]
        return
    table[name] = changed(table[name], attributes_around(op), rng)


def change_type(op: Operation, rng: Random) -> None:
    """Gives a result, or an argument of a region, the type of another value."""
    arguments = [a for region in op.regions for block in region.blocks for a in block.args]
    own: list[SSAValue] = [*op.results, *arguments]
    if own:
        value = rng.choice(own)
        other = rng.choice(values_around(op)).type
        Rewriter.replace_value_with_new_type(value, other)


def change_types_of_equals(op: Operation, rng: Random) -> None:
    """Gives all values of one type another type, so that they still agree with each other."""
    values = values_around(op)
    if not values:
        return
    old, new = rng.choice(values).type, rng.choice(values).type
    for value in values:
        if value.type == old:
            Rewriter.replace_value_with_new_type(value, new)
    module = op.get_toplevel_object()
    assert isinstance(module, Operation)
    for inner in module.walk():
        for table in (inner.properties, inner.attributes):
            for name, attribute in table.items():
                table[name] = with_type(attribute, old, new)


def with_type(attribute: Attribute, old: Attribute, new: Attribute) -> Attribute:
    """The attribute with one type for another."""
    if attribute == old:
        return new
    if isinstance(attribute, FunctionType):
        inputs, outputs = (
            [new if type == old else type for type in types]
            for types in (attribute.inputs, attribute.outputs)
        )
        return FunctionType.from_lists(inputs, outputs)
    return attribute


def empty_region(op: Operation, rng: Random) -> None:
    """Takes the ops out of a block, all but the last."""
    blocks = [block for region in op.regions for block in region.blocks]
    if not blocks:
        return
    for inner in reversed([*rng.choice(blocks).ops][:-1]):
        drop(inner, rng)


def changed(attribute: Attribute, others: Sequence[Attribute], rng: Random) -> Attribute:
    """Another attribute: of the same class where there is one, or with a part changed."""
    alike = [other for other in others if type(other) is type(attribute) and other != attribute]
    if alike and rng.random() < 0.6:
        return rng.choice(alike)
    match attribute:
        case IntegerAttr():
            return IntegerAttr(rng.choice(NUMBERS[:6]), attribute.type)
        case IntAttr():
            return IntAttr(rng.choice(NUMBERS))
        case StringAttr():
            return StringAttr(rng.choice(WORDS))
        case ArrayAttr() if attribute.data:
            parts = list(attribute.data)
            place = rng.randrange(len(parts))
            parts[place : place + 1] = rng.choice(
                ([], [parts[place]] * 2, [changed(parts[place], others, rng)])
            )
            return ArrayAttr(parts)
        case _:
            return rng.choice(others) if rng.random() < 0.2 else attribute


def values_around(op: Operation) -> list[SSAValue]:
    """Every value of the function, or module, that an op is in."""
    around = op.get_toplevel_object()
    assert isinstance(around, Operation)
    blocks = blocks_of(around)
    return [
        *(argument for block in blocks for argument in block.args),
        *(result for inner in around.walk() for result in inner.results),
    ]


def blocks_of(op: Operation) -> list[Block]:
    """Every block inside an op."""
    return [block for inner in op.walk() for region in inner.regions for block in region.blocks]


def attributes_around(op: Operation) -> list[Attribute]:
    """Every attribute in the module that an op is in, and every type."""
    module = op.get_toplevel_object()
    assert isinstance(module, Operation)
    tables = [table for inner in module.walk() for table in (inner.properties, inner.attributes)]
    attributes = [attribute for table in tables for attribute in table.values()]
    return [*dict.fromkeys([*attributes, *(v.type for v in values_around(op))])]


DAMAGES: Sequence[Damage] = (
    *(drop, drop, drop, double, move, swap_operand, swap_operand, swap_operand, drop_operand),
    *(change_attribute, change_attribute, change_attribute, change_attribute),
    *(change_type, change_types_of_equals, empty_region),
)
