"""Loading a library, passing arrays to it and taking over what it allocates."""

import gc
import subprocess
import sys
import timeit
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tamale.backends.jit.compiler import compile_flags, find_compiler
from tamale.backends.jit.library import (
    NativeKernel,
    check_status,
    ffi,
    load,
    own,
    pointer,
    view,
)
from tamale.dialects.errors import KernelError

SOURCE = """
#include <stdint.h>
#include <stdlib.h>
extern "C" int32_t scale(double alpha, int64_t n, const double *x, double *y) {
  for (int64_t i = 0; i < n; i++) y[i] = alpha * x[i];
  return 0;
}
static int64_t freed = 0;
extern "C" int32_t iota(int64_t n, int32_t **out) {
  int32_t *p = (int32_t *)malloc(n ? n * sizeof(int32_t) : 1);
  for (int64_t i = 0; i < n; i++) p[i] = (int32_t)i;
  *out = p;
  return 0;
}
extern "C" void iota_free(void *p) { freed++; free(p); }
extern "C" int32_t count_freed(int64_t *out) { *out = freed; return 0; }
extern "C" int32_t conjugate(const double _Complex *z, double _Complex *out) {
  *out = __builtin_conj(*z);
  return 0;
}
extern "C" int32_t status(bool fail) { return fail ? 1 : 0; }
extern "C" int32_t nothing(int64_t, const int32_t *, const int32_t *, const double *,
                           const double *, double *, int64_t, int64_t) { return 0; }
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library") / "kernel.so"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TAMALE_CACHE_DIR", "")
        find_compiler().compile(SOURCE, path, compile_flags())
    return path


@pytest.fixture
def iota(library: Path) -> NativeKernel:
    return load(library, "iota", ["int64_t", "int32_t **"])


def counted(library: Path) -> int:
    """How often `iota_free` has run."""
    gc.collect()
    out = np.zeros(1, np.int64)
    load(library, "count_freed", ["int64_t *"]).call(pointer(out, "int64_t *"))
    return int(out[0])


def adopted(iota: NativeKernel, count: int) -> "np.ndarray[Any, Any]":
    out: Any = ffi.new("int32_t **")
    assert iota.call(count, out) == 0
    assert iota.free is not None
    return view(own(out[0], iota.free), count, np.dtype(np.int32))


def test_a_kernel_reads_and_writes_arrays(library: Path):
    scale = load(library, "scale", ["double", "int64_t", "const double *", "double *"])
    x, y = np.arange(4.0), np.empty(4)
    x.flags.writeable = False
    arguments = pointer(x, "const double *"), pointer(y, "double *", writable=True)
    assert scale.call(2, 4, *arguments) == 0
    assert y.tolist() == [0, 2, 4, 6]
    assert scale.free is None


def test_complex_numbers_go_by_pointer(library: Path):
    ctypes = ["const double _Complex *", "void *"]
    z, out = np.array([1 + 2j]), np.zeros(1, complex)
    arguments = [pointer(array, ctype) for array, ctype in zip((z, out), ctypes, strict=True)]
    load(library, "conjugate", ctypes).call(*arguments)
    assert out[0] == 1 - 2j


def test_complex_numbers_by_value_are_refused(library: Path):
    with pytest.raises(KernelError, match="'conjugate': pass 'double _Complex' by pointer"):
        load(library, "conjugate", ["double _Complex"])


@pytest.mark.parametrize(
    "name, parameters, reason",
    [("missing", [], "undefined symbol: missing"), ("iota", ["tensor *"], "undefined type name")],
)
def test_what_the_library_cannot_offer(
    library: Path, name: str, parameters: list[str], reason: str
):
    with pytest.raises(KernelError, match=f"kernel '{name}' in '{library}'(?s:.*){reason}"):
        load(library, name, parameters)


def test_a_file_that_is_no_library(tmp_path: Path):
    (tmp_path / "kernel.so").write_text("no ELF")
    with pytest.raises(KernelError, match="cannot be loaded(?s:.*)set TAMALE_CACHE_DIR"):
        load(tmp_path / "kernel.so", "f", [])


@pytest.mark.parametrize(
    "dtype, ctype",
    [
        ("int8", "int8_t *"),
        ("uint64", "const uint64_t *"),
        ("bool", "bool *"),
        ("float32", "float *"),
        ("complex64", "const float _Complex *"),
        ("complex128", "void *"),
    ],
)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0), (2, 3)])
def test_a_pointer_is_the_address(dtype: str, ctype: str, shape: tuple[int, ...]):
    array = np.ones(shape, dtype)
    address = int(ffi.cast("intptr_t", ffi.cast("void *", pointer(array, ctype))))
    assert address == array.ctypes.data


def test_a_pointer_keeps_its_array_alive():
    array = np.full(100_000, 7, np.int64)
    kept = pointer(array, "int64_t *")
    del array
    gc.collect()
    np.zeros(100_000, np.int64)
    assert kept[99_999] == 7


@pytest.mark.parametrize(
    "array",
    [np.ones((3, 3))[:, 1], np.ones((2, 3)).T, np.ones(6)[::2], np.ones(3)[::-1]],
)
def test_arrays_with_gaps_are_refused(array: "np.ndarray[Any, Any]"):
    with pytest.raises(KernelError, match="not C-contiguous(?s:.*)ascontiguousarray"):
        pointer(array, "double *")


def test_a_read_only_array_is_not_written():
    array = np.ones(3)
    array.flags.writeable = False
    with pytest.raises(KernelError, match="read-only"):
        pointer(array, "double *", writable=True)


@pytest.mark.parametrize("dtype", ["int64", "float32", ">i4", "uint32"])
def test_other_element_types_are_refused(dtype: str):
    with pytest.raises(KernelError, match=r"needs int32 elements, got .*\n.*astype\('int32'\)"):
        pointer(np.ones(3, dtype), "const int32_t *")


def test_pointers_to_what_no_array_holds():
    with pytest.raises(KernelError, match=r"'int32_t \*\*': no NumPy array holds 'int32_t \*'"):
        pointer(np.ones(3), "int32_t **")


def test_adopted_memory_is_freed_once_and_last(library: Path, iota: NativeKernel):
    before = counted(library)
    array = adopted(iota, 1000)
    part = array[10:20].reshape(2, 5)
    assert array.flags.writeable
    del array
    assert counted(library) == before
    assert part.tolist() == [[10, 11, 12, 13, 14], [15, 16, 17, 18, 19]]
    del part
    assert counted(library) == before + 1


def test_empty_results_are_freed_at_once(library: Path, iota: NativeKernel):
    before = counted(library)
    array = adopted(iota, 0)
    assert counted(library) == before + 1
    assert (array.shape, array.dtype) == ((0,), np.int32)
    del array
    assert counted(library) == before + 1


def test_arrays_may_outlive_everything_else(library: Path):
    script = (
        "import sys, numpy as np\n"
        "from pathlib import Path\n"
        "from tamale.backends.jit.library import ffi, load, own, view\n"
        f"kernel = load(Path('{library}'), 'iota', ['int64_t', 'int32_t **'])\n"
        "out = ffi.new('int32_t **')\n"
        "kernel.call(10, out)\n"
        "np.kept = view(own(out[0], kernel.free), 10, np.dtype('int32'))\n"
    )
    finished = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (finished.returncode, finished.stderr) == (0, "")


def test_status_codes_become_errors(library: Path):
    status = load(library, "status", ["bool"]).call
    check_status(status(False), "spmv")
    with pytest.raises(KernelError, match=r"kernel 'spmv' stopped: out of memory \(status 1\)"):
        check_status(status(True), "spmv")
    with pytest.raises(KernelError, match=r"unknown failure \(status -7\)"):
        check_status(-7, "spmv")


def test_a_call_costs_about_a_microsecond(library: Path):
    ctypes = ["int64_t", "const int32_t *", "const int32_t *", "const double *"]
    ctypes += ["const double *", "double *", "int64_t", "int64_t"]
    call = load(library, "nothing", ctypes).call
    index, value = pointer(np.zeros(1, np.int32), "int32_t *"), pointer(np.zeros(1), "double *")
    arguments = (1, index, index, value, value, value, 2, 3)
    best = min(timeit.repeat(lambda: call(*arguments), number=1000, repeat=50)) / 1000
    assert best < 3e-6, "generous, for busy machines; a quiet one needs 0.3 microseconds"
