"""Errors as `file:line:column: error: message`, with the source line below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException, ParseError

from tamale.dialects.errors import TamaleError
from tamale.dialects.locations import error_location, location_of

USER_ERRORS = (ParseError, DiagnosticException, TamaleError)
"""What an input, a pass or a target may raise to refuse; everything else is a bug of ours."""


class Place(NamedTuple):
    """Line and column, both from one."""

    line: int
    column: int


@dataclass(frozen=True)
class Diagnostic:
    """One error in a file; `place` is None when nothing points into the file."""

    file: str
    place: Place | None
    message: str

    def __str__(self) -> str:
        where = f":{self.place.line}:{self.place.column}" if self.place else ""
        return f"{self.file}{where}: error: {self.message}"

    def with_source(self, text: str) -> str:
        """The diagnostic, followed by its line of `text` and a caret below the column."""
        lines = text.split("\n")
        if self.place is None or self.place.line > len(lines):
            return str(self)
        source = lines[self.place.line - 1]
        margin = "".join("\t" if c == "\t" else " " for c in source[: self.place.column - 1])
        return f"{self}\n{source}\n{margin}^"


def diagnose(error: Exception, file: str, module: ModuleOp | None) -> Diagnostic:
    """
    What to tell the user about `error`.

    An error of a pass that does not know its op is shown at the first op of `module`.
    """
    if isinstance(error, ParseError):
        location = error.span.get_location()
        return Diagnostic(file, Place(location.line, location.col), error.msg)
    found = error_location(error)
    if found is None and module is not None:
        found = location_of(module)
    message = str(error).strip() or type(error).__name__
    if found is None:
        return Diagnostic(file, None, message)
    return Diagnostic(found.filename.data, Place(found.line.data, found.column.data), message)
