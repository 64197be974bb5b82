"""
ThreadSanitizer finds no race between workers. OpenMP's own barriers are unknown to it, so that
the parallel loops are made threads of C++ first.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tamale as tm
from tamale.backends.cpp.flags import REQUIRED_FLAGS
from tamale.frontend.request import Request, make_request
from tamale.frontend.stages import Stages
from tamale.passes.levels import storage_kind

COMPILER = shutil.which("g++") or shutil.which("clang++") or "c++"
FLAGS = ("-O1", "-fsanitize=thread", "-pthread", *REQUIRED_FLAGS)
LOOP = re.compile(
    r"( *)#pragma omp parallel for num_threads\((\d+)\) schedule\(static, 1\)\n"
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
CTYPES = {"float64": "double", "int32": "int32_t", "int64": "int64_t"}
KERNELS = {
    "rows": ("y(i) = A(i,j) * x(j)", {"A": "csr"}),
    "columns": ("y(i) = A(i,j) * x(j)", {"A": "csc"}),
    "diagonals": ("y(i) = A(i,j) * x(j)", {"A": "dia"}),
    "copies": ("y(i) = A(i,j) * x(j)", {"A": "coo"}),
    "dense columns": ("Z(i,k) = A(i,j) * X(j,k)", {"A": "csr"}),
    "merged": ("Z(i,j) = A(i,j) + B(i,j)", {"A": "dcsr", "B": "csr"}),
    "scalar": ("s = A(i,j) * B(i,j)", {"A": "csr", "B": "csr"}),
}


@cache
def has_sanitizer() -> bool:
    command = [COMPILER, *FLAGS, "-x", "c++", "-", "-o", "/dev/null"]
    return not subprocess.run(command, input=b"int main() {}", capture_output=True).returncode


needs_sanitizer = pytest.mark.skipif(not has_sanitizer(), reason="needs ThreadSanitizer")


def arrow(size: int = 40) -> Any:
    array = np.diag(np.arange(1.0, size + 1))
    array[size // 2] = array[:, 0] = 1.0
    return array


def operand(name: str, request: Request) -> list[tuple[str, list[Any]]]:
    """The C type and the elements of each argument of an operand; a size is one element."""
    format = request.formats[name]
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
    arguments = [a for o in request.operands for a in operand(o.name, request)]
    order = len(request.result.indices)
    lines, names = list[str](), list[str]()
    for k, (ctype, elements) in enumerate(arguments):
        if ctype == "size":
            names.append(str(elements[0]))
            continue
        values = ", ".join(map(str, elements)) or "0"
        lines.append(f"static const {ctype} a{k}[] = {{{values}}};")
        names.append(f"a{k}")
    call = ", ".join([*names, *["40"] * order, "result"])
    main = f"int main() {{ return kernel({call}); }}"
    lines.append(f"static double result[{40**order}];")
    return "\n".join(["#include <thread>\n#include <vector>", source, *lines, main])


def run(name: str, folder: Path, old: str = "", new: str = "") -> subprocess.CompletedProcess[str]:
    """Runs a kernel with threads of C++; `old` in its text is replaced by `new`."""
    expression, formats = KERNELS[name]
    request = make_request(expression, formats, {}, threads=5)
    text = Stages(request).cpp
    assert old in text
    threaded, loops = LOOP.subn(TEAM, text.replace(old, new) if old else text)
    assert loops
    assert "#pragma omp" not in threaded
    source, binary = folder / "main.cpp", folder / "main"
    source.write_text(program(request, threaded))
    subprocess.run([COMPILER, *FLAGS, str(source), "-o", str(binary)], check=True)
    return subprocess.run([str(binary)], capture_output=True, text=True)


@needs_sanitizer
@pytest.mark.parametrize("name", KERNELS)
def test_workers_do_not_race(name: str, tmp_path: Path):
    finished = run(name, tmp_path)
    assert (finished.returncode, finished.stderr) == (0, "")


@needs_sanitizer
def test_a_race_is_found(tmp_path: Path):
    finished = run("rows", tmp_path, "y_partial[worker - 1] = ", "y_partial[0] = ")
    assert "data race" in finished.stderr
