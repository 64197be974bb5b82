"""Files as streams, packed or not, that tell how far reading has got."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, TypeAlias

Progress: TypeAlias = Callable[[float], None]
"""Is told which part of a file has been read, from 0 to 1."""


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


class Unpacked(gzip.GzipFile):
    """What a packed stream holds; closing it closes the stream."""

    def __init__(self, stream: io.BufferedReader[Any]) -> None:
        super().__init__(fileobj=stream)
        self._packed = stream

    def close(self) -> None:
        super().close()
        self._packed.close()


def open_bytes(path: Path, progress: Progress | None = None) -> io.BufferedIOBase:
    """The contents of a file, unpacked if it is called `.gz`."""
    stream = io.BufferedReader(Counted(path, progress), 1 << 20)
    return Unpacked(stream) if path.name.endswith(".gz") else stream


def create_bytes(path: Path) -> io.BufferedIOBase:
    """A file to write, packed if it is called `.gz`."""
    return gzip.open(path, "wb") if path.name.endswith(".gz") else path.open("wb")
