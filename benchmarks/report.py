"""The report of a run: Markdown for people, JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from floors import Verdict
from results import Balance, Count, Gap, Latency, Ratio, Result
from shortfalls import PAGE, reason
from tables import aligned, balance_table, count_table, latency_table, ratio_table

LEGEND = """\
A ratio is the peer's time over tamale's in this run: **above 1, tamale is faster**. Times are
medians of the CPU time of one thread; the contenders took turns, and their results were compared
before. *quartiles*: of the ratios of neighbouring samples. *clock*: `kernel` leaves out what
surrounds the loops in Python, `call` is the user's, from object to object, `wall` is
a call by the time on the wall. *large*: larger than the last-level cache. *memory limit*: the
bytes of inputs and result by the speed of a copy in this run, by as many threads; its ratio is
the share of the limit that is reached, on large inputs. Rows in **bold** are geometric means."""


@dataclass(frozen=True)
class Report:
    """All that one run of the suite found out."""

    machine: Mapping[str, str]
    results: Sequence[Result]
    verdicts: Sequence[Verdict]
    seconds: Mapping[str, float]
    """How long each section took."""

    def write(self, folder: Path) -> None:
        """Writes `results.md` and `results.json`."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "results.md").write_text(self.markdown(), encoding="utf-8")
        text = json.dumps(self.as_json(), indent=1)
        (folder / "results.json").write_text(f"{text}\n", encoding="utf-8")

    def as_json(self) -> Mapping[str, Any]:
        """Everything; times in seconds."""
        results = self.results
        return {
            "machine": dict(self.machine),
            "seconds": dict(self.seconds),
            "ratios": [asdict(r) | {"ratio": r.ratio} for r in results if isinstance(r, Ratio)],
            "latencies": [
                asdict(r) | {"seconds": r.seconds._asdict()}
                for r in results
                if isinstance(r, Latency)
            ],
            "balances": [asdict(r) for r in results if isinstance(r, Balance)],
            "counts": [asdict(r) for r in results if isinstance(r, Count)],
            "gaps": [asdict(r) for r in results if isinstance(r, Gap)],
            "limits": [asdict(v) | {"holds": v.holds} for v in self.verdicts],
        }

    def markdown(self) -> str:
        """The tables of each section, the limits, the machine."""
        lines = ["# Benchmark results", "", LEGEND, ""]
        for section in dict.fromkeys(result.section for result in self.results):
            lines += section_lines(section, [r for r in self.results if r.section == section])
        lines += ["## Limits", "", *map(limit_line, self.verdicts), ""]
        lines += ["## Machine", "", *aligned(("what", "value"), self.machine.items(), text=2)]
        longest = sorted(self.seconds.items(), key=lambda item: -item[1])
        each = ", ".join(f"{name} {seconds:.0f}" for name, seconds in longest)
        lines += ["", f"The run took {sum(self.seconds.values()):.0f} s: {each}."]
        return "\n".join(lines) + "\n"


def limit_line(verdict: Verdict) -> str:
    """A limit, whether it holds, and why not."""
    why = None if verdict.holds else reason(verdict.what)
    return f"- {verdict}" if why is None else f"- {verdict}; {why} ({PAGE})"


def section_lines(section: str, results: Sequence[Result]) -> Iterator[str]:
    """The heading of a section, its tables, and what is missing."""
    yield from (f"## {section}", "")
    if ratios := [r for r in results if isinstance(r, Ratio)]:
        yield from (*ratio_table(ratios), "")
    if latencies := [r for r in results if isinstance(r, Latency)]:
        yield from (*latency_table(latencies), "")
    if balances := [r for r in results if isinstance(r, Balance)]:
        yield from (*balance_table(balances), "")
    if counts := [r for r in results if isinstance(r, Count)]:
        yield from (*count_table(counts), "")
    if gaps := [r for r in results if isinstance(r, Gap)]:
        yield from (*(f"- missing: {gap.what}: {gap.why}" for gap in gaps), "")
