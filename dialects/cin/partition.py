"""How a kernel is cut into parts for several workers: a property of the kernel, with its text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.ir import Data
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from tamale.dialects.cin.sets import SetExpr, parse_set, set_text
from tamale.dialects.errors import TamaleError
from tamale.dialects.raw_text import read_until_closing

_TEXT = re.compile(
    r"\s*into\s+(\d+)\s+over\s+(.*?\S)(?:\s+weighed\s+by\s+(.*?\S))?"
    r"(?:\s+counting\s+(.*?\S))?(?:\s+met\s+along\s+(\w+))?(?:\s+combined\s+by\s+(\w+))?\s*",
    re.DOTALL,
)


@dataclass(frozen=True)
class CutLoop:
    """A loop that workers share, and the set that it visits."""

    variable: str
    domain: SetExpr


@dataclass(frozen=True)
class Partition:
    """
    The kernel's outermost loops, cut into `parts` runs of nearly equal work.

    A worker runs from one place in the loops, a coordinate of each, up to the place where the next
    worker begins. The work before a place is the number of coordinates that the loops visit before
    it, over all of them and over those loops inside that they are `weighed` by. The visits of a
    loop further inside that no level tells are `counted` before, for each coordinate of the first.
    Where loops ask for coordinates that several operands have, what lies inside of the others is no
    work: where they are met is found first, along one of the operands. Where several workers meet
    in one place of the result, what each gives is `combined` by an operator.
    """

    parts: int
    loops: tuple[CutLoop, ...]
    combined: str | None = None
    weighed: tuple[CutLoop, ...] = ()
    counted: CutLoop | None = None
    along: str | None = None
    """The access along which it is found where operands are met."""

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(loop.variable for loop in self.loops)

    @property
    def measured(self) -> tuple[CutLoop, ...]:
        """The loops whose visits levels tell, outside in: those that are cut first."""
        return (*self.loops, *self.weighed)

    @property
    def visited(self) -> tuple[CutLoop, ...]:
        """The loops whose visits are work, outside in."""
        return self.measured if self.counted is None else (*self.measured, self.counted)


def partition_text(partition: Partition) -> str:
    """`into 8 over i in U.i weighed by j in A.j counting k in B.k combined by add`."""
    text = f"into {partition.parts} over {_loops_text(partition.loops)}"
    if partition.weighed:
        text = f"{text} weighed by {_loops_text(partition.weighed)}"
    if partition.counted is not None:
        text = f"{text} counting {_loops_text((partition.counted,))}"
    if partition.along is not None:
        text = f"{text} met along {partition.along}"
    return text if partition.combined is None else f"{text} combined by {partition.combined}"


def _loops_text(loops: Sequence[CutLoop]) -> str:
    return ", ".join(f"{loop.variable} in {set_text(loop.domain)}" for loop in loops)


def parse_partition(text: str) -> Partition:
    """The inverse of `partition_text`; a `TamaleError` says what is wrong."""
    match = _TEXT.fullmatch(text)
    if match is None:
        raise TamaleError(f"expected 'into 8 over i in A.i', got '{text.strip()}'")
    parts, loops, weighed = int(match[1]), _parse_loops(match[2]), _parse_loops(match[3])
    counted = None if match[4] is None else _parse_loop(match[4])
    return Partition(parts, loops, match[6], weighed, counted, match[5])


def _parse_loops(text: str | None) -> tuple[CutLoop, ...]:
    return () if text is None else tuple(map(_parse_loop, text.split(",")))


def _parse_loop(text: str) -> CutLoop:
    variable, keyword, domain = text.partition(" in ")
    if not keyword or not variable.strip().isidentifier():
        raise TamaleError(f"expected a loop such as 'i in A.i', got '{text.strip()}'")
    return CutLoop(variable.strip(), parse_set(domain))


@irdl_attr_definition
class PartitionAttr(Data[Partition]):
    """How a kernel is cut: `#cin.partition<into 8 over i in U.i, j in A.j>`."""

    name = "cin.partition"

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> Partition:
        return read_until_closing(parser, parse_partition)

    def print_parameter(self, printer: Printer) -> None:
        printer.print_string(f"<{partition_text(self.data)}>")
