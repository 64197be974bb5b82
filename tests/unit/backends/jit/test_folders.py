"""Which folder holds the kernels, and which folders are refused."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tamale.backends.jit import cache, folders
from tamale.backends.jit.folders import folders_to_read, folders_to_write
from tamale.dialects.errors import KernelError


def python(script: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)


def test_the_environment_names_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert folders.cache_folder() == tmp_path / "cache"
    monkeypatch.delenv("TAMALE_CACHE_DIR")
    assert folders.cache_folder() == tmp_path / "xdg" / "tamale"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative/is/ignored")
    assert folders.cache_folder() == tmp_path / "home" / ".cache" / "tamale"
    monkeypatch.setenv("TAMALE_CACHE_DIR", "~/mine")
    assert folders.cache_folder() == tmp_path / "home" / "mine"


def test_a_new_folder_is_private(cache_folder: Path):
    next(folders_to_write())
    assert cache_folder.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("mode", [0o770, 0o702, 0o777])
def test_a_folder_that_others_can_write_is_refused(cache_folder: Path, mode: int):
    entry = cache.store(cache.key_of("a"), {"a": b"1"})
    cache_folder.chmod(mode)
    for use in (
        lambda: cache.lookup(entry.folder.name),
        lambda: cache.store(entry.folder.name, {"a": b"1"}),
        cache.clear,
    ):
        with pytest.raises(KernelError, match=f"mode {mode:o}.*\n.*chmod 700 '{cache_folder}'"):
            use()
    cache_folder.chmod(0o755)
    assert cache.lookup(entry.folder.name) == entry


def test_a_folder_of_somebody_else_is_refused(monkeypatch: pytest.MonkeyPatch):
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    with pytest.raises(KernelError, match=f"belongs to user {owner}, not to you"):
        folders.cache_folder()


@pytest.mark.parametrize("location", ["", "{tmp}/a-file/below", "/proc/no/such"])
def test_without_a_folder_kernels_live_as_long_as_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, location: str
):
    (tmp_path / "a-file").touch()
    monkeypatch.setenv("TAMALE_CACHE_DIR", location.format(tmp=tmp_path))
    key = cache.key_of("temporary", location)
    assert cache.lookup(key) is None
    entry = cache.store(key, {"a": b"1"})
    assert cache.lookup(key) == entry
    assert entry.folder.parent.stat().st_mode & 0o777 == 0o700
    assert list(folders_to_read()) == list(folders_to_write()) == [entry.folder.parent]


def test_the_temporary_folder_goes_with_its_process_and_no_earlier():
    finished = python(
        "import os, sys; os.environ['TAMALE_CACHE_DIR'] = ''\n"
        "from tamale.backends.jit.cache import key_of, lookup, store\n"
        "entry = store(key_of('a'), {'a': b'1'})\n"
        "if (child := os.fork()) == 0:\n"
        "    own = store(key_of('a'), {'a': b'1'})\n"
        "    sys.exit(own.folder == entry.folder)\n"
        "assert os.waitpid(child, 0)[1] == 0, 'the child shares the folder'\n"
        "assert lookup(key_of('a')) == entry, 'the child removed the folder'\n"
        "print(entry.folder.parent)\n"
    )
    assert finished.returncode == 0, finished.stderr
    folder = Path(finished.stdout.strip())
    assert folder.name.startswith("tamale-")
    assert not folder.exists()


def test_the_modules_import_no_heavy_package():
    finished = python(
        "import sys\n"
        "from tamale.backends.jit import build, cache, compiler, cpu, folders, library, sources\n"
        "print([m for m in ('xdsl', 'scipy', 'numpy', 'pycparser') if m in sys.modules])\n"
    )
    assert finished.stdout == "[]\n", finished.stderr
