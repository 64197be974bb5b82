"""Markdown tables of results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from results import Balance, Count, Latency, Ratio, Seconds, geomean

RATIO_HEADING = (
    "what", "clock", "data", "peer", "large", "tamale", "peer's", "ratio", "quartiles"
)  # fmt: skip


def ratio_table(ratios: Sequence[Ratio]) -> Iterator[str]:
    """A row for each ratio, grouped by computation, clock and peer, each group with its means."""
    groups: dict[tuple[str, str, str], list[Ratio]] = {}
    for ratio in ratios:
        groups.setdefault((ratio.what, ratio.clock, ratio.peer), []).append(ratio)
    rows = [row for group in groups.values() for row in group_rows(group)]
    return aligned(RATIO_HEADING, rows, text=5)


def group_rows(group: Sequence[Ratio]) -> Iterator[Sequence[str]]:
    """The rows of one group; the mean of a single row would say nothing new."""
    for r in group:
        low, high = r.quartiles
        yield (
            r.what, r.clock, r.data, r.peer, "large" if r.larger_than_cache else "",
            duration(r.tamale), duration(r.theirs), f"{r.ratio:.2f}", f"{low:.2f} - {high:.2f}",
        )  # fmt: skip
    if len(group) == 1:
        return
    first = group[0]
    for data, chosen in (
        ("**large**", [r for r in group if r.larger_than_cache]),
        ("**all**", group),
    ):
        mean = geomean(chosen)
        if mean is not None:
            yield first.what, first.clock, data, first.peer, "", "", "", f"**{mean:.2f}**", ""


def latency_table(latencies: Sequence[Latency]) -> Iterator[str]:
    """A row for each part and a column for each `what`, or one row each if there are no parts."""
    if all(not row.part for row in latencies):
        rows = [(r.what, duration(r.seconds.cpu), duration(r.seconds.wall)) for r in latencies]
        return aligned(("what", "CPU time", "wall time"), rows, text=1)
    columns = list(dict.fromkeys(row.what for row in latencies))
    times = {(row.part, row.what): row.seconds for row in latencies}
    parts = dict.fromkeys(row.part for row in latencies)
    cells = ((part, *(milliseconds(times.get((part, c))) for c in columns)) for part in parts)
    return aligned(("ms of CPU time", *columns), cells, text=1)


def balance_table(balances: Sequence[Balance]) -> Iterator[str]:
    """A row for each count."""
    heading = ("what", "data", "workers", "largest share / mean", "by rows")
    rows = [
        (b.what, b.data, str(b.workers), f"{b.tamale:.3f}", f"{b.by_rows:.3g}") for b in balances
    ]
    return aligned(heading, rows, text=2)


def count_table(counts: Sequence[Count]) -> Iterator[str]:
    """A row for each count."""
    return aligned(("what", "number"), [(c.what, str(c.number)) for c in counts], text=1)


def duration(seconds: float) -> str:
    """Three digits and a unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} us"


def milliseconds(seconds: Seconds | None) -> str:
    """Empty where nothing was measured."""
    return "" if seconds is None else f"{seconds.cpu * 1e3:.1f}"


def aligned(heading: Sequence[str], rows: Iterable[Sequence[str]], *, text: int) -> Iterator[str]:
    """A Markdown table; the first `text` columns are flushed left, the others right."""
    yield f"| {' | '.join(heading)} |"
    yield f"|{'|'.join(['---'] * text + ['---:'] * (len(heading) - text))}|"
    yield from (f"| {' | '.join(row)} |" for row in rows)
