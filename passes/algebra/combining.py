"""Where workers meet in a result, and the operator that combines what they give to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tamale.dialects import cin
from tamale.dialects.cin.kernel_like import KernelLike
from tamale.dialects.cin.statements import statements
from tamale.dialects.notation.ast import Access, Assignment
from tamale.dialects.operators import operator_named
from tamale.passes.algebra.stored_variables import StoredVariables


def own_variables(kernel: KernelLike, variables: Sequence[str]) -> tuple[str, ...]:
    """The first loops of `variables`: those that write other places at each coordinate."""
    stored = StoredVariables(kernel.all_accesses, kernel.formats)
    written = set(kernel.target.data.indices)
    own: list[str] = []
    for variable in variables:
        if variable in stored.private or not stored.scope(variable) <= written:
            break
        own.append(variable)
    return tuple(own)


def combining_operator(kernel: cin.KernelOp) -> str | None:
    """
    By which operator results of parts of the loops give the whole, if there is one.

    The result is updated by an associative operator, or is a workspace that is, as it is.
    """
    target = kernel.target.data.tensor
    names = {_reducing(kernel, s) for s in _statements(kernel) if s.result.tensor == target}
    if len(names) != 1:
        return None
    name = names.pop()
    if name is None or operator_named(name).reduction_identity is None:
        return None
    return name


def is_combined_in(kernel: cin.KernelOp, loop: cin.ForallOp) -> bool:
    """Whether all that `combining_operator` combines is put together inside of a loop."""
    target = kernel.target.data.tensor
    ops = list(statements(kernel.body.block))
    written = [op for op in ops if op.statement.data.result.tensor == target]
    copied = {
        op.statement.data.expression for op in written if op.statement.data.operator is None
    }
    sources = {expression.tensor for expression in copied if isinstance(expression, Access)}
    updating = [op for op in written if op.statement.data.operator is not None]
    updating += [op for op in ops if op.statement.data.result.tensor in sources]
    return all(loop.is_ancestor(op) for op in updating)


def _statements(kernel: cin.KernelOp) -> Iterator[Assignment]:
    return (op.statement.data for op in statements(kernel.body.block))


def _reducing(kernel: cin.KernelOp, statement: Assignment) -> str | None:
    """The operator that a statement updates its place by, or that updated what it copies."""
    if statement.operator is not None:
        return statement.operator
    copied = statement.expression
    if not isinstance(copied, Access) or copied.indices or copied.tensor in kernel.operands_by_name:
        return None
    names = {s.operator for s in _statements(kernel) if s.result.tensor == copied.tensor}
    return names.pop() if len(names) == 1 else None
