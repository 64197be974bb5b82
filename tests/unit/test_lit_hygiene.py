"""Dead checks in lit files: misspelt directives, unused prefixes, RUN lines that check nothing."""

import difflib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from run_lines import run_lines

LIT = Path(__file__).resolve().parents[1] / "lit"
FILES = sorted(path for path in LIT.rglob("*.mlir") if not {".lit", "Inputs"} & set(path.parts))

KINDS = ("NEXT", "SAME", "NOT", "DAG", "LABEL", "EMPTY")
_WORD = re.compile(r"//\s*([A-Za-z][\w-]*)(?:\{LITERAL\})?(\s*:)?")


def prefixes_of(runs: list[str]) -> set[str]:
    """The prefixes that the RUN lines tell filecheck to look for."""
    found: set[str] = set()
    for run in runs:
        for command in re.findall(r"filecheck[^|;&]*", run):
            named = re.findall(r"--?check-prefix(?:es)?[= ](\S+)", command)
            found |= {p for group in named for p in group.split(",")} or {"CHECK"}
    return found


def is_directive(word: str, prefixes: set[str]) -> bool:
    """Whether `word` is a prefix, alone or with a kind."""
    return any(
        word == p or (word.startswith(f"{p}-") and is_kind(word[len(p) + 1 :])) for p in prefixes
    )


def is_kind(suffix: str) -> bool:
    """Whether `suffix` is what may follow a prefix."""
    return suffix in KINDS or re.fullmatch(r"COUNT-\d+", suffix) is not None


def resembles(word: str, prefixes: set[str]) -> bool:
    """Whether `word`, which is no directive, looks as if it was meant as one."""
    directives = [p for p in prefixes] + [f"{p}-{kind}" for p in prefixes for kind in KINDS]
    wanted = word.upper().replace("_", "-")
    return word.upper() == word and bool(difflib.get_close_matches(wanted, directives, 1, 0.75))


def problems(text: str) -> Iterator[str]:
    """What is wrong with a lit file."""
    runs = run_lines(text)
    announced = "expected-error" in text
    if not runs:
        yield "no RUN line"
    for run in runs:
        checks_errors = announced and "--verify-diagnostics" in run
        if "filecheck" not in run and not checks_errors:
            yield f"checks nothing: {run}"
        if announced and "--verify-diagnostics" not in run:
            yield "has expected-error comments, but no --verify-diagnostics"
    prefixes = prefixes_of(runs)
    used: set[str] = set()
    for number, line in enumerate(text.splitlines(), 1):
        for word, colon in _WORD.findall(line):
            if is_directive(word, prefixes) and colon.endswith(":"):
                used |= {p for p in prefixes if word == p or word.startswith(f"{p}-")}
            elif word != "RUN" and resembles(word, prefixes):
                yield f"line {number}: '{word}' is no directive"
    yield from (f"prefix {p} has no check" for p in sorted(prefixes - used))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(LIT)))
def test_lit_file(path: Path):
    assert list(problems(path.read_text())) == []


RUN = "// RUN: tamale-opt %s | filecheck %s\n"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("// CHECK: a\n", "no RUN line"),
        ("// RUN: tamale-opt %s\n// CHECK: a\n", "checks nothing"),
        (RUN, "prefix CHECK has no check"),
        (f"{RUN}// CHECK: a\n// CHCK: b\n", "'CHCK' is no directive"),
        (f"{RUN}// CHECK: a\n// CHECK-NXT: b\n", "'CHECK-NXT' is no directive"),
        (f"{RUN}// CHECK: a\n// CHECK_NEXT: b\n", "'CHECK_NEXT' is no directive"),
        (f"{RUN}// CHECK: a\n// CHECK-NEXT b\n", "'CHECK-NEXT' is no directive"),
        (f"{RUN}// CHECK: a\n// expected-error {{{{b}}}}\n", "no --verify-diagnostics"),
        ("// RUN: filecheck %s --check-prefix=A1\n// CHECK: a\n", "prefix A1 has no check"),
    ],
)
def test_problem_is_noticed(text: str, complaint: str):
    assert any(complaint in problem for problem in problems(text))


def test_good_file():
    assert list(problems(f"{RUN}// Prose: check this.\n// CHECK: a\n// CHECK-COUNT-2: b\n")) == []
