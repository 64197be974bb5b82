"""`--statistics`: what each pass did to the module, in numbers."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Mapping

from xdsl.dialects import cf, memref, scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from tamale.dialects import assembly, cfir, cin, tin
from tamale.dialects.cin.sets import leaves
from tamale.dialects.cin.where import WhereLike
from tamale.dialects.memref import ReallocOp
from tamale.dialects.query.ops import SelectOp
from tamale.dialects.walking import walk_ops
from tamale.tools.opt.observer import Observer

LEVEL_FUNCTIONS = (*cfir.LEVEL_FUNCTIONS, *assembly.LEVEL_FUNCTIONS)


def is_one_of(*types: type[Operation]) -> Callable[[Operation], int]:
    """Counts the ops of some classes."""
    return lambda op: isinstance(op, types)


def merged(op: Operation) -> int:
    """Whether a loop walks several levels at once."""
    return isinstance(op, cfir.LatticeOp) and len(leaves(op.domain.data)) > 1


def points(op: Operation) -> int:
    """The points of a lattice."""
    return len(op.cases) if isinstance(op, cfir.LatticeOp) else 0


def located(op: Operation) -> int:
    """The levels that a loop locates."""
    return len(op.located) if isinstance(op, cin.ForallOp | cfir.LatticeOp) else 0


STATISTICS: Mapping[str, Callable[[Operation], int]] = {
    "ops": lambda op: 1,
    "conversions": is_one_of(tin.ConvertOp, assembly.OpenOp),
    "queries": is_one_of(SelectOp),
    "loops": is_one_of(cin.ForallOp, cfir.LatticeOp, scf.ForOp, scf.WhileOp, scf.ParallelOp),
    "merged loops": merged,
    "lattice points": points,
    "located levels": located,
    "workspaces": is_one_of(WhereLike),
    "level functions": is_one_of(*LEVEL_FUNCTIONS),
    "branches": is_one_of(scf.IfOp),
    "allocations": is_one_of(memref.AllocOp),
    "reallocations": is_one_of(ReallocOp),
    "mutable scalars": is_one_of(memref.AllocaOp),
    "loads": is_one_of(memref.LoadOp),
    "stores": is_one_of(memref.StoreOp),
    "assertions": is_one_of(cf.AssertOp),
}
"""Name -> what an op adds."""


def measure(module: ModuleOp) -> Counter[str]:
    """Every statistic of a module."""
    totals: Counter[str] = Counter()
    for op in walk_ops(module):
        for name, count in STATISTICS.items():
            totals[name] += count(op)
    return totals


class Statistics(Observer):
    """Collects what changes from pass to pass, over all pieces of the input."""

    def __init__(self, args: Namespace) -> None:
        self._target = f"target {args.target}"
        self._last: Counter[str] = Counter()
        self._rows: list[tuple[str, str, int, int]] = []

    def between(self, previous: ModulePass | None, module: ModuleOp) -> None:
        now = measure(module)
        if previous is not None:
            for name in STATISTICS:
                if now[name] != self._last[name]:
                    self._rows.append((previous.name, name, self._last[name], now[name]))
        self._last = now

    def printed(self, program: str) -> None:
        self._rows.append((self._target, "bytes", 0, len(program.encode())))

    def finish(self) -> None:
        print(self.table(), file=sys.stderr)

    def table(self) -> str:
        """Per pass: each number that it changed, before and after."""
        lines = [f"{'before':>8}  {'after':>8}  {'what':16}  pass"]
        lines += [f"{old:8}  {new:8}  {what:16}  {who}" for who, what, old, new in self._rows]
        return "\n".join(lines)
