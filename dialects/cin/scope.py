"""What names mean inside a kernel: accesses, workspaces, index variables bound by loops."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import Operation
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.cin.sets import Stored, set_text
from tamale.dialects.format.spec import Format
from tamale.dialects.notation.ast import Access, Assignment, to_text, walk


class Scope:
    """What names mean at a point of the body, for verification."""

    def __init__(
        self, accesses: Mapping[str, Access], bound: frozenset[str], formats: Mapping[str, Format]
    ) -> None:
        self.accesses, self.bound, self.formats = accesses, bound, formats

    def binding(self, variable: str) -> Scope:
        return Scope(self.accesses, self.bound | {variable}, self.formats)

    def declaring(self, workspace: str) -> Scope:
        accesses = {**self.accesses, workspace: Access(workspace)}
        return Scope(accesses, self.bound, self.formats)


def level_of(leaf: Stored, accesses: Mapping[str, Access], formats: Mapping[str, Format]) -> int:
    """The storage level of `leaf`'s access that holds the mode of `leaf`'s variable."""
    mode = accesses[leaf.access].indices.index(leaf.variable)
    return formats[leaf.access].level_of_mode[mode]


def verify_leaf(op: Operation, leaf: Stored, scope: Scope) -> None:
    if leaf.access not in scope.accesses:
        raise VerifyException(f"{op.name}: '{set_text(leaf)}' names no access of the kernel")
    if leaf.variable not in scope.accesses[leaf.access].indices:
        raise VerifyException(
            f"{op.name}: {to_text(scope.accesses[leaf.access])} has no mode '{leaf.variable}'"
        )


def verify_statement(op: Operation, statement: Assignment, scope: Scope) -> None:
    for node in (statement.result, *walk(statement.expression)):
        if not isinstance(node, Access):
            continue
        declared = scope.accesses.get(node.tensor)
        if declared is None:
            raise VerifyException(f"{op.name}: '{to_text(node)}' names no access of the kernel")
        if declared.indices != node.indices:
            raise VerifyException(
                f"{op.name}: '{to_text(node)}' is declared as {to_text(declared)}"
            )
        for variable in node.indices:
            if variable not in scope.bound:
                raise VerifyException(
                    f"{op.name}: '{to_text(node)}' lies outside the loop of '{variable}'"
                )
