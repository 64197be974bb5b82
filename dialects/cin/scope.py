"""What names mean inside a kernel: accesses, workspaces, index variables bound by loops."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping

from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from tamale.dialects import operators
from tamale.dialects.cin.sets import (
    SetExpr,
    Stored,
    Universe,
    complemented_leaves,
    set_text,
)
from tamale.dialects.cin.sets import walk as walk_set
from tamale.dialects.format.spec import Format
from tamale.dialects.level_variables import level_variables
from tamale.dialects.locations import locate
from tamale.dialects.notation.ast import Access, Assignment, Call, Expr, children, to_text


class Scope:
    """What names mean at a point of the body, for verification."""

    def __init__(
        self,
        accesses: Mapping[str, Access],
        formats: Mapping[str, Format],
        target: Access,
        bound: frozenset[str] = frozenset(),
        workspaces: frozenset[str] = frozenset(),
    ) -> None:
        self.accesses, self.formats, self.target = accesses, formats, target
        self.bound, self.workspaces = bound, workspaces

    def binding(self, op: Operation, variable: str) -> Scope:
        """The scope inside a loop."""
        if variable in self.bound:
            raise wrong(op, f"'{variable}' is already bound")
        bound = self.bound | {variable}
        return Scope(self.accesses, self.formats, self.target, bound, self.workspaces)

    def declaring(self, op: Operation, workspace: Access) -> Scope:
        """The scope inside a where."""
        name = workspace.tensor
        if name in self.accesses:
            raise wrong(op, f"the workspace '{name}' is called like something else")
        accesses = {**self.accesses, name: workspace}
        workspaces = self.workspaces | {name}
        return Scope(accesses, self.formats, self.target, self.bound, workspaces)


def wrong(op: Operation, message: str) -> VerifyException:
    """The error of a statement, located at it."""
    return locate(VerifyException(f"{op.name}: {message}"), op)


def level_of(leaf: Stored, accesses: Mapping[str, Access], formats: Mapping[str, Format]) -> int:
    """The storage level of `leaf`'s access that has `leaf`'s variable as its level variable."""
    variables = level_variables(accesses[leaf.access], formats[leaf.access])
    return variables.index(leaf.variable)


def is_universe(
    leaf: Stored, accesses: Mapping[str, Access], formats: Mapping[str, Format]
) -> bool:
    """
    Whether the leaf is full and need not be walked to know its coordinates.

    They are those of the dimension if the level stores a mode. The size of another level is known
    to its tensor alone: where no other access has the level variable, there is nobody to ask
    instead.
    """
    level = level_of(leaf, accesses, formats)
    format = formats[leaf.access]
    if not format.properties(level).full:
        return False
    if format.stored_modes[level] is not None:
        return True
    others = (a for name, a in accesses.items() if name != leaf.access and name in formats)
    return any(leaf.variable in level_variables(a, formats[a.tensor]) for a in others)


def verify_leaf(op: Operation, leaf: Stored, scope: Scope) -> None:
    """The leaf is a level of a declared operand."""
    if leaf.access not in scope.accesses:
        raise wrong(op, f"'{set_text(leaf)}' names no access of the kernel")
    if leaf.access == scope.target.tensor:
        raise wrong(op, f"'{set_text(leaf)}' is the result's, which is written, not walked")
    access = scope.accesses[leaf.access]
    format = scope.formats.get(leaf.access)
    levels = () if format is None else level_variables(access, format)
    if leaf.variable not in levels:
        raise wrong(op, f"{to_text(access)} has no level of '{leaf.variable}'")


def verify_domain(
    op: Operation, variable: str, domain: SetExpr, located: Iterable[Stored], scope: Scope
) -> None:
    """Leaves are levels of declared accesses and constrain the loop's own variable."""
    complemented = complemented_leaves(domain)
    for leaf in walk_set(domain):
        if not isinstance(leaf, Stored | Universe):
            continue
        resolved = leaf in complemented and leaf.variable in scope.bound
        if leaf.variable != variable and not resolved:
            raise wrong(
                op,
                f"the domain of '{variable}' also names '{set_text(leaf)}'. A domain may only "
                "constrain its own index variable; put the other constraint on the loop of that "
                "variable.",
            )
        if isinstance(leaf, Stored):
            verify_leaf(op, leaf, scope)
    verify_located(op, variable, located, scope)


def verify_located(op: Operation, variable: str, located: Iterable[SetExpr], scope: Scope) -> None:
    """What is located has its coordinate: from the op itself or one around it."""
    for leaf in located:
        if not isinstance(leaf, Stored):
            raise wrong(op, f"'{set_text(leaf)}' is located, but only a stored level can be")
        verify_leaf(op, leaf, scope)
        if leaf.variable != variable and leaf.variable not in scope.bound:
            raise wrong(op, f"'{set_text(leaf)}' is located outside the loop of '{leaf.variable}'")


def verify_statement(op: Operation, statement: Assignment, scope: Scope) -> None:
    """It writes the result or a workspace and reads the others, all inside their loops."""
    written = statement.result
    if written.tensor in scope.accesses and written.tensor not in scope.workspaces:
        if written.tensor != scope.target.tensor:
            raise wrong(op, f"'{to_text(written)}' is an operand, which is read, not written")
    _verify_access(op, written, scope)
    for access, measured in _read_accesses(statement.expression):
        if not is_coordinate(access, scope.bound, scope.accesses):
            _verify_access(op, access, scope, measured=measured)
        if access.tensor == scope.target.tensor:
            raise wrong(op, f"'{to_text(access)}' is the result, which is written, not read")


def is_coordinate(access: Access, bound: Container[str], declared: Container[str]) -> bool:
    """Whether a name in a statement is that of a bound variable: its value, the coordinate."""
    name = access.tensor
    return not access.indices and name in bound and name not in declared


def _read_accesses(expression: Expr) -> Iterator[tuple[Access, bool]]:
    """The accesses that a statement reads, and whether `width` only asks how many entries."""
    match expression:
        case Access():
            yield expression, False
        case Call(operator=operators.WIDTH, arguments=(Access() as access,)):
            yield access, True
        case _:
            for child in children(expression):
                yield from _read_accesses(child)


def _verify_access(op: Operation, access: Access, scope: Scope, *, measured: bool = False) -> None:
    declared = scope.accesses.get(access.tensor)
    if declared is None:
        raise wrong(op, f"'{to_text(access)}' names no access of the kernel")
    if declared.indices != access.indices:
        raise wrong(op, f"'{to_text(access)}' is declared as {to_text(declared)}")
    format = scope.formats.get(access.tensor)
    variables = access.indices if format is None else level_variables(access, format)
    for variable in variables:
        if variable not in scope.bound and not measured:
            raise wrong(op, f"'{to_text(access)}' lies outside the loop of '{variable}'")
