"""How workers share the loops of a kernel, in words, or why they cannot."""

from __future__ import annotations

from tamale.dialects import cfir, cin
from tamale.dialects.cin.partition import Partition
from tamale.dialects.cin.sets import set_text
from tamale.dialects.notation.ast import to_text
from tamale.frontend.wording import listed
from tamale.passes.algebra.combining import own_variables
from tamale.passes.algebra.cuts import Cut


def partition_lines(kernel: cin.KernelOp, cut: Cut, threads: int) -> list[str]:
    """One line on who shares what, then what follows from that."""
    if not cut.loops:
        return [f"no: {cut.limit}"]
    partition = cut.into(threads)
    if threads == 1:
        return [f"no: one thread; more could share the {_loops(partition)}"]
    lines = [*_sharing_lines(partition), *_meeting_lines(kernel, partition)]
    return lines if cut.limit is None else [*lines, f"loops inside are whole: {cut.limit}"]


def counted_lines(kernel: cfir.KernelOp) -> list[str]:
    """How workers share the loops of a result whose entries are counted first."""
    target = to_text(kernel.target.data)
    if kernel.partition is None:
        return [f"no: entries of {target} are counted first, below levels that are not dense"]
    own = "each counts, and then fills in, the entries below its own coordinates"
    return [*_sharing_lines(kernel.partition.data), own]


def _loops(partition: Partition) -> str:
    return f"loop{'s' * (len(partition.loops) > 1)} of {listed(partition.variables)}"


def _sharing_lines(partition: Partition) -> list[str]:
    """Who shares which loops, and what the work is."""
    visits = listed([f"{loop.variable} in {set_text(loop.domain)}" for loop in partition.visited])
    lines = [
        f"{partition.parts} workers share the {_loops(partition)}",
        f"each does 1/{partition.parts} of the work, the visits of {visits}",
    ]
    if partition.along is None:
        return lines
    return [*lines, f"where the operands meet is found first, along {partition.along}"]


def _meeting_lines(kernel: cin.KernelOp, partition: Partition) -> list[str]:
    """What happens where workers meet in one place of the result."""
    if not kernel.formats[kernel.target.data.tensor].all_dense:
        target = to_text(kernel.target.data)
        return [f"each assembles a part of {target}; these are joined in the end"]
    own = own_variables(kernel, partition.variables)
    if own == partition.variables:
        return []
    target = to_text(kernel.target.data)
    if not own:
        return [f"each has a {target} of its own; they are combined in the end"]
    where = f"one coordinate of {listed(own)}"
    return [f"those that meet in {where} have partial results, combined in the end"]


def partition_remark(kernel: cin.KernelOp, cut: Cut) -> str:
    """What `partition` did with a kernel."""
    target = to_text(kernel.target.data)
    if not cut.loops:
        return f"{target} is not parallel, because {cut.limit}"
    threads = 1 if kernel.partition is None else kernel.partition.data.parts
    first, *rest = partition_lines(kernel, cut, threads)
    if kernel.partition is None:
        return f"{target} is not parallel, because there is {first.removeprefix('no: ')}"
    return "; ".join([f"{target}: {first}", *rest])
