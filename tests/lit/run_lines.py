"""
Runs the RUN lines of lit tests inside this process: about 10 ms a line instead of 300.

Understood: pipelines of `tamale-opt`, `not` and `filecheck`, with `2>&1` and `2>/dev/null`. A test
with anything else (another tool, a redirection to a file, XFAIL, an option that changes this
process) is none of ours: `parse_script` returns None, and lit's shell runs it.
"""

from __future__ import annotations

import io
import re
import shlex
import sys
import traceback
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from filecheck.matcher import Matcher
from filecheck.options import parse_argv_options

from tamale.tools.tamale_opt import main

SUBSTITUTIONS = [
    (
        "ROUNDTRIP",
        "tamale-opt %s --split-input-file --print-op-generic"
        " | tamale-opt --split-input-file | filecheck %s",
    ),
    (
        "GENERIC",
        "tamale-opt %s --split-input-file --print-op-generic"
        " | filecheck %s --check-prefix=GENERIC",
    ),
]
"""Words that stand for a command in a RUN line; `%s` is the test file."""

_RUN = re.compile(r"(?:^|\s)RUN:[ \t]*(.*)")
_NEEDS_LIT = re.compile(r"\b(XFAIL|REQUIRES|UNSUPPORTED|ALLOW_RETRIES|DEFINE|REDEFINE|END\.)[:.]")
_FOREIGN = re.compile(r"^[|;&<>]+$|%[a-zA-Z{(]")
_TOOLS = ("tamale-opt", "filecheck")
_CHANGES_THE_PROCESS = ("--disable-verify", "--syntax-highlight")


@dataclass(frozen=True)
class Command:
    """One command of a pipeline; `inverted` says that it has to fail."""

    words: tuple[str, ...]
    stderr: str = "apart"
    inverted: bool = False


@dataclass(frozen=True)
class Outcome:
    """What a command wrote and returned."""

    stdout: str
    stderr: str
    code: int


Pipeline = tuple[Command, ...]


def warm_up() -> None:
    """Imports what every test needs, by running an empty module through the driver."""
    run_command(("tamale-opt",), "builtin.module {}")


def parse_script(text: str, source: Path) -> list[Pipeline] | None:
    """The pipelines of the RUN lines in `text`; None if lit's shell has to run them."""
    if _NEEDS_LIT.search(text):
        return None
    pipelines = [_parse_pipeline(line, source) for line in run_lines(text)]
    ours = [pipeline for pipeline in pipelines if pipeline is not None]
    return ours if ours and len(ours) == len(pipelines) else None


def run_lines(text: str) -> list[str]:
    """The RUN lines in `text`, continued lines joined, our substitutions made."""
    joined: list[str] = []
    continued = False
    for match in filter(None, map(_RUN.search, text.splitlines())):
        part = match[1].rstrip()
        if continued:
            joined[-1] += part.removesuffix("\\")
        else:
            joined.append(part.removesuffix("\\"))
        continued = part.endswith("\\")
    for word, command in SUBSTITUTIONS:
        joined = [line.replace(word, command) for line in joined]
    return joined


def _parse_pipeline(line: str, source: Path) -> Pipeline | None:
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|;&<>")
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        words = list(lexer)
    except ValueError:
        return None
    commands: list[Command] = []
    start = 0
    for end in [*(i for i, word in enumerate(words) if word == "|"), len(words)]:
        command = _parse_command(words[start:end], source)
        if command is None:
            return None
        commands.append(command)
        start = end + 1
    return tuple(commands)


def _parse_command(words: Sequence[str], source: Path) -> Command | None:
    words = [word.replace("%s", str(source)) for word in words]
    stderr = "apart"
    for redirection, kind in ((["2", ">&", "1"], "merged"), (["2", ">", "/dev/null"], "dropped")):
        if words[-3:] == redirection:
            words, stderr = words[:-3], kind
    inverted = words[:1] == ["not"]
    words = words[1:] if inverted else words
    if not words or words[0] not in _TOOLS:
        return None
    if any(word in _CHANGES_THE_PROCESS or _FOREIGN.search(word) for word in words):
        return None
    return Command(tuple(words), stderr, inverted)


def run_script(script: Sequence[Pipeline]) -> str | None:
    """Runs the pipelines in order; describes the first failure, None if there is none."""
    for pipeline in script:
        problem = run_pipeline(pipeline)
        if problem is not None:
            return problem
    return None


def run_pipeline(pipeline: Pipeline) -> str | None:
    """Runs the commands, each on the output of the one before; every one has to succeed."""
    stdin, errors, failed = "", "", False
    for command in pipeline:
        outcome = run_command(command.words, stdin, merge=command.stderr == "merged")
        if command.stderr != "dropped":
            errors += outcome.stderr
        if (outcome.code == 0) == command.inverted:
            errors += f"'{command.words[0]}' returned {outcome.code}\n"
            failed = True
        stdin = outcome.stdout
    if not failed:
        return None
    shown = " | ".join(shlex.join(command.words) for command in pipeline)
    return f"RUN: {shown}\n{errors}"


def run_command(words: Sequence[str], stdin: str = "", *, merge: bool = False) -> Outcome:
    """Runs `tamale-opt` or `filecheck` as a function; `merge` is the shell's `2>&1`."""
    stdout = io.StringIO()
    stderr = stdout if merge else io.StringIO()
    previous = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8")
    try:
        with redirect_stdout(stdout), redirect_stderr(stderr):
            code = _call(words)
    finally:
        sys.stdin = previous
    return Outcome(stdout.getvalue(), "" if merge else stderr.getvalue(), code)


def _call(words: Sequence[str]) -> int:
    try:
        if words[0] == "filecheck":
            return Matcher.from_opts(parse_argv_options(list(words))).run()
        return main(words[1:])
    except SystemExit as exit_:
        return exit_.code if isinstance(exit_.code, int) else 1
    except Exception:
        traceback.print_exc()
        return 1
