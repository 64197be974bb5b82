"""What the statements of a kernel ask of its loops and of its result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.ir import Operation, Region

from tamale.dialects import cfir
from tamale.dialects.cin.sets import leaves
from tamale.dialects.notation.ast import Access, Assignment
from tamale.dialects.operators import operator_named
from tamale.passes.algebra.lattice import driven_by_universe, points
from tamale.passes.algebra.linearity import asks_for_entries, is_linear
from tamale.passes.lowering.assembling import Assembler
from tamale.passes.lowering.overwriting import overwrites_all
from tamale.passes.lowering.scope import KernelContext


def workspace_start(op: cfir.WhereOp) -> int | float | complex:
    """The identity of the operator that the producer reduces by."""
    for inner in assignments(op.producer):
        if inner.result.tensor == op.workspace.name and inner.operator is not None:
            identity = operator_named(inner.operator).reduction_identity
            return 0 if identity is None else identity
    return 0


def assignments(op: Operation | Region) -> Iterator[Assignment]:
    for inner in op.walk():
        if isinstance(inner, cfir.AssignOp | cfir.AppendOp):
            yield inner.statement.data


def appends_entries(op: cfir.LatticeOp, target: Access) -> bool:
    """Whether entries are added to a sparse result inside of a loop."""
    return any(assignment.result == target for assignment in assignments(op))


def adds_up(op: cfir.LatticeOp, kernel: KernelContext) -> bool:
    """Whether visiting a coordinate once per duplicate gives the same as once for all."""
    entries = kernel.appended_variables
    for inner in op.walk():
        if isinstance(inner, cfir.WhereOp | cfir.AppendOp):
            return False
        if isinstance(inner, cfir.LatticeOp | cfir.LetOp) and inner.index_var.data in entries:
            return False
    # An operand that repeats whole entries: their values have to add up.
    repeated = [
        leaf.access for leaf in leaves(op.domain.data) if kernel.formats[leaf.access].may_repeat
    ]
    return all(
        assignment.operator is not None
        and all(
            (assignment.operator == "add" or asks_for_entries(assignment.expression))
            and is_linear(assignment.expression, access)
            for access in repeated
        )
        for assignment in assignments(op)
    )


def initial_value(kernel: cfir.KernelOp) -> int | float | complex | None:
    """What a dense result has to start from; None if every place is written anyway."""
    target = kernel.target.data
    first = kernel.body.block.first_op
    if first is None or not overwrites_all(first, target, frozenset()):
        if kernel.zeroed is not None:
            return 0
        own = [a.operator for a in assignments(kernel.body) if a.result == target]
        identity = operator_named(own[0]).reduction_identity if own and own[0] else 0
        return 0 if identity is None else identity
    return None


def skips_parents(kernel: cfir.KernelOp, assembler: Assembler) -> bool:
    """Whether some coordinate of a dense level above an appended one may never be visited."""
    outer = [assembler.variables[group.first] for group in assembler.groups if group.dense]
    return not _visits_all(kernel.body, outer)


def _visits_all(region: Region, outer: Sequence[str]) -> bool:
    """Whether loops over everything lie inside each other, in every case of those around."""
    if not outer:
        return True
    loops = [
        op
        for op in region.walk()
        if isinstance(op, cfir.LatticeOp) and op.index_var.data == outer[0]
    ]
    return bool(loops) and all(
        driven_by_universe(loop.domain.data) and _all_go_on(loop, outer[1:]) for loop in loops
    )


def _all_go_on(loop: cfir.LatticeOp, inner: Sequence[str]) -> bool:
    """Whether what is inside is done at every coordinate that a loop comes to."""
    if not inner:
        return True
    every = points(loop.domain.data, loop.index_var.data)
    return len(loop.cases) == len(every) and all(_visits_all(case, inner) for case in loop.cases)
