"""
The lit canary: replaces every checked text by nonsense, one at a time; each file must then fail.

A check that survives checks nothing. Run by `make lit-canary`.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from run_lines import parse_script, run_script

HERE = Path(__file__).parent
NONSENSE = "canary_nonsense"

# CHECK-NOT passes on nonsense by nature, and CHECK-EMPTY has no text.
_KIND = r"(?:-(?:NEXT|SAME|DAG|LABEL|COUNT-\d+))?(?:\{LITERAL\})?"
_CHECK = re.compile(rf"^(\s*//\s*[A-Z][A-Z0-9_]*{_KIND}:\s*)(\S.*)$")
_EXPECTED = re.compile(r"^(.*//\s*expected-error.*\{\{)(.*)(\}\}\s*)$")
_NO_CHECK = re.compile(r"^\s*//\s*(RUN|COM|NOTE|TODO|[A-Z0-9_-]+-NOT):")


def lit_files() -> list[Path]:
    """Every lit test that runs in this process."""
    files = sorted(path for path in HERE.rglob("*.mlir") if ".lit" not in path.parts)
    return [path for path in files if parse_script(path.read_text(), path) is not None]


def mutants(text: str) -> Iterator[tuple[int, str]]:
    """The line number of each check, and the text with nonsense there."""
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if _NO_CHECK.match(line):
            continue
        if found := _EXPECTED.match(line):
            poisoned = f"{found[1]}{NONSENSE}{found[3]}"
        elif (found := _CHECK.match(line)) and _is_prefix(found[1], text):
            poisoned = f"{found[1]}{NONSENSE}"
        else:
            continue
        yield number + 1, "\n".join([*lines[:number], poisoned, *lines[number + 1 :]])


def _is_prefix(directive: str, text: str) -> bool:
    """Whether a RUN line of `text` tells filecheck to look for this directive."""
    word = directive.strip("/: \t").removesuffix("{LITERAL}")
    prefixes = set(re.findall(r"--check-prefix(?:es)?[= ](\S+)", text))
    known = {p for group in prefixes for p in group.split(",")} | {"CHECK"}
    return any(word == prefix or word.startswith(f"{prefix}-") for prefix in known)


def survives(path: Path, mutant: str) -> bool:
    """Whether the test at `path` still passes with its text replaced by `mutant`."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        copy.write_text(mutant)
        script = parse_script(mutant, copy)
        return script is not None and run_script(script) is None


def main(arguments: Sequence[str]) -> int:
    """Poisons every check of the given files, or of all; returns 1 if one survives."""
    files = [Path(argument).resolve() for argument in arguments] or lit_files()
    checks = survivors = 0
    for path in files:
        for line, mutant in mutants(path.read_text()):
            checks += 1
            if survives(path, mutant):
                survivors += 1
                print(f"{path}:{line}: this check passes on nonsense", file=sys.stderr)
    print(f"lit canary: {checks} checks in {len(files)} files, {survivors} check nothing")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
