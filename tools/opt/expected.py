"""
`--verify-diagnostics`: the errors that comments in the file announce.

    // expected-error@below {{the domain also names}}
    cin.forall ...

A comment means its own line, `@below` the next line and `@above` the previous line that hold no
such comment, `@+2` and `@-2` lines counted from the comment, `@unknown` no line at all. The text
between the braces is part of the message.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass

from tamale.dialects.errors import TamaleError
from tamale.tools.opt.diagnostics import Diagnostic

_DIRECTIVE = re.compile(
    r"//.*\bexpected-error\s*(?:@(?P<at>[+-]\d+|above|below|unknown))?\s*\{\{(?P<text>.*)\}\}\s*$"
)
_LOOKS_LIKE_DIRECTIVE = re.compile(r"//\s*expected-[a-z]+")


@dataclass(frozen=True)
class ExpectedError:
    """An announced error: `text` at `line`; `comment_line` is where the comment stands."""

    text: str
    line: int | None
    comment_line: int

    def matches(self, actual: Diagnostic) -> bool:
        """Whether `actual` is the announced error."""
        line = actual.place.line if actual.place else None
        return line == self.line and self.text in actual.message


def find_expected_errors(text: str, file: str) -> list[ExpectedError]:
    """
    The errors that the comments in `text` announce.

    Raises:
        TamaleError: a comment starts like an announcement and is none.
    """
    lines = text.split("\n")
    matches = {i: m for i, line in enumerate(lines, 1) if (m := _DIRECTIVE.search(line))}
    for number, line in enumerate(lines, 1):
        if number not in matches and _LOOKS_LIKE_DIRECTIVE.search(line):
            raise TamaleError(
                f"{file}:{number}: cannot read '{line.strip()}'\n"
                "  help: write // expected-error@below {{part of the message}}"
            )
    return [
        ExpectedError(match["text"], _line_meant(match["at"], number, matches.keys()), number)
        for number, match in matches.items()
    ]


def _line_meant(at: str | None, comment: int, comments: Container[int]) -> int | None:
    if at is None:
        return comment
    if at == "unknown":
        return None
    if at not in ("above", "below"):
        return comment + int(at)
    step = 1 if at == "below" else -1
    line = comment + step
    while line in comments:
        line += step
    return line


def compare(
    expected: Sequence[ExpectedError], actual: Sequence[Diagnostic], file: str
) -> list[Diagnostic]:
    """What differs: announced errors that did not come, and errors that nothing announced."""
    missing = list(expected)
    differences: list[Diagnostic] = []
    for diagnostic in actual:
        announced = next((e for e in missing if e.matches(diagnostic)), None)
        if announced is not None:
            missing.remove(announced)
            continue
        message = f"unexpected error: {diagnostic.message}"
        differences.append(Diagnostic(diagnostic.file, diagnostic.place, message))
    for e in missing:
        message = f'expected error "{e.text}" was not produced'
        differences.append(Diagnostic(f"{file}:{e.comment_line}", None, message))
    return differences
