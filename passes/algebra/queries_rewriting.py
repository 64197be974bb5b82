"""
The rewrites of queries: table 1 of Chou et al., PLDI 2020, with preconditions that are exact.

Each takes a chain and gives an equal one that does less, or None where its preconditions fail. Two
of the paper's preconditions do not suffice: reduction-to-assign and inline-temporary also need
entries without duplicates, and counter-to-histogram a group that the counter's variables determine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tamale.dialects.cin.sets import Stored, Universe
from tamale.dialects.format.expressions import Counter, Expr, Var, counters, free_variables
from tamale.dialects.format.folding import dimension
from tamale.dialects.format.substitution import substitute
from tamale.dialects.notation.ast import Access, Assignment, Call, Literal
from tamale.dialects.notation.ast import Expr as Value
from tamale.passes.algebra.queries import (
    Binding,
    Chain,
    Operand,
    fresh,
    is_size,
    needed,
    over_all_of,
    without_unused_lets,
)
from tamale.passes.algebra.queries_folding import folded, is_natural, one, replaced, vanishes
from tamale.passes.algebra.queries_once import walked_levels, writes_once

_STARTS_AT_ZERO = frozenset({"add", "or", "xor"})
"""Operators with 0 op e = e."""


def reduction_to_assign(chain: Chain) -> Chain | None:
    """
    `R(i..) op= e`  ->  `R(i..) = e`, if no element of R is written twice and 0 op e = e.
    """
    statement = chain.statement
    if statement.operator is None:
        return None
    naturals = natural_names(chain)
    keeps = statement.operator in _STARTS_AT_ZERO or (
        statement.operator == "max" and is_natural(statement.expression, naturals)
    )
    if not keeps or not writes_once(chain):
        return None
    return chain.with_statement(replace(statement, operator=None))


def natural_names(chain: Chain) -> frozenset[str]:
    """The bound coordinates that are never negative: modes, counters, lets with limits."""
    modes = (name for operand in chain.operands.values() for name in operand.access.indices)
    lets = (
        name
        for name, binding in chain.bindings.items()
        if binding.kind or isinstance(binding.value, Counter)
    )
    return frozenset((*modes, *lets))


def map_fold(chain: Chain) -> Chain | None:
    """`map(map(B, c), v)`  ->  `map(B, v)`, and constants."""
    expression = folded(chain.statement.expression)
    if expression == chain.statement.expression:
        return None
    return chain.with_statement(replace(chain.statement, expression=expression))


def inline_temporary(consumer: Chain, producer: Chain) -> Chain | None:
    """
    `(forall i..: R op= f(W(i..))) where (forall j..: W(..) = e)`  ->  `forall j..: R op= f(e)`.

    The consumer visits all of W and reads nothing else, f(0) is 0, and no element of W is written
    twice. W is the one operand of the consumer.
    """
    operand = consumer.only_operand
    if operand is None or producer.statement.operator is not None or not writes_once(producer):
        return None
    expression, workspace = consumer.statement.expression, operand.access
    if not _visits_all(consumer, workspace) or not vanishes(expression, workspace.tensor):
        return None
    lets = [step for step in consumer.steps if isinstance(step, Binding)]
    if any(isinstance(let.value, Counter) for let in lets):
        return None
    names = dict(zip(workspace.indices, producer.statement.result.indices, strict=True))
    for let in lets:
        names[let.name] = fresh(let.name, producer.names | set(names.values()))
    result = consumer.statement.result
    target = Access(
        fresh(result.tensor, producer.names | set(names.values())),
        tuple(names[index] for index in result.indices),
    )
    value = replaced(
        _renamed_value(expression, names), workspace.tensor, producer.statement.expression
    )
    moved = tuple(_renamed(let, names, producer) for let in lets)
    statement = Assignment(target, consumer.statement.operator, value)
    return Chain((*producer.steps, *moved), statement, producer.operands)


def _visits_all(chain: Chain, access: Access) -> bool:
    """Whether the loops visit each element of a dense tensor once."""
    sets = {
        variable: (Stored(access.tensor, variable), Universe(variable))
        for variable in access.indices
    }
    visited = [loop.variable for loop in chain.loops]
    return sorted(visited) == sorted(sets) and all(
        loop.domain in sets[loop.variable] for loop in chain.loops
    )


def _renamed(let: Binding, names: Mapping[str, str], producer: Chain) -> Binding:
    """A let of a consumer in the producer's names."""
    meaning: dict[str, Expr] = {
        dimension(old).name: _size(new, producer) for old, new in names.items()
    }
    meaning |= {old: Var(new) for old, new in names.items()}
    limit = None if let.limit is None else substitute(let.limit, meaning)
    return Binding(names[let.name], substitute(let.value, meaning), let.kind, limit)


def _size(name: str, chain: Chain) -> Expr:
    """The size of a dimension with this coordinate: the limit of a let, else the mode's."""
    binding = chain.bindings.get(name)
    limit = None if binding is None else binding.limit
    return dimension(name) if limit is None else limit


def _renamed_value(expression: Value, names: Mapping[str, str]) -> Value:
    match expression:
        case Access(tensor=tensor, indices=()):
            return Access(names.get(tensor, tensor))
        case Call(operator=operator, arguments=arguments):
            return Call(operator, tuple(_renamed_value(a, names) for a in arguments))
        case _:
            return expression


def simplify_width_count(chain: Chain) -> Chain | None:
    """
    `forall j1..jn: R += map(B, c)`  ->  `forall j1..jm: R += width(B) * c`.

    The loops of jm+1..jn are over B's innermost levels and no coordinate of theirs is used; B has
    no padding, and positions tell how many entries are below a position of level m. Also for the
    reductions of which one entry or several are the same, where the count only has to be a number
    other than 0:

    `forall j1..jn: R |= map(B, c)`  ->  `forall j1..jm: R |= map(width(B), c)`, and so for `max=`.
    """
    match chain.statement.expression:
        case Call(operator="map", arguments=(Access(tensor=name) as access, Literal() as constant)):
            operand = chain.operands.get(name)
        case _:
            return None
    if operand is None or walked_levels(chain, operand) != len(operand.format.levels):
        return None
    width: Value = Call("width", (access,))
    match chain.statement.operator:
        case "add":
            value = folded(Call("mul", (width, constant)))
        case "or" | "max":
            value = Call("map", (width, constant))
        case _:
            return None
    reduced = without_unused_lets(chain)
    if any(counters(binding.value) for binding in reduced.bindings.values()):
        return None  # It counts how often it is reached.
    used = needed(reduced)
    for start in range(len(reduced.loops)):
        dropped = {loop.variable for loop in reduced.loops[start:]}
        if not dropped & used and counts_below(operand, start):
            steps = tuple(step for step in reduced.steps if step.name not in dropped)
            statement = replace(chain.statement, expression=value)
            return Chain(steps, statement, chain.operands)
    return None


def counts_below(operand: Operand, start: int) -> bool:
    """
    Whether the entries below a position of the loops over the levels above `start` can be counted.

    Such a position has to be one, and a level with one entry per position has nothing to count.
    """
    format = operand.format
    properties = [format.properties(k) for k in range(len(format.levels))]
    return (
        not operand.padded
        and start in operand.countable
        and all(above.unique for above in properties[:start])
        and not all(below.branchless for below in properties[start:])
    )


def counter_to_histogram(chain: Chain, temporary: str) -> tuple[Chain, Chain] | None:
    """
    `forall j..: let k = #c..: R(g..) max= map(B, k + 1)`  ->
    `(forall c..: R(g..) max= W(c..)) where (forall j..: W(c..) += map(B, 1))`

    The group g.. is a function of c.., so that the last entry of each c.. is in one group.
    Gives producer and consumer; `temporary` names W.
    """
    statement = chain.statement
    match statement.expression:
        case Call(
            operator="map",
            arguments=(
                Access(tensor=name) as access,
                Call(operator="add", arguments=(Access(tensor=k, indices=()), Literal(value=1))),
            ),
        ):
            binding, operand = chain.bindings.get(k), chain.operands.get(name)
        case _:
            return None
    if operand is None or binding is None or not isinstance(binding.value, Counter):
        return None
    if statement.operator != "max":
        return None
    counted = tuple(dict.fromkeys(binding.value.variables))
    lets = _lets_from(chain, counted)
    if lets is None:
        return None
    workspace = Access(fresh(temporary, chain.names), counted)
    producer = without_unused_lets(chain.with_statement(Assignment(workspace, "add", one(access))))
    largest = Assignment(statement.result, "max", workspace)
    return producer, over_all_of(workspace, largest, lets)


def _lets_from(chain: Chain, counted: tuple[str, ...]) -> tuple[Binding, ...] | None:
    """The lets that compute the result's indices from the counted coordinates; None if none do."""
    sizes = frozenset(dimension(name).name for name in counted)
    found: dict[str, Binding] = {}
    pending = [name for name in chain.statement.result.indices if name not in counted]
    while pending:
        binding = chain.bindings.get(pending.pop())
        if binding is None or isinstance(binding.value, Counter):
            return None
        variables = free_variables(binding.value)
        if any(is_size(v) and v not in sizes for v in variables):
            return None
        found[binding.name] = binding
        pending += [v for v in binding.inputs if v not in counted and v not in found]
    return tuple(binding for name, binding in chain.bindings.items() if name in found)
