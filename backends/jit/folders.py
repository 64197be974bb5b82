"""Where compiled kernels live: the user's cache folder, or a temporary folder of this process."""

import atexit
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tamale.dialects.errors import KernelError


def cache_folder() -> Path | None:
    """
    The folder that keeps kernels between processes; None where there is none.

    It is `$TAMALE_CACHE_DIR`, else `$XDG_CACHE_HOME/tamale`, else `~/.cache/tamale`, and is
    created if missing, open to its owner only. An empty `TAMALE_CACHE_DIR` turns it off.

    Raises:
        KernelError: somebody else could put a library there that this process would run.
    """
    path = _configured()
    if path is None:
        return None
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        _refuse_unless_private(path, path.stat())
    except OSError:
        return None
    return path


def _configured() -> Path | None:
    """The folder that the environment names, as an absolute path."""
    chosen = os.environ.get("TAMALE_CACHE_DIR")
    if chosen == "":
        return None
    try:
        if chosen is not None:
            return Path(chosen).expanduser().absolute()
        xdg = os.environ.get("XDG_CACHE_HOME", "")
        # The XDG specification says to ignore a relative path.
        base = Path(xdg) if os.path.isabs(xdg) else Path.home() / ".cache"
        return base / "tamale"
    except (OSError, RuntimeError):  # A user without a home, a working directory that is gone.
        return None


def _refuse_unless_private(path: Path, status: os.stat_result) -> None:
    """Compiled code is loaded from `path`, so only the user may be able to write there."""
    remedy = "or set TAMALE_CACHE_DIR to a folder of your own (empty: no cache on disk)."
    if status.st_uid != os.geteuid():
        raise KernelError(
            f"kernel cache: '{path}' belongs to user {status.st_uid}, not to you "
            f"(user {os.geteuid()}), who could make you run any code.\n"
            f"  help: remove it, {remedy}"
        )
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise KernelError(
            f"kernel cache: other users can write to '{path}' "
            f"(mode {stat.S_IMODE(status.st_mode):o}), and could make you run any code.\n"
            f"  help: run `chmod 700 '{path}'`, {remedy}"
        )


def folders_to_read() -> Iterator[Path]:
    """The folders that may hold kernels."""
    if (folder := cache_folder()) is not None:
        yield folder
    if (private := _private_folders.get(os.getpid())) is not None:
        yield private


def folders_to_write() -> Iterator[Path]:
    """The folders to try to write to, best first; the last one is this process's own."""
    if (folder := cache_folder()) is not None:
        yield folder
    yield _private_folder()


# By process id: a forked child must not use a folder that its parent will remove.
_private_folders: dict[int, Path] = {}


def _private_folder() -> Path:
    """A temporary folder of this process, removed when the process ends."""
    owner = os.getpid()
    if owner not in _private_folders:
        path = Path(tempfile.mkdtemp(prefix="tamale-"))
        _private_folders[owner] = path
        atexit.register(_remove_in_owner, path, owner)
    return _private_folders[owner]


def _remove_in_owner(path: Path, owner: int) -> None:
    """A forked child inherits the exit functions of its parent, but not the folder."""
    if os.getpid() == owner:
        shutil.rmtree(path, ignore_errors=True)
