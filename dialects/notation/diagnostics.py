"""
Errors that point: the message, the line of the statement, carets under the place, a help line.

    notation: expected an index variable after ','
      y(i) = A(i,) * x(j)
                 ^
"""

from collections.abc import Iterable
from dataclasses import dataclass

from tamale.dialects.errors import NotationError
from tamale.dialects.notation.ast import NO_SPAN, Span

WIDTH = 96
"""Longest part of a source line that a message shows."""


@dataclass(frozen=True)
class Problem:
    """One thing wrong with a statement; `where` is the text to underline."""

    where: Span
    message: str
    help: str = ""


def error_at(
    text: str, where: Span, message: str, help: str = "", *, speaker: str = "notation"
) -> NotationError:
    """A NotationError about one place of `text`."""
    return report(text, [Problem(where, message, help)], speaker=speaker)


def report(text: str, problems: Iterable[Problem], *, speaker: str = "notation") -> NotationError:
    """One NotationError that lists every problem, each with its own line and carets."""
    return NotationError("\n".join(_render(text, problem, speaker) for problem in problems))


def printable(text: str) -> str:
    """`text` on one line, safe to print: one column a character, nothing invisible."""
    return "".join(c if c.isprintable() else " " if c.isspace() else "?" for c in text)


def _render(text: str, problem: Problem, speaker: str) -> str:
    lines = [f"{speaker}: {problem.message}"]
    if problem.where == NO_SPAN:
        lines.append(f"  {printable(text[:WIDTH])}")
    elif text.strip():
        lines += [f"  {line}" for line in _excerpt(text, problem.where)]
    if problem.help:
        lines.append(f"  help: {problem.help}")
    return "\n".join(lines)


def _excerpt(text: str, where: Span) -> tuple[str, str]:
    """The source line around `where`, cut to WIDTH columns, and its carets."""
    line_start = text.rfind("\n", 0, where[0]) + 1
    line_end = text.find("\n", where[0])
    line_end = len(text) if line_end < 0 else line_end
    start = max(line_start, min(where[0] - WIDTH // 2, line_end - WIDTH))
    end = min(line_end, start + WIDTH)
    before = "..." if start > line_start else ""
    after = "..." if end < line_end else ""
    carets = "^" * max(1, min(where[1], end) - where[0])
    margin = " " * (len(before) + where[0] - start)
    return f"{before}{printable(text[start:end])}{after}", f"{margin}{carets}"
