r"""
The canonical forms of queries, Chou et al., PLDI 2020, sec. 5:

| aggregation  | canonical form                                                               |
|--------------|------------------------------------------------------------------------------|
| `id()`       | `forall j..: Q(g..) \|= map(A, 1)`                                           |
| `count(*)`   | `forall j..: Q(g..) += map(A, 1)`                                            |
| `count(x..)` | `forall j..: W(g..,x..) \|= map(A, 1)`, `forall g..,x..: Q(g..) += map(W, 1)` |
| `max(x)`     | `forall j..: Q(g..) max= map(A, x + 1)`                                      |
| `min(x)`     | `forall j..: Q(g..) max= map(A, x_left + 1)`, x_left = the largest x less x  |

Coordinates that are no plain modes are lets, counted from their smallest value. A maximum over a
counter among padding is a histogram from the start: a let also counts what is no entry.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from tamale.dialects.errors import TamaleError
from tamale.dialects.format.expressions import (
    Binary,
    Const,
    Counter,
    Expr,
    Var,
    counters,
    to_text,
)
from tamale.dialects.format.folding import add, dimension, subtract
from tamale.dialects.format.substitution import inline_lets
from tamale.dialects.format.symbolic_bounds import symbolic_bounds
from tamale.dialects.level_variables import derived_modes, level_variables
from tamale.dialects.notation.ast import Access, Assignment
from tamale.dialects.notation.ast import Expr as Value
from tamale.dialects.notation.keywords import KEYWORDS
from tamale.dialects.operators import declared_operators
from tamale.dialects.query.remapping import Remapping
from tamale.dialects.query.select import EVERY, Aggregate
from tamale.passes.algebra.queries import (
    Binding,
    Chain,
    Operand,
    Step,
    over_all_of,
    walked,
)
from tamale.passes.algebra.queries_folding import mapped, one, plus_one
from tamale.passes.algebra.queries_rewriting import counter_to_histogram

ONE = Const(1)
TEMPORARY = "W"
NOTATION = frozenset({"U", "empty", *KEYWORDS, *declared_operators(internal=True)})
"""Names with a meaning of their own in statements and sets."""


def canonical(
    group: Sequence[str], aggregate: Aggregate, operand: Operand, remapping: Remapping
) -> tuple[Chain, ...]:
    """
    The chains that compute an aggregation, in order; the last one gives the result.

    The modes of `remapping` are the indices of the operand's access.

    Raises:
        TamaleError: it depends on how nonzeros are numbered among padding.
    """
    chains = _canonical(CanonicalForm(operand, remapping), group, aggregate)
    if operand.padded and any(map(_counts, chains)):
        _refuse(group, aggregate, operand)
    return chains


def numbers_nonzeros(
    group: Sequence[str], aggregate: Aggregate, operand: Operand, remapping: Remapping
) -> bool:
    """Whether an aggregation depends on how nonzeros are numbered, which padding would disturb."""
    return any(map(_counts, _canonical(CanonicalForm(operand, remapping), group, aggregate)))


def _canonical(
    form: CanonicalForm, group: Sequence[str], aggregate: Aggregate
) -> tuple[Chain, ...]:
    result, access = form.reserve(aggregate.label), form.operand.access
    match aggregate.function:
        case "id":
            return (form.chain(result, "or", group, one(access)),)
        case "count" if aggregate.coordinates == EVERY:
            return (form.chain(result, "add", group, one(access)),)
        case "count":
            return form.counted(result, group, aggregate.coordinates)
        case "max":
            return form.largest(result, group, aggregate.coordinates[0])
        case "min":
            return (form.smallest(result, group, aggregate.coordinates[0]),)


def _counts(chain: Chain) -> bool:
    """Whether a let numbers what the loops visit."""
    return any(counters(binding.value) for binding in chain.bindings.values())


def _refuse(group: Sequence[str], aggregate: Aggregate, operand: Operand) -> NoReturn:
    query = f"select [{', '.join(group)}] -> {aggregate}"
    raise TamaleError(
        f"lower-queries: '{query}' numbers the nonzeros of {operand.access.tensor}, which is "
        f"stored with padding between them, as '{operand.format}'\n"
        "  help: convert it to a format without padding first, such as csr or coo"
    )


@dataclass
class CanonicalForm:
    """The loops over a source with the remapped coordinates in them, and the names given away."""

    operand: Operand
    remapping: Remapping
    taken: set[str] = field(default_factory=set[str])
    indices: dict[str, str] = field(default_factory=dict[str, str])
    """Remapped coordinate -> what it is called where results are indexed by it."""
    lets: dict[str, Binding] = field(default_factory=dict[str, Binding])
    """The lets made for coordinates so far."""

    def __post_init__(self) -> None:
        access = self.operand.access
        variables = level_variables(access, self.operand.format)
        self.taken |= {access.tensor, *access.indices, *variables, *NOTATION}

    def reserve(self, base: str) -> str:
        """A name that nothing has yet."""
        name = base
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return name

    def let(self, name: str, value: Expr, below: Expr | None = None) -> str:
        """Adds a let; gives its name."""
        kind = None if below is None else "below"
        self.lets[name] = Binding(name, value, kind, below)
        return name

    def index(self, name: str) -> str:
        """A remapped coordinate that a result is indexed by."""
        if name not in self.indices:
            self.indices[name] = self.coordinate(name, self.extent(self.remapping.expression(name)))
        return self.indices[name]

    def coordinate(self, name: str, below: Expr | None) -> str:
        """A remapped coordinate from 0 on: a mode's index variable, else a let."""
        expression = inline_lets(self.remapping.expression(name))
        match expression:
            case Var(mode):
                return mode
            case Counter():
                return self.let(self.reserve(name), expression, below)
            case _:
                low, _ = self.bounds(expression)
                value = subtract(self.named(expression), low)
                return self.let(self.reserve(name), value, below)

    def named(self, expression: Expr) -> Expr:
        """An expression with a let for each counter."""
        names: dict[Counter, str] = {}
        for counter in sorted(counters(expression), key=to_text):
            name = self.reserve("_".join(("n", *counter.variables)))
            names[counter] = self.let(name, counter)
        return with_names(expression, names)

    def bounds(self, expression: Expr) -> tuple[Expr, Expr]:
        """The smallest and the largest value of an expression over whole modes."""
        modes = self.operand.access.indices
        return symbolic_bounds(expression, {mode: dimension(mode) for mode in modes})

    def extent(self, expression: Expr) -> Expr | None:
        """How many values it can have from the smallest on; None if nothing bounds it."""
        if counters(expression) and self.operand.has_duplicates:
            return None
        low, high = self.bounds(expression)
        return add(subtract(high, low), ONE)

    def chain(self, result: str, operator: str, group: Sequence[str], value: Value) -> Chain:
        """`forall j..: result(group..) op= value`."""
        target = Access(result, tuple(map(self.index, group)))
        statement = Assignment(target, operator, value)
        operands = {self.operand.access.tensor: self.operand}
        steps = placed(source_steps(self.operand), tuple(self.lets.values()))
        return Chain(steps, statement, operands)

    def counted(
        self, result: str, group: Sequence[str], coordinates: Sequence[str]
    ) -> tuple[Chain, Chain]:
        """Which coordinates there are, and how many of them."""
        temporary = self.reserve(TEMPORARY)
        marks = self.chain(temporary, "or", (*group, *coordinates), one(self.operand.access))
        workspace = marks.statement.result
        target = Access(result, workspace.indices[: len(group)])
        return marks, over_all_of(workspace, Assignment(target, "add", one(workspace)))

    def largest(self, result: str, group: Sequence[str], name: str) -> tuple[Chain, ...]:
        expression = inline_lets(self.remapping.expression(name))
        extent = None if isinstance(expression, Counter) else self.extent(expression)
        number = Access(self.coordinate(name, extent))
        value = mapped(self.operand.access, plus_one(number))
        chain = self.chain(result, "max", group, value)
        histogram = counter_to_histogram(chain, TEMPORARY) if self.operand.padded else None
        return histogram or (chain,)

    def smallest(self, result: str, group: Sequence[str], name: str) -> Chain:
        expression = inline_lets(self.remapping.expression(name))
        _, high = self.bounds(expression)
        above = subtract(high, expression)
        left = Access(self.let(self.reserve(f"{name}_left"), above, self.extent(expression)))
        return self.chain(result, "max", group, mapped(self.operand.access, plus_one(left)))


def with_names(expression: Expr, names: Mapping[Counter, str]) -> Expr:
    """`expression`, which has no lets, with a variable for each counter."""
    match expression:
        case Counter():
            return Var(names[expression])
        case Binary(op, lhs, rhs):
            return Binary(op, with_names(lhs, names), with_names(rhs, names))
        case _:
            return expression


def source_steps(operand: Operand) -> tuple[Step, ...]:
    """The loops over all levels of a tensor, and lets for the modes that no level stores."""
    access, format = operand.access, operand.format
    derived = derived_modes(access, format)
    steps: list[Step] = []
    for level, loop in enumerate(walked(operand, level_variables(access, format))):
        steps.append(loop)
        for mode in derived:
            if mode.level == level:
                limit = dimension(mode.variable)
                kind = "within" if operand.may_leave(level) else "below"
                steps.append(Binding(mode.variable, mode.value, kind, limit))
    return tuple(steps)


def placed(steps: Sequence[Step], lets: Sequence[Binding]) -> tuple[Step, ...]:
    """The lets among the steps, each as far out as its inputs allow; counters innermost."""
    result, counting = list(steps), [let for let in lets if counters(let.value)]
    for let in lets:
        if let not in counting and not let.inputs & {other.name for other in counting}:
            places = [k for k, step in enumerate(result) if step.name in let.inputs]
            result.insert(max(places, default=-1) + 1, let)
    return tuple(result) + tuple(let for let in lets if let not in result)
