"""
The text of Matrix Market files, as SciPy's reader takes it.

SciPy is led astray by what other readers accept, or by what nobody should: it takes `1.5D+01` for
1.5, `1,5` for 1, 4.5 in a file of integers for 4, and crashes on NUL characters. Here the first
becomes `1.5E+01`, the others are refused. A mark of UTF-8, a banner in another case, comments
between entries and `+1`, which it refuses, are taken. Each line stays the line that it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from tamale.dialects.errors import FormatError
from tamale.frontend.filetypes.streams import EXPONENTS

MARK = b"\xef\xbb\xbf"
"""What some editors begin UTF-8 with."""

BANNER = re.compile(rb"%%?MatrixMarket\b(.*)", re.IGNORECASE)
INTEGERS = ([b"integer"], [b"unsigned-integer"])
SQUARE = ("symmetric", "skew-symmetric", "hermitian")

COMMENT = re.compile(rb"%[^\n]*")
PLAIN = b"0123456789+-.eE \t\r\n"
"""The characters of finite numbers, and between them."""

NO_NUMBER = re.compile(
    rb"(?<!\S)[-+]?(?>[0-9]+\.?[0-9]*|\.[0-9]+)(?>(?:[eE][-+]?[0-9]+)?)\S+"
)
"""A word that begins like a number, and goes on otherwise."""

NO_INTEGER = re.compile(rb"\S*(?:\.[0-9]*[1-9]|[0-9.][eE])\S*")

NEWLINE, SPACE, PLUS = b"\n +"


def plain_text(portions: Iterable[bytes], path: Path) -> Iterator[bytes]:
    """
    Portions of whole lines in SciPy's form, one after the other.

    Raises:
        FormatError: naming the line that cannot be meant.
    """
    text = _Text(path)
    yield from map(text.plain, portions)


class _Text:
    """A file as far as it has been read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines = 0
        self._in_header = True
        """Whether the line with the sizes is still to come."""
        self._words: list[bytes] = []
        """What the banner says: object, format, field and symmetry."""

    def plain(self, text: bytes) -> bytes:
        """A portion in SciPy's form."""
        header = b""
        if self._in_header:
            if not self._lines:
                text = self._with_banner(text.removeprefix(MARK))
            end = self._header_end(text)
            header, text = text[:end], text[end:]
            self._lines += header.count(b"\n")
        text = self._numbers(text)
        self._lines += np.count_nonzero(np.frombuffer(text, np.uint8) == NEWLINE)
        return header + text

    def _fail(self, text: bytes, at: int, what: str) -> FormatError:
        line = self._lines + text.count(b"\n", 0, at) + 1
        return FormatError(f"read: '{self._path}', line {line}: {what}")

    def _with_banner(self, text: bytes) -> bytes:
        """The text with the banner as everybody writes it."""
        first, newline, others = text.partition(b"\n")
        banner = BANNER.match(first)
        if banner is None:
            return text
        self._words = banner[1].lower().split()
        if self._words[:1] == [b"vector"]:
            raise self._fail(text, 0, "a vector is not read; a matrix of one column is")
        return b"%%MatrixMarket" + banner[1] + newline + others

    def _header_end(self, text: bytes) -> int:
        """Where the line with the sizes begins, or the end of the text."""
        begin = 0
        for line in text.splitlines(keepends=True):
            words = line.split()
            if words and not words[0].startswith(b"%"):
                self._in_header = False
                self._check_sizes(text, begin, words)
                break
            begin += len(line)
        return begin

    def _check_sizes(self, text: bytes, at: int, words: Sequence[bytes]) -> None:
        symmetry = b"".join(self._words[3:4]).decode("ascii", "replace")
        if symmetry in SQUARE and words[:1] != words[1:2]:
            raise self._fail(text, at, f"a matrix that is {symmetry} has as many rows as columns")

    def _numbers(self, text: bytes) -> bytes:
        """Sizes and entries."""
        if (at := text.find(b"\0")) >= 0:
            raise self._fail(text, at, "there is a NUL character")
        if b"D" in text or b"d" in text:
            text = text.translate(EXPONENTS)
        if b"%" in text:
            text = COMMENT.sub(b"", text)
        if text.translate(None, PLAIN):
            self._refuse(NO_NUMBER, text, "is no number")
        if self._words[2:3] in INTEGERS and (b"." in text or b"E" in text or b"e" in text):
            self._refuse(NO_INTEGER, text, "is no integer, as the first line says")
        return _without_signs(text) if b"+" in text else text

    def _refuse(self, pattern: re.Pattern[bytes], text: bytes, what: str) -> None:
        """Refuses the first word of a pattern."""
        if (wrong := pattern.search(text)) is not None:
            word = wrong[0][:40].decode("ascii", "backslashreplace")
            raise self._fail(text, wrong.start(), f"'{word}' {what}")


def _without_signs(text: bytes) -> bytes:
    """`+1` as ` 1`; exponents keep their signs."""
    letters = np.frombuffer(text, np.uint8)
    plus = (letters == PLUS).nonzero()[0]
    leading = plus[letters[plus - 1] <= SPACE]
    if not len(leading):
        return text
    letters = letters.copy()
    letters[leading] = SPACE
    return letters.tobytes()
