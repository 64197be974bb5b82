"""
The visits of a loop that no level tells, counted before a kernel and summed up.

    forall i in U.i { ... forall j in A.j with B.j = j { forall k in B.k { .. } } }

is measured by `over i in U.i weighed by j in A.j counting k in B.k`: the rows of B that a row of A
leads to are as long as a kernel of its own says, which workers share by the entries of A:

    Z_visits(i) += width(B(j,k))    partitioned into 8 over i in U.i, j in A.j combined by add

Its sums say how many visits come before a coordinate of i.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import DYNAMIC_INDEX, TensorType, i64
from xdsl.ir import Block, Operation, Region, SSAValue

from tamale.dialects import cfir
from tamale.dialects.cfir.storage import LoadOp
from tamale.dialects.cin.partition import Partition, PartitionAttr
from tamale.dialects.cin.sets import Stored
from tamale.dialects.notation.ast import Access, Assignment, Call
from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.lowering.scope import KernelContext
from tamale.passes.lowering.universes import universe_size


def visits_of_counted(kernel: KernelContext, partition: Partition) -> cfir.KernelOp | None:
    """The kernel that counts visits for each coordinate of the first loop, if any are counted."""
    if partition.counted is None:
        return None
    assert isinstance(partition.counted.domain, Stored)
    first, *_ = partition.variables
    counter = Access(_name(kernel), (first,))
    width = Call("width", (kernel.accesses[partition.counted.domain.access],))
    count = cfir.AssignOp(Assignment(counter, "add", width))
    variables = [loop.variable for loop in partition.measured]
    op = kernel.kernel
    assert isinstance(op, cfir.KernelOp)
    body = Region(Block([_nest(op, variables, count)]))
    accesses = [attribute.data for attribute in op.accesses]
    counting = cfir.KernelOp(counter, accesses, op.tensors, TensorType(i64, [DYNAMIC_INDEX]), body)
    shared = Partition(partition.parts, partition.measured, "add")
    counting.partition = PartitionAttr(shared)
    return kernel.emit.insert(counting)


def _name(kernel: KernelContext) -> str:
    """What the counts are called: as no operand is."""
    name = f"{kernel.result.tensor}_visits"
    while name in kernel.accesses:
        name = f"{name}_"
    return name


def _nest(op: Operation, variables: Sequence[str], statement: Operation) -> Operation:
    """A statement inside of the loops of `variables`, which follow one another below `op`."""
    if not variables:
        return statement
    lattices = (inner for inner in op.walk() if isinstance(inner, cfir.LatticeOp))
    loop = next(lattice for lattice in lattices if lattice.index_var.data == variables[0])
    (guard,), domain = loop.guards, loop.domain.data
    inside = Region(Block([_nest(loop, variables[1:], statement)]))
    cases = [(guard.data, inside)]
    return cfir.LatticeOp(variables[0], domain, cases, loop.located_leaves, loop.sought_leaves)


def sum_up(kernel: KernelContext, counting: cfir.KernelOp) -> SSAValue:
    """A block with the visits before each coordinate, and, at its end, of all."""
    emit, size = kernel.emit, universe_size(kernel, counting.target.data.indices[0])
    zero, one = emit.constant(0), emit.constant(1)
    name = f"{counting.target.data.tensor}_before"
    sums = emit.allocate(INDEX, emit.add(size, one), name)
    total = emit.variable(INDEX, f"{name}_next", zero)
    with emit.loop(zero, size, "p") as p:
        emit.store(emit.load(total), sums, p)
        visits = emit.insert(LoadOp(counting.result, p)).value
        emit.store(emit.add(emit.load(total), emit.as_index(visits)), total)
    emit.store(emit.load(total), sums, size)
    return sums
