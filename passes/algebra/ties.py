"""
Accesses that repeat an index variable, with a variable of its own for every mode.

`A(i,i)` becomes `A(i,i_)`, where i_ is *tied* to i: they are equal. The mode that is stored first
keeps the variable, so that what it is tied to is known when its own level is reached.

A level that stores every coordinate is located: `let i_ = i`. Another one is walked, and a guard,
`let i_off = i_ - i within 1`, lets only the diagonal pass. Such a walk finds one entry at most. It
is put around as much as has no entry without it, `A(i,i_) * x(i)`; where nothing else is in the
statement it is part of the loops, else a reduction, `b(i) + sum(i_, A(i,i_))`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from tamale.dialects.format.expressions import Binary, Var
from tamale.dialects.format.expressions import Expr as LevelExpr
from tamale.dialects.format.normal import normalize
from tamale.dialects.format.spec import Format
from tamale.dialects.format.substitution import substitute
from tamale.dialects.level_variables import derived_modes, in_index_variables, level_variables
from tamale.dialects.notation.ast import Access, Assignment, Call, Expr, Reduce, walk
from tamale.passes.algebra.absence import replace_access, without
from tamale.passes.algebra.fills import is_fill, number
from tamale.passes.algebra.linearity import is_linear, reads
from tamale.passes.algebra.loop_order import Derived, Tie
from tamale.passes.algebra.terms import accesses_in, free_in


@dataclass(frozen=True)
class Untied:
    """A statement whose accesses name no index variable twice."""

    result: Access
    expression: Expr
    lets: tuple[Derived, ...] = ()
    """What binds the tied variables, or guards their loops."""
    walked: frozenset[str] = frozenset()
    """The tied variables that have a loop; what is inside runs once at most."""


def untie(statement: Assignment, formats: Mapping[str, Format]) -> Untied:
    """The statement with a variable for each mode of an access; `formats` covers all of them."""
    return _Untying(formats, _names_in(statement)).untie(statement)


def _names_in(statement: Assignment) -> set[str]:
    names = {statement.result.tensor, *statement.result.indices}
    for node in walk(statement.expression):
        if isinstance(node, Access):
            names |= {node.tensor, *node.indices}
    return names


@dataclass
class _Untying:
    """Unties one statement."""

    formats: Mapping[str, Format]
    taken: set[str]
    lets: list[Derived] = field(default_factory=list[Derived])
    walked: set[str] = field(default_factory=set[str])

    def untie(self, statement: Assignment) -> Untied:
        result, ties = self._apart(statement.result)
        self.lets += [_equal(tie, result) for tie in ties.values()]
        expression = statement.expression
        for access in accesses_in(expression):
            expression = self._untie_operand(access, expression)
        return Untied(result, expression, tuple(self.lets), frozenset(self.walked))

    def _untie_operand(self, access: Access, expression: Expr) -> Expr:
        apart, ties = self._apart(access)
        if not ties:
            return expression
        format = self.formats[access.tensor]
        expression = replace_access(expression, access.tensor, apart)
        located = [tie for mode, tie in ties.items() if _is_located(format, mode)]
        for tie in located:
            expression = _bind_beside(expression, tie)
        self.lets += [_equal(tie, apart) for tie in located]
        walks = [tie for tie in ties.values() if tie not in located]
        if not walks:
            return expression
        self.walked |= {tie.variable for tie in walks}
        self.lets += [self._guard(tie, apart, format) for tie in walks]
        walk = _Walk(apart.tensor, walks, format.may_repeat)
        return expression if walk.is_all_of(expression) else walk.around(expression)

    def _apart(self, access: Access) -> tuple[Access, dict[int, Tie]]:
        """The access with new variables for repetitions, and the ties of its modes."""
        indices, ties, seen = list(access.indices), dict[int, Tie](), set[str]()
        for mode in _storage_order(self.formats[access.tensor]):
            first = access.indices[mode]
            if first in seen:
                indices[mode] = self._fresh(f"{first}_")
                ties[mode] = Tie(indices[mode], first)
            seen.add(first)
        return replace(access, indices=tuple(indices)), ties

    def _guard(self, tie: Tie, access: Access, format: Format) -> Derived:
        """How far the tied variable is off."""
        offset = _over_levels(Binary("-", Var(tie.variable), Var(tie.first)), access, format)
        return Derived(self._fresh(f"{tie.first}_off"), offset, access.tensor, tie)

    def _fresh(self, name: str) -> str:
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return name


def _over_levels(expression: LevelExpr, access: Access, format: Format) -> LevelExpr:
    """An expression over the variables of the access's levels; one that stores it says it best."""
    for variable, level in zip(level_variables(access, format), format.levels, strict=True):
        if in_index_variables(level.expression, access, format) == expression:
            return Var(variable)
    derived = {mode.variable: mode.value for mode in derived_modes(access, format)}
    return normalize(substitute(expression, derived))


def _storage_order(format: Format) -> Iterator[int]:
    """The modes that levels store, outermost first, and then those that expressions tell."""
    stored = [mode for mode in format.stored_modes if mode is not None]
    yield from dict.fromkeys((*stored, *range(format.order)))


def _is_located(format: Format, mode: int) -> bool:
    """Whether a mode has a level that stores every coordinate of it."""
    if mode not in format.stored_modes:
        return False
    return format.properties(format.stored_modes.index(mode)).full


def _equal(tie: Tie, access: Access) -> Derived:
    return Derived(tie.variable, Var(tie.first), access.tensor, tie)


def _bind_beside(expression: Expr, tie: Tie) -> Expr:
    """A reduction over a variable is one over what is tied to it, which has one value for each."""
    match expression:
        case Reduce(operator, variables, body):
            if tie.first in variables:
                variables = (*variables, tie.variable)
            return Reduce(operator, variables, _bind_beside(body, tie))
        case Call(operator, arguments):
            return Call(operator, tuple(_bind_beside(a, tie) for a in arguments))
        case _:
            return expression


@dataclass(frozen=True)
class _Walk:
    """The walk of an access along its tied modes."""

    access: str
    ties: list[Tie]
    repeats: bool
    """Whether it may find several entries at one place, to be added up."""

    def is_all_of(self, expression: Expr) -> bool:
        """Whether a whole statement can be done inside of it, once at most."""
        reduces = isinstance(expression, Reduce)
        return not reduces and not self.repeats and self._can_be_around(expression)

    def around(self, expression: Expr) -> Expr:
        """The expression with a sum over the tied variables."""
        if not reads(expression, self.access):
            return expression
        if self._can_be_around(expression) and not isinstance(expression, Reduce):
            return Reduce("add", tuple(tie.variable for tie in self.ties), expression)
        match expression:
            case Reduce(operator, variables, body):
                inner = self.around(body)
                if operator == "add" and isinstance(inner, Reduce) and inner.body == body:
                    return Reduce("add", (*variables, *inner.variables), body)
                return Reduce(operator, variables, inner)
            case Call(operator, arguments):
                return Call(operator, tuple(map(self.around, arguments)))
            case _:
                return expression

    def _can_be_around(self, expression: Expr) -> bool:
        """Whether the expression has no entry where the access has none, and is bound outside."""
        if not {tie.first for tie in self.ties} <= free_in(expression):
            return False
        if self.repeats and not is_linear(expression, self.access):
            return False
        absent = without(expression, {self.access})
        return is_fill(absent) and number(absent) == 0
