"""
Why a kernel looks as it does, in words: the loop order and its reasons, what is iterated and what
is located, workspaces, how the result is assembled.

Everything is read off the stages of the compiler, so that it cannot say anything but what they do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Protocol

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects import cfir, cin, tin
from tamale.dialects.cfir.storage import AssembleOp
from tamale.dialects.cin.sets import leaves, set_text
from tamale.dialects.errors import ScheduleError
from tamale.dialects.format.attribute import format_of
from tamale.dialects.format.named import name_of
from tamale.dialects.format.spec import Format
from tamale.dialects.level_variables import level_variables
from tamale.dialects.notation.ast import Access, Assignment, to_text, walk
from tamale.frontend.explaining_conversions import conversion_lines, last_op
from tamale.frontend.explaining_estimates import estimate_lines
from tamale.frontend.explaining_partitions import counted_lines, partition_lines
from tamale.frontend.request import Request
from tamale.frontend.wording import counts_text, room_text, walk_text, workspace_text
from tamale.passes.algebra.index_edges import drawn_edges
from tamale.passes.algebra.loop_order import Edge, index_graph
from tamale.passes.algebra.nests import Part, Planner
from tamale.passes.algebra.order_reasons import Choice, Rule, explain_order
from tamale.passes.algebra.reading import TinReader
from tamale.passes.algebra.terms import accesses_in
from tamale.passes.partition import cut_of
from tamale.passes.pipeline import Pipeline


class Stages(Protocol):
    """What an explanation is read off: `tamale.frontend.stages.Stages`, which imports this file."""

    request: Request

    def module(self, stage: str) -> ModuleOp:
        """A fresh module of the stage."""
        ...

    def converted(self) -> ModuleOp:
        """A fresh module of tin with the conversions that the kernel needs."""
        ...

    def split(self) -> ModuleOp:
        """A fresh module of tin with the kernels of temporaries."""
        ...


def explain(stages: Stages) -> str:
    """
    The explanation of a kernel: lines of text, the last one without a line break.

    A statement that is refused is explained as well: its last section says why.
    """
    explainer = Explainer.of(stages)
    lines = [to_text(stages.request.statement)]
    try:
        for title, describe in _SECTIONS.items():
            lines += _section(title, describe(explainer))
    except (ScheduleError, PassFailedException) as error:
        lines += _section("refused", str(error).split("\n"))
    return "\n".join(lines)


def _section(title: str, lines: Sequence[str]) -> list[str]:
    return [title, *(f"  {line}" for line in lines or ["none"])]


@dataclass(frozen=True)
class Explainer:
    """One request with what its passes read from it."""

    stages: Stages
    statement: Assignment
    """The statement over named accesses: a tensor that is used twice has two names."""
    formats: Mapping[str, Format]
    """Access -> format, the result's included."""
    tensor_of: Mapping[str, str]
    """Access -> name of its tensor."""
    inserted: Sequence[tin.ConvertOp]
    """The conversions before and after the kernel."""
    order: tuple[str, ...] | None
    """The loops that were asked for, or estimated to be cheapest."""
    temporaries: Sequence[Assignment]
    """What other kernels compute first."""

    @classmethod
    def of(cls, stages: Stages) -> Explainer:
        try:
            module = stages.converted()
        except ScheduleError:
            module = stages.module("tin")
        *earlier, kernel = [op for op in module.walk() if isinstance(op, tin.KernelOp)]
        reader, request = TinReader(kernel), stages.request
        statement = reader.read()
        tensor_of = {name: _operand_name(request, value) for name, value in reader.tensors.items()}
        formats = {name: format_of(value) for name, value in reader.tensors.items()}
        formats[statement.result.tensor] = format_of(kernel.result)
        conversions = [op for op in module.walk() if isinstance(op, tin.ConvertOp)]
        temporaries = [TinReader(op).read() for op in earlier]
        return cls(
            stages, statement, formats, tensor_of, conversions, kernel.loops, temporaries
        )

    @property
    def request(self) -> Request:
        return self.stages.request

    @property
    def planner(self) -> Planner:
        return Planner(self.statement, self.formats, self.order)

    # Tensors and the index graph

    def tensors(self) -> list[str]:
        """Each use of a tensor, the result first."""
        result = self.statement.result
        kept = self.formats[result.tensor] == self.request.result_format
        note = "result" if kept else "result, before it is converted"
        lines = [(to_text(result), self.formats[result.tensor], self.request.dtype, note)]
        for access in self._operands():
            tensor = self.tensor_of[access.tensor]
            note = "" if tensor == access.tensor else f"another use of {tensor}"
            if tensor not in self.request.formats:
                note = "a temporary"
            elif self.formats[access.tensor] != self.request.formats[tensor]:
                note = f"{tensor}, converted"
            dtype = self.request.dtypes.get(tensor, self.request.dtype)
            lines.append((to_text(access), self.formats[access.tensor], dtype, note))
        width = max(len(line[0]) for line in lines)
        return [
            f"{text:{width}}  {_format_text(format)}, {', '.join(filter(None, (dtype, note)))}"
            for text, format, dtype, note in lines
        ]

    def _operands(self) -> list[Access]:
        nodes = dict.fromkeys(walk(self.statement.expression))
        return [node for node in nodes if isinstance(node, Access)]

    def index_edges(self) -> list[str]:
        untied = self.planner.untied
        graph = index_graph(
            untied.result, accesses_in(untied.expression), self.formats, untied.lets
        )
        edges = drawn_edges(graph, self.statement.result.tensor, self.tensor_of)
        return [
            f"{e.source} -> {e.target}  {'hard' if e.hard else 'soft'}, by {', '.join(e.tensors)}"
            for e in edges
        ]

    def computed_first(self) -> list[str]:
        """The statements of temporaries."""
        return [to_text(statement) for statement in self.temporaries]

    def estimates(self) -> list[str]:
        """What schedules were chosen by, kernel by kernel."""
        return estimate_lines(self.stages.split())

    # The order of the loops

    def loop_orders(self) -> list[str]:
        self.stages.module("cin")  # Refuses what has no order.
        parts = self.planner.parts()
        lines: list[str] = []
        for part in parts:
            order = part.ordering.order
            assert isinstance(order, tuple)
            lines.append(", ".join(order) or "no loop")
            if self.order is not None:
                asked = self.order == self.request.order_of(self.request.result.tensor)
                lines[-1] += ", as asked for" if asked else ", estimated to be the cheapest"
            if len(parts) > 1:
                lines[-1] += f", for the part {_part_text(self.statement.result, part)}"
            choices = explain_order(part.ordering, self.planner.is_sparse)
            lines += [f"  {choice.variable}: {_reason(choice, part)}" for choice in choices]
        return lines

    # Loops

    def loops(self) -> list[str]:
        """Each loop with the set that was derived for it; that over a workspace's list has none."""
        optimised = self._kernel("ocin")
        lists = {workspace.name for workspace in optimised.vectors}
        found = list(_foralls(optimised, 0))
        own = [loop for _, loop in found if not _walks(loop, lists)]
        derived = [loop for _, loop in _foralls(self._kernel("cin"), 0)]
        alike = [_variable(loop) for loop in derived] == [_variable(loop) for loop in own]
        domains = dict(zip(own, derived, strict=True)) if alike else {}
        lines: list[str] = []
        for depth, loop in found:
            over = f" over {set_text(domains[loop].domain.data)}" if loop in domains else ""
            lines.append(f"{'  ' * depth}{_variable(loop)}{over}: {walk_text(loop)}")
        return lines

    def _kernel(self, stage: str) -> cin.KernelOp:
        """The statement's own kernel, not one of a conversion's queries."""
        kernels = [op for op in self.stages.module(stage).walk() if isinstance(op, cin.KernelOp)]
        target = self.planner.untied.result
        return next(k for k in reversed(kernels) if k.target.data == target)

    # Workspaces and the result

    def workspaces(self) -> list[str]:
        ops = self._kernel("ocin").body.walk()
        return [workspace_text(op) for op in ops if isinstance(op, cin.WhereOp)]

    def result(self) -> list[str]:
        module = self.stages.module("cfir")
        ops = list(module.walk())
        assigned = [statement for op in ops if (statement := self._assigned(op)) is not None]
        writes = bool(assigned) or any(isinstance(op, cfir.AppendOp) for op in ops)
        updates = any(statement.operator is not None for statement in assigned)
        counts = counts_text(module, asked=self.request.assembly is not None)
        Pipeline("lower-lattices").run(module)
        name = self.statement.result.tensor
        if not self.formats[name].all_dense:
            text = counts or "appended in the order of its storage; " + room_text(module)
            return [f"{name}: {text if writes else 'stays without entries'}", *self._tail()]
        if not updates:
            return [f"{name}: every value is written once, in place"]
        opened = (op for op in module.walk() if isinstance(op, AssembleOp))
        filled = any(op.fill is not None and op.result.name_hint == name for op in opened)
        first = "set to a start value" if filled else "assigned"
        return [f"{name}: every value is {first}, then updated in place"]

    def conversions(self) -> list[str]:
        """What each conversion does, and why there is one."""
        kernel = last_op(self.stages.module("tin"), tin.KernelOp)
        return conversion_lines(kernel, self.inserted, self.request.threads)

    def parallel(self) -> list[str]:
        """How workers share the loops, or why not."""
        kernel = self._kernel("ocin")
        lowered = [op for op in self.stages.module("cfir").walk() if isinstance(op, cfir.KernelOp)]
        filled = next((op for op in lowered if op.target == kernel.target and op.into), None)
        if filled is not None and self.request.threads > 1:
            return counted_lines(filled)
        return partition_lines(kernel, cut_of(kernel), self.request.threads)

    def _assigned(self, op: Operation) -> Assignment | None:
        """What an op writes to a place of the result; None if it does not."""
        target = self.planner.untied.result
        if not isinstance(op, cfir.AssignOp) or op.statement.data.result != target:
            return None
        return op.statement.data

    def _tail(self) -> list[str]:
        """What the values of the result's entries are, if each has several."""
        result = self.planner.untied.result
        format = self.planner.formats[result.tensor]
        if not format.has_tail:
            return []
        over = ", ".join(level_variables(result, format)[format.tail :])
        text = f"the values of an entry are a block over {over}, written in place"
        return [f"{result.tensor}: {text}"]


_SECTIONS: Mapping[str, Callable[[Explainer], Sequence[str]]] = {
    "computed first": Explainer.computed_first,
    "tensors": Explainer.tensors,
    "estimates": Explainer.estimates,
    "index graph": Explainer.index_edges,
    "loop order": Explainer.loop_orders,
    "loops": Explainer.loops,
    "workspaces": Explainer.workspaces,
    "result": Explainer.result,
    "conversions": Explainer.conversions,
    "parallel": Explainer.parallel,
}
"""Title -> what writes its lines, in the order of the compiler."""


def _operand_name(request: Request, tensor: SSAValue) -> str:
    """The operand or temporary that a tensor is, or was before it was converted."""
    if isinstance(tensor.owner, tin.ConvertOp):
        tensor = tensor.owner.source
    if not isinstance(tensor, BlockArgument):
        return tensor.name_hint or "T"
    return request.operands[tensor.index].name


def _variable(loop: cin.ForallOp) -> str:
    return loop.index_var.data


def _walks(loop: cin.ForallOp, names: Set[str]) -> bool:
    """Whether the loop walks one of the accesses called so."""
    return any(leaf.access in names for leaf in leaves(loop.domain.data))


def _foralls(op: Operation, depth: int) -> Iterator[tuple[int, cin.ForallOp]]:
    """The loops below `op` with their depths, outside in."""
    for region in op.regions:
        for inner in region.block.ops:
            if isinstance(inner, cin.ForallOp):
                yield depth, inner
                yield from _foralls(inner, depth + 1)
            else:
                yield from _foralls(inner, depth)


def _format_text(format: Format) -> str:
    name = name_of(format)
    if name is None:
        return str(format)
    widths = str(format).removeprefix(str(format.with_widths(pos="i32", crd="i32")))
    return name + widths


def _part_text(result: Access, part: Part) -> str:
    return to_text(Assignment(result, part.operator, part.expression))


def _reason(choice: Choice, part: Part) -> str:
    others = ", ".join(choice.over)
    match choice.rule:
        case Rule.LAST:
            return "the only one left"
        case Rule.FORCED:
            return f"nothing else can come yet: {_held_text(choice.held)}"
        case Rule.CULLS:
            domain = set_text(part.ordering.domains[choice.variable])
            return f"before {others}, because {domain} culls the most work"
        case Rule.RESULT_ORDER:
            return f"before {others}, to keep the result's own order"
        case Rule.SOFT_EDGES:
            return f"before {others}, to walk dense tensors in their own order"
        case Rule.WRITTEN_FIRST:
            return f"before {others}, because it is written first"


def _held_text(edges: Sequence[Edge]) -> str:
    """`i -> j (A, B), i -> k (A)`."""
    tensors: dict[str, list[str]] = {}
    for edge in edges:
        tensors.setdefault(f"{edge.source} -> {edge.target}", []).append(edge.tensor)
    return ", ".join(f"{ends} ({', '.join(names)})" for ends, names in tensors.items())
