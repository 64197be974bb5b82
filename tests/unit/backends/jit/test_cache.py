"""The disk cache: what is stored is found whole, by all processes, or not at all."""

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tamale.backends.jit.cache import Entry, clear, key_of, lookup, store
from tamale.dialects.errors import KernelError

KEY = key_of("a kernel")
FILES = {"kernel.so": b"\x7fELF" * 1000, "kernel.cpp": b"int f();"}


def contents(entry: Entry | None) -> dict[str, bytes] | None:
    return entry and {name: entry.path(name).read_bytes() for name in FILES}


def test_keys_tell_parts_apart():
    keys = {key_of(), key_of(""), key_of("", ""), key_of("ab"), key_of("a", "b"), key_of("b", "a")}
    assert len(keys) == 6
    assert key_of("a", "b") == key_of("a", "b")
    assert len(key_of("a file name \udcff that is not UTF-8")) == 64


def test_what_is_stored_is_found():
    assert lookup(KEY) is None
    entry = store(KEY, FILES)
    assert lookup(KEY) == entry
    assert contents(entry) == FILES
    assert lookup(key_of("another kernel")) is None


def test_the_first_entry_stays():
    entry = store(KEY, FILES)
    assert store(KEY, {name: b"other" for name in FILES}) == entry
    assert contents(lookup(KEY)) == FILES


def flip_a_byte(folder: Path) -> None:
    (folder / "kernel.so").write_bytes(b"\x7fELG" + FILES["kernel.so"][4:])


def truncate(folder: Path) -> None:
    (folder / "kernel.so").write_bytes(b"")


def lose_a_file(folder: Path) -> None:
    (folder / "kernel.cpp").unlink()


def lose_the_listing(folder: Path) -> None:
    (folder / "digests.json").unlink()


def empty_the_listing(folder: Path) -> None:
    (folder / "digests.json").write_bytes(b"")


def write_another_listing(folder: Path) -> None:
    (folder / "digests.json").write_text(json.dumps(["kernel.so"]))


def lose_all_files(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()


def put_a_file_there(folder: Path) -> None:
    lose_all_files(folder)
    folder.rmdir()
    folder.touch()


DAMAGES = [
    flip_a_byte,
    truncate,
    lose_a_file,
    lose_the_listing,
    empty_the_listing,
    write_another_listing,
    lose_all_files,
    put_a_file_there,
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_broken_entry_counts_as_absent_and_is_replaced(damage: Callable[[Path], None]):
    damage(store(KEY, FILES).folder)
    assert lookup(KEY) is None
    assert contents(store(KEY, FILES)) == FILES
    assert contents(lookup(KEY)) == FILES


def test_while_many_repair_an_entry_each_finds_it_whole(cache_folder: Path):
    def repair(_: int) -> dict[str, bytes] | None:
        entry = store(KEY, FILES)
        assert entry.folder == cache_folder / KEY
        return contents(entry)

    with ThreadPoolExecutor(8) as pool:
        for _ in range(20):
            flip_a_byte(store(KEY, FILES).folder)
            assert list(pool.map(repair, range(8))) == [FILES] * 8


def test_a_killed_writer_leaves_no_entry_and_is_swept_after_a_day(cache_folder: Path):
    script = (
        "import os\n"
        "from tamale.backends.jit.cache import store\n"
        "os.rename = lambda *_: os.kill(os.getpid(), 9)\n"
        f"store('{KEY}', {{'kernel.so': b'half'}})\n"
    )
    assert subprocess.run([sys.executable, "-c", script]).returncode == -signal.SIGKILL
    (left_over,) = (cache_folder / "unfinished").iterdir()
    assert lookup(KEY) is None
    assert contents(store(KEY, FILES)) == FILES
    assert left_over.exists(), "it might still be at work"

    yesterday = time.time() - 25 * 60 * 60
    os.utime(left_over, (yesterday, yesterday))
    store(key_of("the next kernel"), FILES)
    assert not left_over.exists()


LIMITED = """
import resource, signal, sys
from tamale.backends.jit.cache import store
from tamale.dialects.errors import KernelError
signal.signal(signal.SIGXFSZ, getattr(signal, sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    store(sys.argv[2], {"kernel.cpp": b"int f();", "kernel.so": b"0" * 4000})
except KernelError as error:
    print(error)
"""


@pytest.mark.parametrize("action", ["SIG_IGN", "SIG_DFL"])
def test_a_file_that_cannot_grow_leaves_no_entry(action: str, cache_folder: Path):
    """A write that stops halfway fails, as on a full disk, or kills the process."""
    command = [sys.executable, "-c", LIMITED, action, KEY]
    finished = subprocess.run(command, capture_output=True, text=True)
    if action == "SIG_DFL":
        assert finished.returncode == -signal.SIGXFSZ
    else:
        assert "File too large" in finished.stdout, finished.stderr
    assert lookup(KEY) is None
    assert not (cache_folder / KEY).exists()
    assert contents(store(KEY, FILES)) == FILES


def fail_to_write(monkeypatch: pytest.MonkeyPatch, below: Path) -> None:
    """As on a full disk: files in `below` can be created, but hold nothing."""
    write = Path.write_bytes

    def fail(self: Path, data: bytes) -> int:
        if below not in self.parents:
            return write(self, data)
        self.touch()
        raise OSError(errno.ENOSPC, "No space left on device", str(self))

    monkeypatch.setattr(Path, "write_bytes", fail)


def test_a_full_disk_leaves_nothing_and_the_process_keeps_its_kernel(
    monkeypatch: pytest.MonkeyPatch, cache_folder: Path
):
    fail_to_write(monkeypatch, below=cache_folder)
    key = key_of("on a full disk")
    entry = store(key, FILES)
    assert contents(entry) == FILES
    assert lookup(key) == entry
    assert cache_folder not in entry.folder.parents
    assert [path for path in cache_folder.rglob("*") if path.name != "unfinished"] == []


def test_when_nothing_can_be_written_the_message_says_why(monkeypatch: pytest.MonkeyPatch):
    fail_to_write(monkeypatch, below=Path("/"))
    with pytest.raises(KernelError, match="No space left on device(?s:.*)help: free some space"):
        store(key_of("nowhere"), FILES)


def test_clear_removes_entries_and_nothing_else(cache_folder: Path):
    store(KEY, FILES)
    (cache_folder / "letter.txt").write_text("keep me")
    clear()
    assert lookup(KEY) is None
    assert not (cache_folder / KEY).exists()
    assert (cache_folder / "letter.txt").read_text() == "keep me"
