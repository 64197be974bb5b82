"""
The disk cache: immutable groups of files, found by a key.

An entry is a folder named by its key. It is written elsewhere and renamed into place, so
that another process sees all of it or nothing, and it lists the digests of its files, so
that what a crash, a full disk or an editor left behind counts as absent.
"""

import contextlib
import errno
import fcntl
import hashlib
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Generator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tamale.backends.jit.folders import folders_to_read, folders_to_write
from tamale.dialects.errors import KernelError

_LISTING = "digests.json"
_KEY = re.compile(r"[0-9a-f]{64}")
_UNFINISHED = "unfinished"
_DAY = 24 * 60 * 60


@dataclass(frozen=True)
class Entry:
    """A complete entry on disk: the files that were stored are in `folder`."""

    folder: Path

    def path(self, name: str) -> Path:
        """The file stored under `name`."""
        return self.folder / name


def key_of(*parts: str) -> str:
    """
    A name for `parts`: 64 hexadecimal digits; other parts, or the same text cut elsewhere,
    have another name.

    >>> key_of("a", "bc") == key_of("ab", "c")
    False
    """
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode(errors="surrogatepass")
        digest.update(b"%d:" % len(data))
        digest.update(data)
    return digest.hexdigest()


def lookup(key: str) -> Entry | None:
    """The entry of `key`, found complete; None if there is none."""
    for folder in folders_to_read():
        if _is_intact(folder / key):
            return Entry(folder / key)
    return None


def store(key: str, files: Mapping[str, bytes]) -> Entry:
    """
    Puts `files`, contents by name, in the cache under `key`.

    If another process was first, the result is its entry: all processes use the same one.
    Where the cache cannot be written, the entry lives as long as this process.

    Raises:
        KernelError: no folder can be written, not even a temporary one.
    """
    failures: list[OSError] = []
    try:
        for folder in folders_to_write():
            try:
                return _store_in(folder, key, files)
            except OSError as error:
                failures.append(error)
    except OSError as error:  # There is no temporary folder either.
        failures.append(error)
    reasons = "".join(f"\n  {reason}" for reason in failures)
    raise KernelError(
        f"kernel cache: the result cannot be written anywhere.{reasons}\n"
        "  help: free some space, or set TAMALE_CACHE_DIR to a folder that can be written."
    )


def clear() -> None:
    """
    Removes every entry, and nothing that is not an entry.

    Raises:
        KernelError: an entry cannot be removed.
    """
    for folder in folders_to_read():
        try:
            for path in list(folder.iterdir()):
                if _KEY.fullmatch(path.name):
                    _discard(path)
        except OSError as error:
            raise KernelError(f"kernel cache: '{folder}' cannot be cleared: {error}") from error


def _is_intact(path: Path) -> bool:
    """Whether the folder `path` has every file that was stored in it, unchanged."""
    try:
        digests: dict[str, str] = json.loads((path / _LISTING).read_bytes())
        return all(_digest((path / name).read_bytes()) == digests[name] for name in digests)
    except (OSError, ValueError, TypeError):
        return False


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _store_in(folder: Path, key: str, files: Mapping[str, bytes]) -> Entry:
    """Writes the entry into a folder of its own, then moves that to its place."""
    _sweep(folder)
    with _unfinished(folder) as fresh:
        for name, data in files.items():
            (fresh / name).write_bytes(data)
        digests = {name: _digest(data) for name, data in files.items()}
        (fresh / _LISTING).write_bytes(json.dumps(digests, indent=1).encode())
        _publish(fresh, folder / key)
    return Entry(folder / key)


def _publish(fresh: Path, path: Path) -> None:
    """Moves a finished entry to `path`, unless a good one is there already."""
    while True:
        try:
            os.rename(fresh, path)
            return
        except OSError as error:
            if error.errno not in (errno.EEXIST, errno.ENOTEMPTY, errno.ENOTDIR):
                raise
        if _is_intact(path):
            return
        _remove_broken(path)


def _remove_broken(path: Path) -> None:
    """Makes room for a good entry; one process at a time, for a good one must stay."""
    with (path.parent / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not _is_intact(path):
            _discard(path)


@contextlib.contextmanager
def _unfinished(folder: Path) -> Generator[Path]:
    """A fresh folder, on the file system of `folder`, for an entry that is being written."""
    place = folder / _UNFINISHED
    place.mkdir(mode=0o700, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(dir=place))
    try:
        yield fresh
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def _discard(path: Path) -> None:
    """Removes `path` as a whole: nobody sees an entry that is half gone."""
    with _unfinished(path.parent) as grave, contextlib.suppress(FileNotFoundError):
        os.rename(path, grave / path.name)


def _sweep(folder: Path) -> None:
    """Removes what killed writers left behind, once it is a day old."""
    oldest = time.time() - _DAY
    with contextlib.suppress(OSError):
        for left_over in list((folder / _UNFINISHED).iterdir()):
            if left_over.stat().st_mtime < oldest:
                shutil.rmtree(left_over, ignore_errors=True)
