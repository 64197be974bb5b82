"""Files as streams, packed or not, that tell how far reading has got."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, TypeAlias

Progress: TypeAlias = Callable[[float], None]
"""Is told which part of a file has been read, from 0 to 1."""


PORTION = 1 << 20
"""How many bytes of text are read at once."""

EXPONENTS = bytes.maketrans(b"Dd", b"Ee")
"""Fortran writes `1.5D+01` for `1.5E+01`."""


class Counted(io.RawIOBase):
    """The bytes of a file on disk; `progress` is told about each portion that is read."""

    def __init__(self, path: Path, progress: Progress | None) -> None:
        self._raw: IO[bytes] = path.open("rb")
        self._size = max(path.stat().st_size, 1)
        self._progress = progress
        self._read = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        portion = self._raw.read(len(buffer))
        buffer[: len(portion)] = portion
        self._read += len(portion)
        if self._progress is not None:
            self._progress(min(self._read / self._size, 1.0))
        return len(portion)

    def close(self) -> None:
        self._raw.close()
        super().close()


class Served(io.RawIOBase):
    """Portions of bytes as a file to read from."""

    def __init__(self, portions: Iterator[bytes]) -> None:
        self._portions = portions
        self._left = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._left and (portion := next(self._portions, None)) is not None:
            self._left = memoryview(portion)
        count = min(len(buffer), len(self._left))
        buffer[:count] = self._left[:count]
        self._left = self._left[count:]
        return count


class Unpacked(gzip.GzipFile):
    """What a packed stream holds; closing it closes the stream."""

    def __init__(self, stream: io.BufferedReader[Any]) -> None:
        super().__init__(fileobj=stream)
        self._packed = stream

    def close(self) -> None:
        super().close()
        self._packed.close()


def is_packed(path: Path) -> bool:
    """Whether a file is called `.gz`."""
    return path.name.lower().endswith(".gz")


def open_bytes(path: Path, progress: Progress | None = None) -> io.BufferedIOBase:
    """The contents of a file, unpacked if it is called `.gz`."""
    stream = io.BufferedReader(Counted(path, progress), PORTION)
    return Unpacked(stream) if is_packed(path) else stream


def whole_lines(stream: io.BufferedIOBase) -> Iterator[bytes]:
    """Portions of a stream that end with a line."""
    begun: list[bytes] = []
    while portion := stream.read(PORTION):
        head, newline, tail = portion.rpartition(b"\n")
        if newline:
            yield b"".join([*begun, head, newline])
            begun.clear()
        begun.append(tail)
    if rest := b"".join(begun):
        yield rest + b"\n"


def create_bytes(path: Path) -> io.BufferedIOBase:
    """A file to write, packed if it is called `.gz`."""
    return gzip.open(path, "wb") if is_packed(path) else path.open("wb")
