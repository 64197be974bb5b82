"""
Queries as values: one statement inside a chain of loops and lets.

    forall i in A.i, forall j in A.j, let k = j - i + dim_i - 1 below dim_i + dim_j - 1:
        Q(k) |= map(A(i,j), 1)

Queries start in such a form (`queries_canonical`) and are rewritten in it (`queries_rewriting`). In
statements,

- `map(x, v)` is v where x has an entry here, or is a number other than 0; else it is 0;
- `width(A(i,j))` is how many entries A stores at the loops' position, over the levels, innermost
  ones, that have no loop;
- a bare name that a loop or a let binds is that coordinate, as a number.

A result starts at 0 everywhere, also for `max=`: all numbers are at least 0. Duplicates are entries
of their own. Source: Chou et al., PLDI 2020, sec. 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from typing import Literal as Choice
from typing import TypeAlias

from tamale.dialects.cin.sets import SetExpr, Stored, set_text
from tamale.dialects.format.expressions import Expr, counters, free_variables
from tamale.dialects.format.expressions import to_text as expression_text
from tamale.dialects.format.folding import DIMENSION
from tamale.dialects.format.named import dense_format
from tamale.dialects.format.spec import Format
from tamale.dialects.format.substitution import substitute
from tamale.dialects.notation.ast import Access, Assignment, to_text, walk


@dataclass(frozen=True)
class Operand:
    """A tensor that a query reads, and what its format promises."""

    access: Access
    format: Format
    padded: bool = False
    """Whether it has positions that no entry asked for."""
    countable: frozenset[int] = frozenset()
    """The levels k such that positions tell how many entries are below a parent of level k."""
    overshoots: bool = False
    """Whether positions without an entry below may tell modes outside of their dimensions."""

    def may_leave(self, level: int) -> bool:
        """
        Whether what a position of a level tells of the modes may lie outside of their sizes: there
        need not be an entry below, unless each position has one.
        """
        below = range(level + 1, len(self.format.levels))
        holds = all(self.format.properties(k).branchless for k in below)
        return self.padded or (self.overshoots and not holds)

    @property
    def has_duplicates(self) -> bool:
        """Whether there may be two entries with the same coordinates."""
        return self.format.may_repeat


@dataclass(frozen=True)
class Loop:
    """`forall variable in domain`."""

    variable: str
    domain: SetExpr

    def __str__(self) -> str:
        return f"forall {self.variable} in {set_text(self.domain)}"

    @property
    def name(self) -> str:
        return self.variable


@dataclass(frozen=True)
class Binding:
    """
    `let name = value`, with one of two promises about `limit`.

    `within` skips what is inside unless 0 <= value < limit; `below` says that this holds.
    """

    name: str
    value: Expr
    kind: Choice["within", "below"] | None = None
    limit: Expr | None = None

    def __str__(self) -> str:
        bound = "" if self.limit is None else f" {self.kind} {expression_text(self.limit)}"
        return f"let {self.name} = {expression_text(self.value)}{bound}"

    @property
    def inputs(self) -> frozenset[str]:
        """The variables that have to be bound outside, sizes not counted."""
        return frozenset(v for v in free_variables(self.value) if not is_size(v))


Step: TypeAlias = Loop | Binding


@dataclass(frozen=True)
class Chain:
    """Steps, outermost first, around a statement."""

    steps: tuple[Step, ...]
    statement: Assignment
    operands: Mapping[str, Operand]
    """The tensors that the statement reads, by name."""

    def __str__(self) -> str:
        steps, statement = ", ".join(map(str, self.steps)), to_text(self.statement)
        return f"{steps}: {statement}" if steps else statement

    @property
    def loops(self) -> tuple[Loop, ...]:
        return tuple(step for step in self.steps if isinstance(step, Loop))

    @property
    def bindings(self) -> dict[str, Binding]:
        """The lets by name."""
        return {step.name: step for step in self.steps if isinstance(step, Binding)}

    @property
    def names(self) -> frozenset[str]:
        """Everything that has a name in it."""
        bound = (step.name for step in self.steps)
        modes = (name for operand in self.operands.values() for name in operand.access.indices)
        return frozenset((*bound, *modes, *self.operands, self.statement.result.tensor))

    @property
    def only_operand(self) -> Operand | None:
        """The tensor it reads, if that is one."""
        operands = tuple(self.operands.values())
        return operands[0] if len(operands) == 1 else None

    def with_statement(self, statement: Assignment) -> Chain:
        """Another statement in the same loops."""
        return replace(self, statement=statement)


def is_size(variable: str) -> bool:
    """Whether a variable of an expression is the size of a dimension."""
    return variable.startswith(DIMENSION)


def fresh(base: str, taken: Set[str]) -> str:
    """`base`, with underscores behind it if the name is taken."""
    while base in taken:
        base += "_"
    return base


def coordinate_names(chain: Chain) -> frozenset[str]:
    """The bound names that the statement uses as coordinates: indices and numbers."""
    result, expression = chain.statement.result, chain.statement.expression
    bare = (
        node.tensor for node in walk(expression) if isinstance(node, Access) and not node.indices
    )
    return frozenset((*result.indices, *bare)) - chain.operands.keys()


def without_unused_lets(chain: Chain) -> Chain:
    """
    The chain without the lets whose names nothing uses.

    One that may skip its body stays, unless the operand has no padding: then all its coordinates
    are within their sizes.
    """
    used = set(coordinate_names(chain))
    kept: list[Step] = []
    operand = chain.only_operand
    padded = operand is None or operand.padded
    for step in reversed(chain.steps):
        if isinstance(step, Binding):
            if step.name not in used and not (step.kind == "within" and padded):
                continue
            used |= step.inputs
        kept.append(step)
    return replace(chain, steps=tuple(reversed(kept)))


def needed(chain: Chain) -> frozenset[str]:
    """The names that the statement needs, directly or through lets."""
    used, bindings = set(coordinate_names(chain)), chain.bindings
    pending = [bindings[name] for name in used if name in bindings]
    while pending:
        for name in pending.pop().inputs - used:
            used.add(name)
            if name in bindings:
                pending.append(bindings[name])
    return frozenset(used)


def inlined(expression: Expr, bindings: Mapping[str, Binding], stop: Set[str]) -> Expr:
    """`expression` with lets replaced by their values, except those in `stop` and counters."""
    open_ = {
        name: binding.value
        for name, binding in bindings.items()
        if name not in stop and not counters(binding.value)
    }
    while open_.keys() & free_variables(expression):
        expression = substitute(expression, open_)
    return expression


def walked(operand: Operand, variables: Iterable[str]) -> Iterator[Loop]:
    """The loops over levels of an operand, one for each of the level variables."""
    for variable in variables:
        yield Loop(variable, Stored(operand.access.tensor, variable))


def over_all_of(workspace: Access, statement: Assignment, lets: tuple[Binding, ...] = ()) -> Chain:
    """The statement in loops over all of a dense temporary, with lets inside."""
    operand = Operand(workspace, dense_format(len(workspace.indices)), padded=True)
    loops = walked(operand, workspace.indices)
    return Chain((*loops, *lets), statement, {workspace.tensor: operand})
