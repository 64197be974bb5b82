"""
FROSTT's `.tns`: `i j k value` per line, counted from 1; what follows `#` is a comment.

Some writers begin with a header: a line with the order, a line with as many sizes. Ours is a
comment, `# shape 3 4 5`, which every reader takes. Without a header the sizes are the largest
coordinates. Files are read in portions, so that memory holds the entries and no text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tamale.dialects.errors import FormatError
from tamale.frontend.entries import from_entries
from tamale.frontend.filetypes.streams import Progress, create_bytes, open_bytes, whole_lines
from tamale.frontend.tensor import Tensor

MOST_COORDINATE = 1 << 53
"""Above, float64, as which numbers are read, no longer tells coordinates apart."""

SHAPE = b"# shape "
"""How our header begins."""

SPACE, NEWLINE = 32, 10


@dataclass
class _Table:
    """The rows read so far, in portions."""

    path: Path
    columns: int = 0
    lines: int = 0
    shape: list[int] | None = None
    portions: list[NDArray[np.float64]] = field(default_factory=list["NDArray[np.float64]"])

    def fail(self, line: int, what: str) -> FormatError:
        return FormatError(f"read: '{self.path}', line {line}: {what}")

    def add(self, text: bytes) -> None:
        """Rows from whole lines of text."""
        text = _without_comments(text)
        counts = _words_by_line(text)
        rows = counts.nonzero()[0]
        if not self.columns and len(rows):
            self.columns = int(counts[rows[0]])
        wrong = (counts[rows] != self.columns).nonzero()[0]
        if len(wrong):
            k = int(rows[wrong[0]])
            raise self.fail(
                self.lines + k + 1, f"{counts[k]} columns, but {self.columns} in the lines before"
            )
        if self.columns < 2 and len(rows):
            raise self.fail(self.lines + int(rows[0]) + 1, "a coordinate and a value are expected")
        self.portions.append(self._numbers(text, rows))
        self.lines += len(counts)

    def _numbers(self, text: bytes, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        words = text.split()
        try:
            found = np.array(words, np.float64).reshape(len(rows), self.columns)
        except ValueError as error:
            k = next(k for k, word in enumerate(words) if not _is_number(word))
            line = self.lines + int(rows[k // self.columns]) + 1
            word = words[k][:40].decode("ascii", "backslashreplace")
            raise self.fail(line, f"'{word}' is no number") from error
        crds = found[:, :-1]
        bad = ~((crds >= 1) & (crds <= MOST_COORDINATE) & (crds == np.floor(crds)))
        if bad.any():
            row, column = np.argwhere(bad)[0].tolist()
            raise self.fail(
                self.lines + int(rows[row]) + 1,
                f"coordinate {found[row, column]:.15g} of mode {column + 1} is no integer from 1",
            )
        return found


def read_tns(path: Path, progress: Progress | None = None) -> Tensor:
    """
    The tensor of a `.tns` or `.tns.gz` file.

    Raises:
        FormatError: naming the line that cannot be read.
    """
    table = _Table(path)
    with open_bytes(path, progress) as stream:
        for text in whole_lines(stream):
            table.add(_after_header(text, table) if not table.lines else text)
    rows = np.concatenate(table.portions) if table.portions else np.zeros((0, 0))
    table.portions.clear()
    if not len(rows) and table.shape is None:
        raise FormatError(f"read: '{path}' has no entries, and no header that tells its sizes")
    columns = [column.astype(np.int64) - 1 for column in rows[:, :-1].T]
    vals = np.ascontiguousarray(rows[:, -1]) if len(rows) else np.zeros(0)
    if table.shape is None:
        return from_entries(columns, vals, [int(column.max()) + 1 for column in columns])
    _check_header(table, columns)
    return from_entries(columns or [vals.astype(np.int64)] * len(table.shape), vals, table.shape)


def _check_header(table: _Table, columns: list[Any]) -> None:
    shape = table.shape
    assert shape is not None
    if columns and len(columns) != len(shape):
        raise FormatError(
            f"read: '{table.path}' has {len(columns)} coordinates per line; its header says "
            f"{len(shape)}"
        )
    for mode, (column, size) in enumerate(zip(columns, shape, strict=False), 1):
        if column.max(initial=-1) >= size:
            k = int((column >= size).argmax())
            raise FormatError(
                f"read: '{table.path}', entry {k + 1}: coordinate {column[k] + 1} of mode {mode} "
                f"is larger than the size {size} in the header"
            )


def _after_header(text: bytes, table: _Table) -> bytes:
    """The lines after a header, which is noted; header lines stay as empty ones."""
    first = text.partition(b"\n")[0]
    if first.startswith(SHAPE) and all(word.isdigit() for word in first[len(SHAPE) :].split()):
        table.shape = [int(word) for word in first[len(SHAPE) :].split()]
        return text
    lines = text.split(b"\n")
    full = [k for k, line in enumerate(lines) if line.split(b"#")[0].split()][:3]
    words = [lines[k].split(b"#")[0].split() for k in full]
    if len(words) < 2 or len(words[0]) != 1 or not words[0][0].isdigit():
        return text
    order = int(words[0][0])
    if len(words[1]) != order or not all(word.isdigit() for word in words[1]):
        return text
    table.shape = [int(word) for word in words[1]]
    for k in full[:2]:
        lines[k] = b""
    return b"\n".join(lines)


def _without_comments(text: bytes) -> bytes:
    if b"#" not in text:
        return text
    return b"\n".join(line.partition(b"#")[0] for line in text.split(b"\n"))


def _words_by_line(text: bytes) -> NDArray[np.int64]:
    """How many words each line has."""
    letters = np.frombuffer(text, np.uint8)
    in_word = letters > SPACE
    starts = in_word.copy()
    starts[1:] &= ~in_word[:-1]
    before = np.cumsum(starts, dtype=np.int64)[letters == NEWLINE]
    return np.diff(before, prepend=np.int64(0))


def _is_number(word: bytes) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def write_tns(path: Path, source: Tensor) -> None:
    """
    Writes entries with a header, so that the sizes come back.

    Raises:
        FormatError: the values are complex, or the tensor is a number.
    """
    if source.dtype.name.startswith("complex") or not source.order:
        what = source.dtype if source.order else "tensor of order 0"
        raise FormatError(f"write: .tns holds no {what}\n  help: .npz holds any tensor")
    crds, vals = source.nonzeros()
    columns = [column + 1 for column in crds]
    with create_bytes(path) as stream:
        sizes = " ".join(map(str, source.shape))
        stream.write(SHAPE + f"{sizes}\n".encode())
        for begin in range(0, len(vals), 1 << 16):
            part = slice(begin, begin + (1 << 16))
            lists = [*(column[part].tolist() for column in columns), vals[part].tolist()]
            lines = (" ".join(map(repr, row)) for row in zip(*lists, strict=True))
            stream.write("".join(f"{line}\n" for line in lines).encode())
