"""What an order of loops is estimated to cost, beside the others, in words."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.dialects.builtin import ModuleOp

from tamale.dialects import tin
from tamale.dialects.format.attribute import format_of
from tamale.dialects.format.named import name_of
from tamale.dialects.format.spec import Format
from tamale.dialects.notation.ast import Access, to_text
from tamale.passes.algebra.choices import is_scheduled
from tamale.passes.algebra.estimates import Estimates
from tamale.passes.algebra.reading import TinReader
from tamale.passes.algebra.schedules import Schedule, Scheduler
from tamale.passes.levels import first_unappendable

SHOWN = 3
"""How many other schedules are shown."""


def estimate_lines(module: ModuleOp) -> list[str]:
    """
    For each kernel of tin: the sizes and entries that its schedule was chosen for, the steps that
    it is estimated at, and those of some others.
    """
    kernels = [op for op in module.walk() if isinstance(op, tin.KernelOp)]
    return [line for kernel in kernels for line in _kernel_lines(kernel)]


def _kernel_lines(kernel: tin.KernelOp) -> Iterator[str]:
    reader = TinReader(kernel)
    statement = reader.read()
    formats = {name: format_of(tensor) for name, tensor in reader.tensors.items()}
    formats[statement.result.tensor] = format_of(kernel.result)
    if not is_scheduled(statement, formats):
        return
    appendable = first_unappendable(format_of(kernel.result)) is None
    scheduler = Scheduler(statement, formats, reader.statistics, kernel.loops, appendable)
    yield to_text(statement)
    yield from (f"  {line}" for line in _assumed(scheduler.estimates, scheduler.operands))
    yield from (f"  {line}" for line in _compared(scheduler))


def _compared(scheduler: Scheduler) -> Iterator[str]:
    """The schedule that is taken, and the next ones."""
    best = scheduler.best()
    if best is None:
        return
    same = [s for s in scheduler.candidates if (s.cost, s.targets) == (best.cost, best.targets)]
    texts = dict.fromkeys(map(_text, same))
    taken = next(iter(texts)) if len(texts) == 1 else _text(best)
    yield f"{_steps(best)}, taken: {taken}"
    seen = {taken}
    for other in scheduler.candidates:
        if _text(other) not in seen and len(seen) <= SHOWN:
            seen.add(_text(other))
            yield f"{_steps(other)}: {_text(other)}"


def _assumed(estimates: Estimates, operands: tuple[Access, ...]) -> Iterator[str]:
    """The sizes of index variables, and the entries of operands."""
    variables = dict.fromkeys(v for access in operands for v in access.indices)
    sizes = [
        f"{v} = {estimates.size(v):.0f}{'' if v in estimates.sizes else ' (assumed)'}"
        for v in variables
    ]
    yield f"sizes {', '.join(sizes)}"
    entries: list[str] = []
    for access in operands:
        known = estimates.statistics.get(access.tensor)
        told = known is not None and known.entries is not None
        count = f"{estimates.entries(access.tensor):.0f}"
        entries.append(f"{access.tensor} = {count}{'' if told else ' (assumed)'}")
    yield f"entries {', '.join(entries)}"


def _text(schedule: Schedule) -> str:
    """The loops, and what is converted for them."""
    loops = "the order of the rules" if schedule.order is None else ", ".join(schedule.order)
    changes = [f"{name} as {_form(format)}" for name, format in schedule.targets.items()]
    return f"{loops}, with {', '.join(changes)}" if changes else loops


def _form(format: Format) -> str:
    return "a list of terms" if format.may_repeat else name_of(format) or str(format)


def _steps(schedule: Schedule) -> str:
    return f"{schedule.cost:.2g} steps"
