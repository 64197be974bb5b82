"""What names mean inside a kernel: accesses, workspaces, index variables bound by loops."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.cin.sets import (
    SetExpr,
    Stored,
    Universe,
    complemented_leaves,
    set_text,
)
from tamale.dialects.cin.sets import walk as walk_set
from tamale.dialects.format.spec import Format
from tamale.dialects.locations import locate
from tamale.dialects.notation.ast import Access, Assignment, to_text, walk


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
            raise wrong(op, f"'{variable}' is already a loop")
        bound = self.bound | {variable}
        return Scope(self.accesses, self.formats, self.target, bound, self.workspaces)

    def declaring(self, op: Operation, workspace: str) -> Scope:
        """The scope inside a where."""
        if workspace in self.accesses:
            raise wrong(op, f"the workspace '{workspace}' is called like something else")
        accesses = {**self.accesses, workspace: Access(workspace)}
        workspaces = self.workspaces | {workspace}
        return Scope(accesses, self.formats, self.target, self.bound, workspaces)


def wrong(op: Operation, message: str) -> VerifyException:
    """The error of a statement, located at it."""
    return locate(VerifyException(f"{op.name}: {message}"), op)


def level_of(leaf: Stored, accesses: Mapping[str, Access], formats: Mapping[str, Format]) -> int:
    """The storage level of `leaf`'s access that holds the mode of `leaf`'s variable."""
    mode = accesses[leaf.access].indices.index(leaf.variable)
    return formats[leaf.access].level_of_mode[mode]


def verify_leaf(op: Operation, leaf: Stored, scope: Scope) -> None:
    """The leaf is a level of a declared operand."""
    if leaf.access not in scope.accesses:
        raise wrong(op, f"'{set_text(leaf)}' names no access of the kernel")
    if leaf.access == scope.target.tensor:
        raise wrong(op, f"'{set_text(leaf)}' is the result's, which is written, not walked")
    if leaf.variable not in scope.accesses[leaf.access].indices:
        raise wrong(op, f"{to_text(scope.accesses[leaf.access])} has no mode '{leaf.variable}'")


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
    for leaf in located:
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
    for node in walk(statement.expression):
        if isinstance(node, Access):
            _verify_access(op, node, scope)
            if node.tensor == scope.target.tensor:
                raise wrong(op, f"'{to_text(node)}' is the result, which is written, not read")


def _verify_access(op: Operation, access: Access, scope: Scope) -> None:
    declared = scope.accesses.get(access.tensor)
    if declared is None:
        raise wrong(op, f"'{to_text(access)}' names no access of the kernel")
    if declared.indices != access.indices:
        raise wrong(op, f"'{to_text(access)}' is declared as {to_text(declared)}")
    for variable in access.indices:
        if variable not in scope.bound:
            raise wrong(op, f"'{to_text(access)}' lies outside the loop of '{variable}'")
