"""`--timing` and `--timing-json`: where the time went."""

from __future__ import annotations

import json
from time import perf_counter


class Stopwatch:
    """Adds up the time spent on each named thing, in the order in which they first came."""

    def __init__(self) -> None:
        self._seconds: dict[str, float] = {}
        self._last = perf_counter()

    def lap(self, name: str | None) -> None:
        """Books the time since the last lap on `name`; None books it on nothing."""
        now = perf_counter()
        if name is not None:
            self._seconds[name] = self._seconds.get(name, 0.0) + now - self._last
        self._last = now

    def book(self, name: str, seconds: float) -> None:
        """Books seconds on `name`, which are not booked on the lap that they are part of."""
        self._seconds[name] = self._seconds.get(name, 0.0) + seconds
        self._last += seconds

    def table(self) -> str:
        """Milliseconds and share of each thing, and the total."""
        total = sum(self._seconds.values())
        rows = [*self._seconds.items(), ("total", total)]
        lines = [f"{'ms':>10}  {'%':>5}  what"]
        for name, seconds in rows:
            share = seconds / total if total else 0.0
            lines.append(f"{seconds * 1e3:10.2f}  {share * 100:5.1f}  {name}")
        return "\n".join(lines)

    def json(self) -> str:
        """A list of `{"name", "seconds"}` in the order of the table, the total last."""
        total = sum(self._seconds.values())
        rows = [*self._seconds.items(), ("total", total)]
        return json.dumps([{"name": name, "seconds": seconds} for name, seconds in rows], indent=1)
