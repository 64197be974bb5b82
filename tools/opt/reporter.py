"""What a run has to say about errors: on stderr, on stdout, or against announced errors."""

from __future__ import annotations

import sys
from argparse import Namespace

from xdsl.utils.exceptions import ParseError

from tamale.tools.opt.diagnostics import Diagnostic
from tamale.tools.opt.expected import compare, find_expected_errors
from tamale.tools.opt.reproducer import write_reproducer


class Reporter:
    """Collects or prints the errors of one run; `exit_code` says whether the run succeeded."""

    def __init__(self, args: Namespace, file: str, text: str):
        self._args = args
        self._file = file
        self._expected = find_expected_errors(text, file) if args.verify_diagnostics else []
        self._produced: list[Diagnostic] = []
        self.exit_code = 0

    def refuse(self, error: Exception, diagnostic: Diagnostic, source: str, *, parsing: bool):
        """Takes an error of the input; `parsing` says whether it arose while reading it."""
        if self._expected:
            self._produced.append(diagnostic)
        elif self._is_wanted(error, parsing=parsing):
            print(diagnostic)
        else:
            self._fail(diagnostic.with_source(source))

    def _is_wanted(self, error: Exception, *, parsing: bool) -> bool:
        """Whether the run is made to show this error: xDSL's reading of the two options."""
        if parsing and self._args.parsing_diagnostics:
            return True
        return self._args.verify_diagnostics and not isinstance(error, ParseError)

    def confess(self, error: Exception, stage: str, source: str) -> None:
        """Takes a bug of ours: one line, and a file with what is needed to see it again."""
        how = write_reproducer(self._args, source.lstrip("\n"))
        summary = f"{type(error).__name__}: {error}".split("\n", 1)[0]
        self._fail(f"{self._file}: internal error in {stage}: {summary} ({how})")

    def finish(self) -> int:
        """Compares with the announced errors, if there are any; returns the exit code."""
        if self._expected:
            for difference in compare(self._expected, self._produced, self._file):
                self._fail(str(difference))
        return self.exit_code

    def _fail(self, message: str) -> None:
        print(message, file=sys.stderr)
        self.exit_code = 1
