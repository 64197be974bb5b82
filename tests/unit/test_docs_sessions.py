"""Sessions in the documents give what they show; `...` stands for anything."""

from __future__ import annotations

import doctest
import io
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from tamale.backends.cpp.flags import REQUIRED_FLAGS
from tamale.backends.jit.compiler import find_compiler
from tamale.tools import tamale, tamale_opt

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
PROGRAMS: dict[str, Callable[[Sequence[str]], int]] = {
    "tamale": tamale.main,
    "tamale-opt": tamale_opt.main,
}
RULES = doctest.ELLIPSIS | doctest.DONT_ACCEPT_BLANKLINE

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))


def blocks(text: str, language: str) -> Iterator[tuple[int, str]]:
    """The fenced blocks of a language, each with its first line."""
    for found in re.finditer(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        yield text.count("\n", 0, found.start()) + 2, found[1]


def commands(session: str) -> Iterator[tuple[str, str]]:
    """Every command of a session and what it prints; a backslash continues a command."""
    whole = session.replace("\\\n", "")
    for part in re.split(r"^\$ ", whole, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def stages_of(command: str) -> list[list[str]]:
    """The programs of a pipe, each with its arguments."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars="|")
    lexer.whitespace_split = True
    words = list(lexer)
    cuts = [-1, *(k for k, word in enumerate(words) if word == "|"), len(words)]
    return [words[start + 1 : end] for start, end in zip(cuts, cuts[1:], strict=False)]


def run(command: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """What a pipe of our programs leaves on the terminal."""
    errors, text = io.StringIO(), ""
    for program, *arguments in stages_of(command):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        with redirect_stdout(io.StringIO()) as output, redirect_stderr(errors):
            try:
                PROGRAMS[program](arguments)
            except SystemExit:  # argparse, on bad usage
                pass
        text = output.getvalue()
    return text + errors.getvalue()


@each_page
def test_shell_sessions(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The sessions of one page run in order, in one folder; its C++ programs after them."""
    monkeypatch.chdir(tmp_path)
    text, checker = page.read_text(), doctest.OutputChecker()
    for line, session in blocks(text, "console"):
        for command, expected in commands(session):
            example = doctest.Example(command, expected)
            found = run(command, monkeypatch)
            difference = checker.output_difference(example, found, RULES)
            assert checker.check_output(example.want, found, RULES), f"{page}:{line}: {difference}"
    for _, program in blocks(text, "cpp"):
        if "int main(" in program:
            run_program(program, tmp_path)


def run_program(text: str, folder: Path) -> None:
    """Compiles a C++ program without warnings and runs it; it must succeed."""
    (folder / "main.cpp").write_text(text)
    flags = [*REQUIRED_FLAGS, "-Wall", "-Wextra", "-Werror"]
    subprocess.run([*find_compiler().command, *flags, "main.cpp"], cwd=folder, check=True)
    subprocess.run([folder / "a.out"], check=True)


@each_page
def test_python_sessions(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    parser, runner = doctest.DocTestParser(), doctest.DocTestRunner(optionflags=RULES)
    names: dict[str, object] = {}
    for line, session in blocks(page.read_text(), "pycon"):
        test = parser.get_doctest(session, names, page.name, str(page), line - 1)
        reports: list[str] = []
        runner.run(test, out=reports.append, clear_globs=False)
        names = test.globs
        assert runner.failures == 0, "".join(reports)


def test_commands():
    """A backslash continues a command; a bar in quotes does not cut it."""
    assert list(commands("$ tamale \\\n  formats\nno\n")) == [("tamale   formats", "no\n")]
    assert stages_of("tamale a 'x | y' -f A=b(1) | tamale-opt -t cpp") == [
        ["tamale", "a", "x | y", "-f", "A=b(1)"],
        ["tamale-opt", "-t", "cpp"],
    ]


def test_terminal(monkeypatch: pytest.MonkeyPatch):
    """A pipe passes text on, errors are shown, and what differs is noticed."""
    lowered = run("tamale compile 'y(i) = a(i)' --emit tin | tamale-opt -p compute", monkeypatch)
    assert "memref.store" in lowered
    assert run("tamale compile 'y(i) = '", monkeypatch).startswith("tamale: error: notation:")
    assert not doctest.OutputChecker().check_output("a ... z", "a b c", RULES)
