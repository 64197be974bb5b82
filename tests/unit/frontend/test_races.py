"""
ThreadSanitizer finds no race between workers, other sanitizers no access out of bounds. The
barriers of OpenMP are unknown to it, so that parallel loops are made threads of C++ first. What
fails in one is no part of it: nothing does.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tamale as tm
from tamale.backends.cpp.flags import REQUIRED_FLAGS
from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.spec import Format
from tamale.frontend.converting import Conversion
from tamale.frontend.request import Request, make_request
from tamale.frontend.signature import array_types
from tamale.frontend.stages import Stages
from tamale.passes.levels import storage_kind

COMPILER = shutil.which("g++") or shutil.which("clang++") or "c++"
FLAGS = ("-O1", "-pthread", *REQUIRED_FLAGS)
LOOP = re.compile(
    r"( *)#pragma omp parallel for num_threads\((\w+)\) schedule\(static, 1\)\n"
    r" *for \(int64_t worker = 0; [^\n]*\{\n(.*?)\n\1\}\n",
    re.DOTALL,
)
TEAM = r"""
{
  std::vector<std::thread> team;
  for (int64_t w = 0; w < \2; w++) team.emplace_back([&](int64_t worker) {
\3
  }, w);
  for (std::thread &thread : team) thread.join();
}
"""
INCLUDES = "#include <thread>\n#include <vector>"
FAILURE = re.compile(r"continue;(\n *\}\n *stop\w*:.*?)#pragma omp atomic write\n", re.DOTALL)
CTYPES = {"float64": "double", "int32": "int32_t", "int64": "int64_t"}
KERNELS = {
    "rows": ("y(i) = A(i,j) * x(j)", {"A": "csr"}),
    "columns": ("y(i) = A(i,j) * x(j)", {"A": "csc"}),
    "diagonals": ("y(i) = A(i,j) * x(j)", {"A": "dia"}),
    "copies": ("y(i) = A(i,j) * x(j)", {"A": "coo"}),
    "dense columns": ("Z(i,k) = A(i,j) * X(j,k)", {"A": "csr"}),
    "merged": ("Z(i,j) = A(i,j) + B(i,j)", {"A": "dcsr", "B": "csr"}),
    "scalar": ("s = A(i,j) * B(i,j)", {"A": "csr", "B": "csr"}),
    "rows that meet": ("Z(i,j) = A(i,j) * B(i,j)", dict.fromkeys("AB", "dcsr")),
    "sparse rows": ("Z(i,j) = A(i,j) + B(i,j)", dict.fromkeys("ABZ", "csr")),
    "sparse fibers": ("Z(i,j) = A(i,j) + B(i,j)", dict.fromkeys("ABZ", "dcsr")),
    "counted rows": ("Z(i,j) = a(i) * b(j)", {"a": "csf", "b": "csf", "Z": "csr"}),
    "sparse lists": ("Z(i,k) = A(i,j) * B(j,k)", dict.fromkeys("ABZ", "csr")),
}
CONVERSIONS = (
    "coo to csr",
    "csr to csc",
    "csr to ell",
    "csr to dia",
    "coo to dia",
    "csc to dia",
    "csc to ell",
    "csr to coo",
    "csr to dcsr",
    "coo to dcsr",
    "ell to csr",
    "dia to jad",
    "dense to bitmap",
)


@cache
def has_sanitizer() -> bool:
    command = [COMPILER, *FLAGS, "-fsanitize=thread", "-x", "c++", "-", "-o", "/dev/null"]
    return not subprocess.run(command, input=b"int main() {}", capture_output=True).returncode


needs_sanitizer = pytest.mark.skipif(not has_sanitizer(), reason="needs ThreadSanitizer")


def arrow(size: int = 40) -> Any:
    array = np.diag(np.arange(1.0, size + 1))
    array[size // 2] = array[:, :6] = 1.0
    return array


def operand(format: Format) -> list[tuple[str, list[Any]]]:
    """The C type and the elements of each argument of an operand; a size is one element."""
    array = arrow() if format.order == 2 else np.ones(40)
    value = tm.tensor(array, format)
    arguments: list[tuple[str, list[Any]]] = [("size", [n]) for n in value.shape]
    for k, level in enumerate(format.levels):
        for key in storage_kind(level.kind).arrays:
            column = value.levels[k][key]
            arguments.append((CTYPES[column.dtype.name], column.tolist()))
    return [*arguments, ("double", value.vals.tolist())]


def program(request: Request, source: str) -> str:
    """A program that calls the kernel once."""
    arguments = [a for o in request.operands for a in operand(request.formats[o.name])]
    order, format = len(request.result.indices), request.formats[request.result.tensor]
    lines, names = constants(arguments)
    results = ["result"]
    if format.all_dense:
        lines.append(f"static double result[{40**order}];")
    else:
        arrays = [a for level in format.levels for a in storage_kind(level.kind).arrays]
        lines += [f"static int32_t *r{k};" for k in range(len(arrays))]
        lines.append("static double *result;")
        results = [*(f"&r{k}" for k in range(len(arrays))), "&result"]
    call = ", ".join([*names, *["40"] * order, *results])
    main = f"int main() {{ return kernel({call}); }}"
    return "\n".join([INCLUDES, source, *lines, main])


def constants(arguments: Sequence[tuple[str, list[Any]]]) -> tuple[list[str], list[str]]:
    """Arrays with the elements of arguments, and what the arguments are in a call."""
    lines, names = list[str](), list[str]()
    for k, (ctype, elements) in enumerate(arguments):
        if ctype == "size":
            names.append(str(elements[0]))
            continue
        values = ", ".join(map(str, elements)) or "0"
        lines.append(f"static const {ctype} a{k}[] = {{{values}}};")
        names.append(f"a{k}")
    return lines, names


def run(name: str, folder: Path, old: str = "", new: str = "") -> subprocess.CompletedProcess[str]:
    """Runs a kernel with threads of C++; `old` in its text is replaced by `new`."""
    expression, formats = KERNELS[name]
    request = make_request(expression, formats, {}, threads=5)
    text = Stages(request).cpp
    assert old in text
    threaded = with_threads(text.replace(old, new) if old else text)
    return run_program(program(request, threaded), folder)


def with_threads(text: str) -> str:
    """C++ whose parallel loops are threads of C++."""
    threaded, loops = LOOP.subn(TEAM, FAILURE.sub(r"return;\1", text))
    assert loops
    assert "#pragma omp" not in threaded
    return threaded


def run_program(
    text: str, folder: Path, sanitizer: str = "thread"
) -> subprocess.CompletedProcess[str]:
    """Compiles a program with a sanitizer, and runs it."""
    source, binary = folder / "main.cpp", folder / "main"
    source.write_text(text)
    flags = (*FLAGS, f"-fsanitize={sanitizer}")
    subprocess.run([COMPILER, *flags, str(source), "-o", str(binary)], check=True)
    return subprocess.run([str(binary)], capture_output=True, text=True)


def run_conversion(
    pair: str, folder: Path, old: str = "", new: str = "", sanitizer: str = "thread"
) -> subprocess.CompletedProcess[str]:
    """Likewise a conversion, with any sanitizer."""
    source, target = (resolve_format(name, 2) for name in pair.split(" to "))
    conversion = Conversion(source, target, "float64", threads=5)
    assert old in conversion.cpp
    text = with_threads(conversion.cpp.replace(old, new) if old else conversion.cpp)
    lines, names = constants(operand(source))
    outs = array_types(target, "float64", "{} *")[target.order :]
    lines += [f"static {ctype}out{k};" for k, ctype in enumerate(outs)]
    call = ", ".join([*names, *(f"&out{k}" for k in range(len(outs)))])
    free = " ".join(f"convert_free(out{k});" for k in range(len(outs)))
    main = f"int main() {{ if (convert({call})) return 1; {free} return 0; }}"
    return run_program("\n".join([INCLUDES, text, *lines, main]), folder, sanitizer)


@needs_sanitizer
@pytest.mark.parametrize("name", KERNELS)
def test_workers_do_not_race(name: str, tmp_path: Path):
    finished = run(name, tmp_path)
    assert (finished.returncode, finished.stderr) == (0, "")


@needs_sanitizer
@pytest.mark.parametrize(
    ("name", "own", "shared"),
    [
        ("rows", "y_partial[worker - 1] = ", "y_partial[0] = "),
        ("sparse rows", " * worker, 5)", " * 0, 5)"),
    ],
)
def test_a_race_is_found(name: str, own: str, shared: str, tmp_path: Path):
    finished = run(name, tmp_path, own, shared)
    assert "data race" in finished.stderr


@needs_sanitizer
@pytest.mark.parametrize("pair", CONVERSIONS)
def test_workers_that_convert_do_not_race(pair: str, tmp_path: Path):
    finished = run_conversion(pair, tmp_path)
    assert (finished.returncode, finished.stderr) == (0, "")


@needs_sanitizer
@pytest.mark.parametrize("pair", CONVERSIONS)
def test_workers_that_convert_stay_inside_of_blocks(pair: str, tmp_path: Path):
    finished = run_conversion(pair, tmp_path, sanitizer="address,undefined")
    assert (finished.returncode, finished.stderr) == (0, "")


@needs_sanitizer
def test_columns_that_are_too_short_are_found(tmp_path: Path):
    old, new = "int64_t column = worker * A_dim2", "int64_t column = (worker + 1) * A_dim2"
    finished = run_conversion("csr to csc", tmp_path, old, new, "address,undefined")
    assert "heap-buffer-overflow" in finished.stderr


@needs_sanitizer
def test_a_race_of_conversions_is_found(tmp_path: Path):
    finished = run_conversion("csr to csc", tmp_path, "column = worker * A_dim2", "column = 0")
    assert "data race" in finished.stderr
