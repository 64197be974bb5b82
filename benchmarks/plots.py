"""Pictures of a run: how many times faster than each peer, and time per entry as inputs grow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bandwidth import MEMORY
from results import Ratio, Result, geomean

from tamale.dialects.lazy import load

SPEEDUPS, GROWTH = "speedups.svg", "growth.svg"


def draw(results: Iterable[Result], folder: Path) -> None:
    """Writes both pictures, as far as there is something in them; none without matplotlib."""
    try:
        figure: Any = load("matplotlib.figure:Figure")
    except ImportError:
        return
    ratios = [result for result in results if isinstance(result, Ratio)]
    if bars := speedups(ratios):
        draw_speedups(figure, bars).savefig(folder / SPEEDUPS)
    if curves := growth(ratios):
        draw_growth(figure, curves).savefig(folder / GROWTH)


def speedups(ratios: Sequence[Ratio]) -> Mapping[str, float]:
    """What was computed, on which clock and against whom -> the mean over all inputs."""
    groups: dict[str, list[Ratio]] = {}
    for row in ratios:
        if row.peer != MEMORY and not row.entries:
            groups.setdefault(f"{row.what}, {row.clock}: {row.peer}", []).append(row)
    means = {name: geomean(rows) for name, rows in groups.items()}
    return {name: mean for name, mean in means.items() if mean is not None}


def growth(ratios: Sequence[Ratio]) -> Mapping[str, Mapping[str, list[tuple[int, float]]]]:
    """What was computed -> who computed it -> entries of the input, and seconds for each."""
    found: dict[str, dict[str, list[tuple[int, float]]]] = {}
    for row in ratios:
        if row.entries:
            curves = found.setdefault(row.what, {})
            for name, seconds in (("tamale", row.tamale), (row.peer, row.theirs)):
                point = (row.entries, seconds / row.entries)
                if point not in (curve := curves.setdefault(name, [])):
                    curve.append(point)
    return found


def draw_speedups(figure: Any, bars: Mapping[str, float]) -> Any:
    """A bar for each mean, on a logarithmic axis: to the right of 1, tamale is faster."""
    picture = figure(figsize=(10, 1.5 + 0.22 * len(bars)), layout="constrained")
    axes = picture.subplots()
    names = list(bars)[::-1]
    factors = [bars[name] for name in names]
    colors = ["tab:blue" if factor >= 1 else "tab:orange" for factor in factors]
    axes.barh(names, [factor - 1 for factor in factors], left=1, color=colors)
    axes.set_xscale("log")
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xlabel("the peer's time over tamale's, geometric mean")
    axes.tick_params(axis="y", labelsize=7)
    return picture


def draw_growth(
    figure: Any, curves: Mapping[str, Mapping[str, Sequence[tuple[int, float]]]]
) -> Any:
    """A panel for each computation; the memory limit is a curve like a peer's."""
    picture = figure(figsize=(4 * len(curves), 3.5), layout="constrained")
    panels = picture.subplots(1, len(curves), squeeze=False)[0]
    for axes, (what, named) in zip(panels, curves.items(), strict=True):
        for name, points in named.items():
            entries, seconds = zip(*points, strict=True)
            style = "--" if name == MEMORY else "-"
            axes.plot(entries, [1e9 * s for s in seconds], style, marker=".", label=name)
        axes.set_xscale("log")
        axes.set_ylim(bottom=0)
        axes.set_title(what)
        axes.set_xlabel("entries")
        axes.set_ylabel("ns per entry")
        axes.legend(fontsize=7)
    return picture
