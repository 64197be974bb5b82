"""The domain of a loop of cin, with complements opened where they do not bound anything yet."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Operation

from tamale.dialects import cin
from tamale.dialects.cin.let import LetLike
from tamale.dialects.cin.sets import SetExpr, Stored
from tamale.passes.algebra.lattice import open_complements
from tamale.passes.algebra.simplification import simplify
from tamale.passes.algebra.stored_variables import StoredVariables


def opened_domain(loop: cin.ForallOp) -> SetExpr:
    """The canonical domain; `~B.i` is `B.i | U.i` if a level of B has its loop further inside."""
    around = list(_around(loop))
    (kernel,) = (op for op in around if isinstance(op, cin.KernelOp))
    stored = StoredVariables(kernel.all_accesses, kernel.formats)
    bound = {op.index_var.data for op in around if isinstance(op, cin.ForallOp | LetLike)}
    variable = loop.index_var.data

    def is_resolved(leaf: Stored) -> bool:
        return set(stored.of(stored.accesses[leaf.access])) <= bound

    return open_complements(simplify(loop.domain.data, variable), variable, is_resolved)


def _around(op: Operation | None) -> Iterator[Operation]:
    """An op and the ops that it is in."""
    while op is not None:
        yield op
        op = op.parent_op()
