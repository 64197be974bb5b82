"""From the text of a request to a library, compiled once."""

import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tamale.backends.jit.build import Build, build
from tamale.backends.jit.cache import clear
from tamale.backends.jit.library import load
from tamale.dialects.errors import KernelError

FakeCompiler = Callable[..., Path]
Runs = Callable[[], list[str]]

BUILD = Build("int f();", {"name": "f", "parameters": ["int64_t"]})

# The identity is fixed so that the processes agree even if somebody edits tamale meanwhile.
PROCESS = """
from tamale.backends.jit import build
build.tamale_identity = lambda: "this tamale"
built = build.build(["a request"], lambda: build.Build("int f();", {"name": "f"}))
print(built.library.read_text().strip(), built.library)
"""


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, fake_compiler: FakeCompiler) -> None:
    monkeypatch.setenv("CXX", str(fake_compiler()))


def compilations(runs: list[str]) -> int:
    return sum("kernel.cpp" in run for run in runs)


def never() -> Build:
    raise AssertionError("the cache should have this kernel")


def test_a_kernel_is_compiled_loaded_and_called():
    source = '#include <stdint.h>\nextern "C" int32_t twice(int32_t a) { return 2 * a; }\n'
    metadata = {"name": "twice", "parameters": ["int32_t"]}
    built = build(["twice"], lambda: Build(source, metadata))
    assert built.source.read_text() == source
    assert built.metadata == metadata
    assert load(built.library, built.metadata["name"], built.metadata["parameters"]).call(21) == 42


@pytest.mark.usefixtures("fake")
def test_a_cached_kernel_is_neither_made_nor_compiled(compiler_runs: Runs):
    first = build(["a", "b"], lambda: BUILD)
    assert build(["a", "b"], never) == first
    assert compilations(compiler_runs()) == 1
    clear()
    build(["a", "b"], lambda: BUILD)
    assert compilations(compiler_runs()) == 2


@pytest.mark.usefixtures("fake")
def test_flags_and_requests_have_kernels_of_their_own(
    monkeypatch: pytest.MonkeyPatch, compiler_runs: Runs
):
    libraries = {build(["a"], lambda: BUILD).library, build(["b"], lambda: BUILD).library}
    monkeypatch.setenv("TAMALE_CXXFLAGS", "-fsanitize=undefined")
    libraries.add(build(["a"], lambda: BUILD).library)
    assert len(libraries) == compilations(compiler_runs()) == 3
    assert compiler_runs()[-1].endswith("-fsanitize=undefined kernel.cpp -o kernel.so")


@pytest.mark.usefixtures("fake")
def test_a_second_process_runs_no_compiler(compiler_runs: Runs):
    outputs = {subprocess.check_output([sys.executable, "-c", PROCESS]) for _ in range(2)}
    assert len(outputs) == 1
    assert len(compiler_runs()) == 2, "one --version, one compilation"


@pytest.mark.usefixtures("fake")
@pytest.mark.parametrize("count", [20, pytest.param(200, marks=pytest.mark.slow)])
def test_many_processes_agree_on_one_library(count: int):
    command = [sys.executable, "-c", PROCESS]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(count)]
    outputs = [process.communicate()[0] for process in processes]
    assert [process.returncode for process in processes] == [0] * count
    assert len(set(outputs)) == 1, "each run of the fake compiler writes another library"


@pytest.mark.usefixtures("fake")
def test_threads_that_ask_for_one_kernel_compile_it_once(compiler_runs: Runs):
    start = threading.Barrier(8)

    def ask() -> None:
        start.wait()
        build(["shared"], lambda: BUILD)

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert compilations(compiler_runs()) == 1


@pytest.mark.usefixtures("fake")
def test_a_request_that_cannot_be_made_can_be_made_later():
    def refuse() -> Build:
        raise KernelError("no such operator")

    with pytest.raises(KernelError, match="no such operator"):
        build(["a"], refuse)
    assert build(["a"], lambda: BUILD).metadata == BUILD.metadata


def test_a_failed_compilation_is_not_remembered(tmp_path: Path, cache_folder: Path):
    with pytest.raises(KernelError, match=r"kernel\.cpp:1:1: error:"):
        build(["broken"], lambda: Build("no C++", {}))
    with pytest.raises(KernelError, match=r"kernel\.cpp:1:1: error:"):
        build(["broken"], lambda: Build("no C++", {}))
    assert list(cache_folder.rglob("kernel.so")) == []


@pytest.mark.usefixtures("fake")
def test_no_room_to_compile_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    build(["a"], lambda: BUILD)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "missing"))
    with pytest.raises(KernelError, match="cannot be compiled: .*No such file"):
        build(["b"], lambda: BUILD)


FORK_DURING_COMPILATION = """
import os, signal
from tamale.backends.jit.build import Build, build

def fork_and_make():
    if (child := os.fork()) == 0:
        signal.alarm(20)
        build(["a request"], lambda: Build("int f();", {}))
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0, "the child waited for a lock of its parent"
    return Build("int f();", {})

build(["a request"], fork_and_make)
"""


@pytest.mark.usefixtures("fake")
def test_a_child_forked_during_a_compilation_can_compile():
    subprocess.run([sys.executable, "-c", FORK_DURING_COMPILATION], check=True)
