"""
Brings check lines up to date with what the tools print now: `make lit-refresh FILES=...`.

    python tests/lit/refresh.py tests/lit/passes/iterate-locate.mlir

Only checks that no longer match are rewritten, so that what the author chose to check stays: a
check takes the text of the line that is most like it, a `-NEXT` that of the line that is next.
Where a line came in between, a `-NEXT` for it is added; where many did, the check stops being one.
`{{...}}` and `[[...]]` stay where the text around them does. Read the difference before you commit:
the tool cannot tell a fault from an improvement.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path

from run_lines import Pipeline, parse_script, run_command, run_script

LIKE = 0.5
"""A line that is less like a check than this is another one."""
FEW = 3
"""So many lines that came in between are checked, too; more are skipped."""

_CHECK = re.compile(r"^(\s*//\s*)([A-Z][A-Z0-9_]*?)(-NEXT|-LABEL)?:(\s*)(\S.*)$")
_OPEN = re.compile(r"\{\{.*?\}\}|\[\[.*?\]\]")
_TOKEN = re.compile(rf"{_OPEN.pattern}|\w+|\s+|.")


@dataclass
class Check:
    """A check line of a test file."""

    number: int
    """Of the line, from 0 on."""
    before: str
    kind: str
    space: str
    pattern: str

    def matches(self, line: str) -> bool:
        return _regex(self.pattern).search(line) is not None

    def likeness(self, line: str) -> float:
        return SequenceMatcher(None, _OPEN.sub("", self.pattern), line.strip()).ratio()


def refreshed(text: str, source: Path) -> str:
    """
    The test with its checks up to date, as far as that can be told.

    Raises:
        ValueError: the RUN lines are none that run in this process.
    """
    script = parse_script(text, source)
    if script is None:
        raise ValueError(f"{source}: its RUN lines need lit's shell")
    lines = text.split("\n")
    added: dict[int, list[str]] = {}
    for prefix, output in _outputs(script):
        for number, new, more in _rewritten(list(_checks(lines, prefix)), output, prefix):
            lines[number] = new
            added.setdefault(number, []).extend(more)
    return "\n".join(line for n, old in enumerate(lines) for line in (*added.get(n, ()), old))


def _outputs(script: Sequence[Pipeline]) -> Iterator[tuple[str, list[str]]]:
    """For each prefix: the lines that the first command pipes into filecheck."""
    seen = set[str]()
    for *commands, last in script:
        if last.words[0] != "filecheck":
            continue
        text = ""
        for command in commands:
            text = run_command(command.words, text, merge=command.stderr == "merged").stdout
        for prefix in _prefixes(last.words):
            if prefix not in seen:
                seen.add(prefix)
                yield prefix, text.splitlines()


def _prefixes(words: Sequence[str]) -> list[str]:
    """What a filecheck command looks for."""
    given = re.findall(r"--check-prefix(?:es)?[= ](\S+)", " ".join(words))
    return [name for names in given for name in names.split(",")] or ["CHECK"]


def _checks(lines: Sequence[str], prefix: str) -> Iterator[Check]:
    """The checks that take up a line of the output; the others depend on these."""
    for number, line in enumerate(lines):
        found = _CHECK.match(line)
        if found is not None and found[2] == prefix:
            yield Check(number, found[1], found[3] or "", found[4], found[5])


def _rewritten(
    checks: Sequence[Check], output: Sequence[str], prefix: str
) -> Iterator[tuple[int, str, list[str]]]:
    """Line number, new text and lines to put before it, of each check that does not match."""
    cursor = 0
    for k, check in enumerate(checks):
        rest = range(cursor, len(output))
        hit = next((n for n in rest if check.matches(output[n])), None)
        if check.kind != "-NEXT":
            if hit is None:
                hit = _most_like(check, output, range(cursor, _label_after(checks[k:], output)))
                if hit is None:
                    continue
                yield check.number, _text(check, prefix, output[hit]), []
            cursor = hit + 1
        elif hit == cursor:
            cursor += 1
        elif hit is not None and hit <= cursor + FEW:
            between = [_line(check, prefix, "-NEXT", output[n]) for n in range(cursor, hit)]
            yield check.number, _line(check, prefix, "-NEXT", check.pattern), between
            cursor = hit + 1
        elif hit is not None and hit < _label_after(checks[k:], output):
            yield check.number, _line(check, prefix, "", check.pattern), []
            cursor = hit + 1
        elif cursor < len(output):
            yield check.number, _text(check, prefix, output[cursor]), []
            cursor += 1


def _label_after(checks: Sequence[Check], output: Sequence[str]) -> int:
    """The line of the next label that matches: checks before it do not look beyond."""
    for check in checks[1:]:
        if check.kind == "-LABEL":
            return next((n for n, line in enumerate(output) if check.matches(line)), len(output))
    return len(output)


def _most_like(check: Check, output: Sequence[str], lines: range) -> int | None:
    """The first line that is most like a check, if one is like it at all."""
    best = max(lines, key=lambda n: check.likeness(output[n]), default=None)
    return best if best is not None and check.likeness(output[best]) >= LIKE else None


def _text(check: Check, prefix: str, line: str) -> str:
    return _line(check, prefix, check.kind, _merged(check.pattern, line.strip()))


def _line(check: Check, prefix: str, kind: str, pattern: str) -> str:
    """A check with its text in the column where it was."""
    space = " " * max(1, len(check.space) + len(check.kind) - len(kind))
    return f"{check.before}{prefix}{kind}:{space}{pattern.strip()}"


def _merged(pattern: str, line: str) -> str:
    """The line, with what the pattern leaves open where all else is as it was."""
    old, new = _TOKEN.findall(pattern), _TOKEN.findall(line)
    parts: list[str] = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        is_open = tag == "replace" and all(map(_OPEN.fullmatch, old[a:b]))
        parts += old[a:b] if is_open else new[c:d]
    merged = "".join(parts)
    return merged if _regex(merged).search(line) else line


def _regex(pattern: str) -> re.Pattern[str]:
    """What filecheck looks for, but for the values of variables."""
    parts: list[str] = []
    for token in _TOKEN.findall(pattern):
        if token.startswith("{{"):
            parts.append(f"(?:{token[2:-2]})")
        elif token.startswith("[["):
            parts.append(f"(?:{token[2:-2].partition(':')[2] or '.+?'})")
        else:
            parts.append(r"\s+" if token.isspace() else re.escape(token))
    return re.compile("".join(parts))


def main(arguments: Sequence[str]) -> int:
    """Rewrites the files; returns 1 if one still fails."""
    failing = 0
    for path in map(Path, arguments):
        text = path.read_text()
        new = refreshed(text, path.resolve())
        changed = sum(a != b for a, b in zip(text.split("\n"), new.split("\n"), strict=False))
        if new != text:
            path.write_text(new)
        script = parse_script(new, path.resolve())
        problem = None if script is None else run_script(script)
        failing += problem is not None
        state = "up to date" if problem is None else f"still fails:\n{problem}"
        print(f"{path}: {'rewritten' if changed else 'as it was'}, {state}")
    return 1 if failing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
