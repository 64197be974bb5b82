"""
What queries mean: chains are executed step by step, aggregations follow their definition.

A tensor is a tree of coordinates, a level of nodes per level of its format, made from the meaning
of level kinds and not from their code.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from tamale.dialects.cin.sets import Stored
from tamale.dialects.format.expressions import Counter, Expr, Var, counters, evaluate
from tamale.dialects.format.folding import dimension
from tamale.dialects.format.invert import facts_of, value_from
from tamale.dialects.format.substitution import inline_lets
from tamale.dialects.format.symbolic_bounds import extent_of
from tamale.dialects.notation.ast import Access, Call, Literal
from tamale.dialects.notation.ast import Expr as Value
from tamale.dialects.query.remapping import Remapping
from tamale.dialects.query.select import EVERY, Aggregate
from tamale.passes.algebra.queries import Binding, Chain, Loop, Operand, Step

Coordinates: TypeAlias = tuple[int, ...]


@dataclass
class Node:
    """A coordinate in one level, what is below it, and at the end whether an entry is there."""

    coordinate: int
    children: list[Node] = field(default_factory=list["Node"])
    entry: Coordinates | None = None

    def entries(self) -> Iterator[Coordinates]:
        """The coordinates of the entries below, in the order in which they are stored."""
        if self.entry is not None:
            yield self.entry
        for child in self.children:
            yield from child.entries()


def numbered(expression: Expr, values: Mapping[str, int], tally: Tally[object]) -> int:
    """The value of an expression with counters, each counted up in `tally`."""
    flat = inline_lets(expression)
    counts: dict[Counter, int] = {}
    for counter in counters(flat):
        key = counter, tuple(values[name] for name in counter.variables)
        counts[counter] = tally[key]
        tally[key] += 1
    return evaluate(flat, values, counts)


def tree_of(operand: Operand, shape: Coordinates, entries: Sequence[Coordinates]) -> Node:
    """The entries as the operand's format stores them."""
    format = operand.format
    tallies = [Tally[object]() for _ in format.levels]
    placed = [
        tuple(
            numbered(level.expression, dict(zip(format.modes, entry, strict=True)), tally)
            for level, tally in zip(format.levels, tallies, strict=True)
        )
        for entry in entries
    ]
    stored = sorted(zip(placed, entries, strict=True))
    root = Node(0)
    _grow(root, operand, shape, stored, [p for p, _ in stored], ())
    return root


def _grow(
    node: Node,
    operand: Operand,
    shape: Coordinates,
    stored: list[tuple[Coordinates, Coordinates]],
    everything: list[Coordinates],
    above: Coordinates,
) -> None:
    depth = len(above)
    if depth == len(operand.format.levels):
        assert len(stored) <= 1
        node.entry = stored[0][1] if stored else None
        return
    for coordinate, below in _children(operand, shape, stored, everything, above):
        child = Node(coordinate)
        node.children.append(child)
        _grow(child, operand, shape, below, everything, (*above, coordinate))


def _children(
    operand: Operand,
    shape: Coordinates,
    stored: list[tuple[Coordinates, Coordinates]],
    everything: list[Coordinates],
    above: Coordinates,
) -> list[tuple[int, list[tuple[Coordinates, Coordinates]]]]:
    """The coordinates below a node of a level, each with the entries that it leads to."""
    format, depth = operand.format, len(above)
    own = [place[depth] for place, _ in stored]
    low, size = (0, 0)
    if not counters(format.levels[depth].expression):
        low, size = extent_of(format, depth, shape)
    match format.levels[depth].kind:
        case "dense":
            visited = list(range(low, low + size))
        case "range":
            inside = range(low, low + size)
            visited = [c for c in inside if _within(operand, shape, (*above, c))]
        case "sliced":
            visited = list(range(max((place[depth] for place in everything), default=-1) + 1))
        case "squeezed":
            visited = sorted({place[depth] for place in everything})
        case "offset":
            visited = [_only_coordinate(operand, above)]
        case "singleton" if not stored:
            visited = [0]
        case _ if format.properties(depth).unique:
            visited = sorted(set(own))
        case _:
            return [(place[depth], [(place, entry)]) for place, entry in stored]
    return [(c, [pair for pair in stored if pair[0][depth] == c]) for c in visited]


def _only_coordinate(operand: Operand, above: Coordinates) -> int:
    levels = [level.expression for level in operand.format.levels]
    value = value_from(levels[len(above)], facts_of(levels[: len(above)]))
    assert value is not None
    return evaluate(value, {f"l{k}": c for k, c in enumerate(above)})


def _within(operand: Operand, shape: Coordinates, coordinates: Coordinates) -> bool:
    """Whether the modes that the outer levels' coordinates determine are in their dimensions."""
    levels = [level.expression for level in operand.format.levels[: len(coordinates)]]
    facts = facts_of(levels)
    for mode, size in zip(operand.format.modes, shape, strict=True):
        value = value_from(Var(mode), facts)
        known = {f"l{k}": c for k, c in enumerate(coordinates)}
        if value is not None and not 0 <= evaluate(value, known) < size:
            return False
    return True


@dataclass
class Array:
    """A dense array of numbers, 0 where nothing was written."""

    shape: Coordinates
    values: dict[Coordinates, int] = field(default_factory=dict[Coordinates, int])

    def __getitem__(self, place: Coordinates) -> int:
        return self.values.get(place, 0)

    def nonzero(self) -> dict[Coordinates, int]:
        """The elements other than 0."""
        return {place: value for place, value in self.values.items() if value}


class Run:
    """One execution of a chain."""

    def __init__(self, chain: Chain, tensors: Mapping[str, Node | Array], sizes: Mapping[str, int]):
        self.chain = chain
        self.tensors = tensors
        self.sizes = {dimension(name).name: size for name, size in sizes.items()}
        for name, tensor in tensors.items():
            if isinstance(tensor, Array) and name in chain.operands:
                for index, size in zip(
                    chain.operands[name].access.indices, tensor.shape, strict=True
                ):
                    self.sizes[dimension(index).name] = size
        self.nodes = {n: t for n, t in tensors.items() if isinstance(t, Node)}
        self.tallies: dict[str, Tally[object]] = {}
        indices = chain.statement.result.indices
        self.result = Array(tuple(self.size(index) for index in indices))

    def size(self, index: str) -> int:
        binding = self.chain.bindings.get(index)
        if binding is None or binding.limit is None:
            return self.sizes[dimension(index).name]
        return evaluate(binding.limit, self.sizes)

    def execute(self) -> Array:
        self.step(self.chain.steps, {})
        return self.result

    def step(self, steps: tuple[Step, ...], bound: dict[str, int]) -> None:
        if not steps:
            self.assign(bound)
            return
        match steps[0]:
            case Binding() as binding:
                self.bind(binding, steps[1:], bound)
            case Loop(variable, Stored(name, _)) if isinstance(self.tensors[name], Node):
                outer = self.nodes[name]
                for node in outer.children:
                    self.nodes[name] = node
                    self.step(steps[1:], {**bound, variable: node.coordinate})
                self.nodes[name] = outer
            case Loop(variable, _):
                for value in range(self.sizes[dimension(variable).name]):
                    self.step(steps[1:], {**bound, variable: value})

    def bind(self, binding: Binding, inside: tuple[Step, ...], bound: dict[str, int]) -> None:
        tally = self.tallies.setdefault(binding.name, Tally())
        value = numbered(binding.value, {**self.sizes, **bound}, tally)
        if binding.limit is not None:
            fits = 0 <= value < evaluate(binding.limit, {**self.sizes, **bound})
            assert fits or binding.kind == "within", f"{binding} is {value}"
            if not fits:
                return
        self.step(inside, {**bound, binding.name: value})

    def assign(self, bound: dict[str, int]) -> None:
        statement = self.chain.statement
        place = tuple(bound[index] for index in statement.result.indices)
        assert all(0 <= c < n for c, n in zip(place, self.result.shape, strict=True))
        value, old = self.value(statement.expression, bound), self.result[place]
        combined = {None: value, "add": old + value, "or": old | value, "max": max(old, value)}
        self.result.values[place] = combined[statement.operator]

    def value(self, expression: Value, bound: Mapping[str, int]) -> int:
        match expression:
            case Literal(value=int(number)):
                return number
            case Access(tensor=name, indices=indices):
                tensor = self.tensors.get(name)
                if isinstance(tensor, Array):
                    return tensor[tuple(bound[index] for index in indices)]
                return bound[name]
            case Call(operator="map", arguments=(Access(tensor=name), v)) if name in self.nodes:
                assert not self.nodes[name].children
                return 0 if self.nodes[name].entry is None else self.value(v, bound)
            case Call(operator="map", arguments=(x, v)):
                return self.value(v, bound) if self.value(x, bound) else 0
            case Call(operator="width", arguments=(Access(tensor=name),)):
                return len(list(self.nodes[name].entries()))
            case Call(operator="add", arguments=(a, b)):
                return self.value(a, bound) + self.value(b, bound)
            case Call(operator="mul", arguments=(a, b)):
                return self.value(a, bound) * self.value(b, bound)
            case _:
                raise AssertionError(f"{expression} is in no query")


def run(
    chains: Sequence[Chain], name: str, tensor: Node, sizes: Mapping[str, int]
) -> dict[Coordinates, int]:
    """The nonzero results of the last chain; `name` is the source's."""
    tensors: dict[str, Node | Array] = {name: tensor}
    result = Array(())
    for chain in chains:
        result = Run(chain, tensors, sizes).execute()
        tensors[chain.statement.result.tensor] = result
    return result.nonzero()


def defined(
    group: Sequence[str],
    aggregate: Aggregate,
    remapping: Remapping,
    entries: Sequence[Coordinates],
    ranges: Mapping[str, tuple[int, int]],
) -> dict[Coordinates, int]:
    """
    An aggregation of entries in stored order by its definition, as results store it.

    `ranges` has the smallest and largest value of each remapped coordinate.
    """
    tallies = {name: Tally[object]() for name in remapping.names}
    groups: dict[Coordinates, list[dict[str, int]]] = {}
    for entry in entries:
        modes = dict(zip(remapping.modes, entry, strict=True))
        values = {n: numbered(e, modes, tallies[n]) for n, e in dict(remapping.targets).items()}
        place = tuple(values[name] - ranges[name][0] for name in group)
        groups.setdefault(place, []).append(values)
    names = aggregate.coordinates
    result: dict[Coordinates, int] = {}
    for place, members in groups.items():
        low, high = ranges[names[0]] if names and names != EVERY else (0, 0)
        match aggregate.function:
            case "id":
                result[place] = 1
            case "count" if names == EVERY:
                result[place] = len(members)
            case "count":
                result[place] = len({tuple(m[n] for n in names) for m in members})
            case "max":
                result[place] = max(m[names[0]] for m in members) - low + 1
            case "min":
                result[place] = high - min(m[names[0]] for m in members) + 1
    return result
