"""`--remarks`: what passes decided and why, each at its place in the input."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass

from tamale.dialects import cin, tin
from tamale.dialects.cfir.storage import AssembleOp
from tamale.dialects.format.attribute import format_of
from tamale.dialects.locations import location_of
from tamale.dialects.notation.ast import to_text
from tamale.frontend.explaining_partitions import partition_remark
from tamale.frontend.wording import room_text, walk_text, workspace_text
from tamale.passes.conversion.plan import plan_conversion
from tamale.passes.conversion.remarks import conversion_remarks, selection_remarks
from tamale.passes.conversion.selecting import plan_selection
from tamale.passes.insert_conversions import read_conversions
from tamale.passes.partition import cut_of
from tamale.tools.opt.observer import Observer

Remark = tuple[Operation, str]
"""The op that it is about, and what it says."""


def converted(module: ModuleOp) -> Iterator[Remark]:
    """Why operands or results are going to be converted, told before they are."""
    for op in module.walk():
        if isinstance(op, tin.KernelOp):
            reader, _, conversions = read_conversions(op)
            if conversions.targets and conversions.refusal is not None:
                facts = conversions.refusal.partition("\n  help: ")[0]
                why = reader.in_written_names(facts).removeprefix("concretize: ")
                yield op, f"tensors are converted, because {why}"


def planned(module: ModuleOp) -> Iterator[Remark]:
    """How each conversion is going to be done, told before it is planned."""
    for op in module.walk():
        if isinstance(op, tin.ConvertOp):
            source, target = format_of(op.source), format_of(op.result)
            if op.selection is not None:
                yield op, "\n".join(selection_remarks(plan_selection(source, target, op.selection)))
            else:
                yield op, "\n".join(conversion_remarks(plan_conversion(source, target)))


def ordered(module: ModuleOp) -> Iterator[Remark]:
    """In which loops a statement is computed."""
    for op in module.walk():
        if isinstance(op, cin.KernelOp):
            loops = [o.index_var.data for o in op.walk() if isinstance(o, cin.ForallOp)]
            order = ", ".join(loops) or "none"
            yield op, f"{to_text(op.target.data)} is computed by loops over {order}"


def given_workspaces(module: ModuleOp) -> Iterator[Remark]:
    """Which results of inner loops are kept apart."""
    for op in module.walk():
        if isinstance(op, cin.WhereOp):
            yield op, workspace_text(op)


def located(module: ModuleOp) -> Iterator[Remark]:
    """What each loop iterates, and which levels it locates because they are full."""
    for op in module.walk():
        if isinstance(op, cin.ForallOp):
            stores = "stores" if len(op.located_leaves) == 1 else "store"
            why = f", which {stores} every coordinate" if op.located_leaves else ""
            yield op, f"loop of {op.index_var.data}: {walk_text(op)}{why}"


def partitioned(module: ModuleOp) -> Iterator[Remark]:
    """How workers share the loops of kernels, or why they do not."""
    for op in module.walk():
        if isinstance(op, cin.KernelOp):
            yield op, partition_remark(op, cut_of(op))


def opened(module: ModuleOp) -> Iterator[Remark]:
    """Where sparse results get their room from."""
    for op in module.walk():
        if isinstance(op, AssembleOp) and not format_of(op.result).all_dense:
            yield op, f"{op.result.name_hint or 'the result'}: {room_text(module)}"


BEFORE: Mapping[str, Callable[[ModuleOp], Iterator[Remark]]] = {
    "insert-conversions": converted,
    "plan-conversion": planned,
}
"""Pass -> what it is going to do, read off the module that it gets."""

AFTER: Mapping[str, Callable[[ModuleOp], Iterator[Remark]]] = {
    "concretize": ordered,
    "insert-workspaces": given_workspaces,
    "iterate-locate": located,
    "partition": partitioned,
    "lower-lattices": opened,
}
"""Pass -> what it did, read off the module that it leaves."""


class Remarks(Observer):
    """Prints the remarks of each pass after it ran."""

    def __init__(self, args: Namespace) -> None:
        self._file = args.input_file or "stdin"
        self._pending: dict[str, list[str]] = {}

    def between(self, previous: ModulePass | None, module: ModuleOp) -> None:
        if previous is not None:
            lines = self._pending.get(previous.name, [])
            if previous.name in AFTER:
                lines = self._lines(previous.name, AFTER[previous.name](module))
            for line in lines:
                print(line, file=sys.stderr)
        self._pending = {name: self._lines(name, told(module)) for name, told in BEFORE.items()}

    def _lines(self, pass_name: str, remarks: Iterator[Remark]) -> list[str]:
        return [f"{self._place(op)}: remark: {pass_name}: {text}" for op, text in remarks]

    def _place(self, op: Operation) -> str:
        place = location_of(op)
        if place is None:
            return self._file
        return f"{place.filename.data}:{place.line.data}:{place.column.data}"
