"""What loops, workspaces and results do, in words, read off the IR."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import SSAValue

from tamale.dialects import assembly, cfir, cin
from tamale.dialects.cfir.storage import AssembleOp, CountOp, ReserveOp
from tamale.dialects.cin.sets import EMPTY, SetExpr, Stored, Universe, leaves, set_text
from tamale.dialects.notation.ast import to_text
from tamale.passes.algebra.lattice import driven_by_universe
from tamale.passes.algebra.opening import opened_domain
from tamale.passes.algebra.simplification import substitute_all


def walk_text(loop: cin.ForallOp) -> str:
    """What a loop of optimised cin iterates, and what it locates."""
    variable, located = loop.index_var.data, loop.located_leaves
    present: dict[Stored, SetExpr] = {leaf: Universe(variable) for leaf in located}
    domain = substitute_all(opened_domain(loop), present, variable)
    walked = [set_text(leaf) for leaf in leaves(domain) if leaf.variable == variable]
    if driven_by_universe(domain):
        text = f"iterates every {variable}"
        text += f", beside it {listed(walked)}" if walked else ""
    elif domain == EMPTY:
        text = "visits nothing"
    else:
        text = f"{'iterates' if len(walked) == 1 else 'merges'} {listed(walked)}"
        sought = [set_text(leaf) for leaf in loop.sought_leaves]
        text += f", searches in {listed(sought)}" if sought else ""
    return text + (f"; locates {listed([set_text(s) for s in located])}" if located else "")


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *front, last = words
    return f"{', '.join(front)} and {last}" if front else last


def workspace_text(op: cin.WhereOp) -> str:
    """What a workspace is, and what is complete before what reads it."""
    workspace = op.workspace
    producer = [a for a in op.producer.walk() if isinstance(a, cin.AssignOp)]
    consumer = [a for a in op.consumer.walk() if isinstance(a, cin.AssignOp)]
    fills = listed([to_text(a.statement.data) for a in producer])
    reads = listed([to_text(a.statement.data) for a in consumer])
    kind = "a scalar" if workspace.is_scalar else _list_text(workspace)
    return f"{to_text(workspace.access)}: {kind}; {fills} is complete before {reads} reads it"


def _list_text(workspace: cin.Workspace) -> str:
    """What a list holds, how an entry that comes again is found, and in which order it is read."""
    (variable,) = workspace.access.indices
    found = f"an array over {variable}" if workspace.search == "dense" else "a hash table"
    order = "sorted" if workspace.ordered else "in the order of insertion"
    return f"a list of entries, found again by {found}, {order}"


def counts_text(module: ModuleOp, *, asked: bool) -> str:
    """
    How the last result of a module is counted before it is filled in, and why; empty if it is not.
    """
    scans = [op for op in module.walk() if isinstance(op, assembly.ScanOp)]
    if not scans:
        return ""
    levels: list[str] = []
    room: SSAValue | None = scans[-1].result
    while room is not None and isinstance(scan := room.owner, assembly.ScanOp):
        levels.insert(0, str(scan.depth + 1))
        counting = scan.counts.owner
        room = counting.into if isinstance(counting, cfir.KernelOp) else None
    what = f"the entries of level{'s' * (len(levels) > 1)} {listed(levels)}"
    why = "as asked for"
    if not asked:
        why = "since no operand bounds its room, but positions tell how many there are"
    return f"{what} are counted by loops of their own, {why}; then it is filled into exact room"


def room_text(module: ModuleOp) -> str:
    """How much room a result gets, told from the loops that fill it."""
    if any(isinstance(op, ReserveOp) for op in module.walk()):
        opened = (op.result.name_hint or "" for op in module.walk() if isinstance(op, AssembleOp))
        if any(name.endswith("_visits") for name in opened):
            return "its room is counted by loops over the operands before; beyond that it grows"
        return "its room grows as it fills, since no operand bounds it"
    counts = [op for op in module.walk() if isinstance(op, CountOp)]
    names = dict.fromkeys(op.tensor.name_hint or "an operand" for op in counts)
    source = f"the entries of {listed(list(names))}" if names else "the sizes of modes"
    return f"its room is known before the loops, from {source}"
