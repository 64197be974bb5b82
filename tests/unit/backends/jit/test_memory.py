"""Freed blocks are kept for the next kernel, within limits, and hold what they should."""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import tamale as tm
from tamale.backends.jit.build import Build
from tamale.backends.jit.library import ffi
from tamale.backends.jit.memory import shared_memory
from tamale.backends.jit.native import native_kernel
from tamale.dialects.lazy import load
from tamale.frontend.exporting import write_library

LIBRARY: Any = shared_memory()
pytestmark = pytest.mark.skipif(LIBRARY is None, reason="kernels use malloc here")

MIB = 1 << 20
LIMIT = 256 * MIB


def function(ctype: str, name: str) -> Any:
    return LIBRARY.load_function(ffi.typeof(ctype), name)


class Memory:
    """The four functions that kernels call in place of the C library's."""

    def __init__(self) -> None:
        self.malloc = function("void *(*)(size_t)", "__wrap_malloc")
        self.calloc = function("void *(*)(size_t, size_t)", "__wrap_calloc")
        self.realloc = function("void *(*)(void *, size_t)", "__wrap_realloc")
        self.free = function("void(*)(void *)", "__wrap_free")
        self.kept: Any = function("size_t(*)(void)", "tamale_kept_memory")


@pytest.fixture
def memory() -> Iterator[Memory]:
    tm.keep_memory(LIMIT)
    yield Memory()
    tm.keep_memory(LIMIT)


def view(block: Any, bytes: int) -> Any:
    return np.frombuffer(memoryview(ffi.buffer(block, bytes)), np.uint8)


def test_a_block_comes_back(memory: Memory):
    block = memory.malloc(8 * MIB)
    memory.free(block)
    assert memory.kept() >= 8 * MIB
    assert memory.malloc(7 * MIB) == block
    assert memory.kept() == 0
    memory.free(block)


def test_a_block_too_small_or_much_too_large_is_not_taken(memory: Memory):
    block = memory.malloc(8 * MIB)
    memory.free(block)
    others = [memory.malloc(9 * MIB), memory.malloc(3 * MIB)]
    assert block not in others
    assert memory.kept() >= 8 * MIB
    for other in others:
        memory.free(other)


def test_the_closest_fit_is_taken(memory: Memory):
    blocks = [memory.malloc(size * MIB) for size in (12, 9, 10)]
    for block in blocks:
        memory.free(block)
    assert memory.malloc(8 * MIB) == blocks[1]
    memory.free(blocks[1])


def test_small_blocks_are_left_to_malloc(memory: Memory):
    memory.free(memory.malloc(MIB // 2))
    memory.free(ffi.NULL)
    assert memory.kept() == 0


def test_the_limit_holds_and_the_oldest_go(memory: Memory):
    tm.keep_memory(20 * MIB)
    blocks = [memory.malloc(8 * MIB) for _ in range(3)]
    for block in blocks:
        memory.free(block)
    assert 16 * MIB <= memory.kept() <= 20 * MIB
    taken = {memory.malloc(8 * MIB), memory.malloc(8 * MIB)}
    assert taken == set(blocks[1:])
    for block in taken:
        memory.free(block)
    memory.free(memory.malloc(30 * MIB))
    assert memory.kept() <= 20 * MIB


def test_more_blocks_than_there_are_places(memory: Memory):
    for block in [memory.malloc(MIB) for _ in range(100)]:
        memory.free(block)
    assert MIB <= memory.kept() < 40 * MIB


def test_nothing_is_kept_with_a_limit_of_zero(memory: Memory):
    memory.free(memory.malloc(8 * MIB))
    tm.keep_memory(0)
    assert memory.kept() == 0
    memory.free(memory.malloc(8 * MIB))
    assert memory.kept() == 0


def test_what_is_kept_can_be_given_back(memory: Memory):
    memory.free(memory.malloc(8 * MIB))
    assert tm.release_memory() >= 8 * MIB
    assert tm.release_memory() == 0


def test_a_block_that_nothing_fits_is_given_up(memory: Memory):
    memory.free(memory.malloc(64 * MIB))
    for _ in range(200):
        memory.free(memory.malloc(MIB))
    assert memory.kept() < 64 * MIB


def test_zeros_are_zeros(memory: Memory):
    block = memory.malloc(8 * MIB)
    view(block, 8 * MIB)[:] = 7
    memory.free(block)
    again = memory.calloc(8, MIB)
    assert again == block
    assert not view(again, 8 * MIB).any()
    memory.free(again)
    assert memory.calloc((1 << 61) + MIB, 8) == ffi.NULL


def test_zeros_do_not_come_from_memory_that_was_not_touched(memory: Memory):
    block = memory.malloc(64 * MIB)
    memory.free(block)
    fresh = memory.calloc(64, MIB)
    assert fresh != block
    memory.free(fresh)


def test_a_block_that_grows_or_is_cut_keeps_its_contents(memory: Memory):
    memory.free(memory.malloc(16 * MIB))
    block = memory.malloc(2 * MIB)
    pattern = np.arange(2 * MIB, dtype=np.uint32).astype(np.uint8)
    view(block, 2 * MIB)[:] = pattern
    for size in (3, 9, 17, 12, 5, 2):
        block = memory.realloc(block, size * MIB)
        assert np.array_equal(view(block, 2 * MIB), pattern)
    block = memory.realloc(block, 1000)
    assert np.array_equal(view(block, 1000), pattern[:1000])
    memory.free(block)
    memory.free(memory.realloc(ffi.NULL, 4 * MIB))


def test_room_that_was_too_large_is_whole_the_next_time(memory: Memory):
    room = memory.malloc(32 * MIB)
    assert memory.realloc(room, 5 * MIB) == room
    small = memory.realloc(room, 2 * MIB)
    assert small != room
    assert memory.malloc(32 * MIB) == room
    memory.free(small)
    memory.free(room)


def test_memory_that_runs_out_is_found_among_what_is_kept():
    program = """if True:
        import resource, psutil, tamale as tm
        from tamale.backends.jit.library import ffi
        from tamale.backends.jit.memory import shared_memory
        tm.keep_memory(1 << 40)
        load = shared_memory().load_function
        malloc = load(ffi.typeof("void *(*)(size_t)"), "__wrap_malloc")
        free = load(ffi.typeof("void(*)(void *)"), "__wrap_free")
        free(malloc(600 << 20))
        bound = psutil.Process().memory_info().vms + (300 << 20)
        resource.setrlimit(resource.RLIMIT_AS, (bound, bound))
        assert malloc(800 << 20) != ffi.NULL
        assert malloc(800 << 20) == ffi.NULL
    """
    subprocess.run([sys.executable, "-c", program], check=True)


HAMMER = """
#include <stdint.h>
#include <stdlib.h>
extern "C" int32_t hammer(int64_t seed, int64_t rounds) {
  int64_t *held[8] = {};
  uint64_t random = seed;
  for (int64_t k = 0; k < rounds; k++) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    int64_t *&block = held[random >> 61];
    if (block) {
      if (*block != seed) return 1;
      free(block);
      block = nullptr;
    } else {
      block = (int64_t *)malloc((size_t)1 << 20);
      *block = seed;
    }
  }
  for (int64_t *block : held) free(block);
  return 0;
}
"""


def test_threads_never_share_a_block(memory: Memory):
    def make() -> Build:
        return Build(HAMMER, {})

    hammer = native_kernel((HAMMER,), make, "hammer", ["int64_t"] * 2).call
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(hammer, range(1, 9), [100_000] * 8)) == [0] * 8


def test_results_of_kernels_are_kept(memory: Memory):
    a: Any = load("scipy.sparse:random_array")((2000, 2000), density=0.1, format="csr", rng=0)
    A = tm.tensor(a)
    add = tm.compile("Z(i,j) = A(i,j) + B(i,j)", A="csr", B="csr", Z="csr")
    first = add(A=A, B=A)
    address = first.vals.ctypes.data
    del first
    assert memory.kept() > 0
    second = add(A=A, B=A)
    assert second.vals.ctypes.data == address
    third = add(A=second, B=A)
    assert third.vals.ctypes.data != address
    assert abs(second.to_scipy() - 2 * a).max() == 0
    assert abs(third.to_scipy() - 3 * a).max() == 0


def test_exported_kernels_use_malloc(tmp_path: Any):
    kernel = tm.compile("Z(i,j) = A(i,j) + B(i,j)", A="csr", B="csr", Z="csr", name="add")
    write_library(kernel.request, tmp_path / "add.so")
    program = f"import ctypes, os; ctypes.CDLL({str(tmp_path / 'add.so')!r}, os.RTLD_NOW)"
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.parametrize("value", ["much", "-1", ""])
def test_a_limit_that_is_no_number_is_refused(value: str):
    program = "import tamale as tm; tm.release_memory()"
    finished = subprocess.run(
        [sys.executable, "-c", program],
        env={"TAMALE_KEEP_MEMORY": value, "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )
    assert f"TAMALE_KEEP_MEMORY is '{value}', which is no number of bytes." in finished.stderr


def test_a_negative_limit_is_refused():
    with pytest.raises(tm.KernelError, match="the limit is -1"):
        tm.keep_memory(-1)
