"""Kernels for other programs: their examples compile and run, as C, as C++, and through ctypes."""

import ctypes
import subprocess
from pathlib import Path

import numpy as np
import pytest

import tamale as tm
from tamale.backends.cpp.flags import REQUIRED_FLAGS
from tamale.backends.jit.compiler import find_compiler
from tamale.tools.tamale import main

SPMV = ["y(i) = A(i,j) * x(j)", "-f", "A=csr", "--name", "spmv"]
STORED = ["-f", "A=dcsr", "-f", "B=coo", "-f", "Z=csr"]
ADD = ["Z(i,j) = A(i,j) + s * B(i,j)", *STORED, "--name", "add"]
KERNELS = {
    "spmv": SPMV,
    "add": ADD,
    "old": ["y(i) += A(i,j) * x(j)", "-f", "A=dia", "--name", "old", "--dtype", "complex128"],
    "dot": ["s = x(j) * y(j)", "-f", "x=csf", "--name", "dot", "--dtype", "int8"],
}
C_FLAGS = ("-x", "c", "-std=c11", "-Wall", "-Werror")


def build(folder: Path, text: str, *flags: str) -> Path:
    """A program of some text, compiled; the text begins with all that it needs."""
    source, program = folder / "program.c", folder / "program"
    source.write_text(text)
    command = [*find_compiler().command, *flags, str(source), "-x", "none"]
    libraries = [str(path) for path in folder.glob("*.so")]
    subprocess.run([*command, *libraries, "-o", str(program)], check=True, cwd=folder)
    return program


@pytest.mark.parametrize("name", KERNELS)
def test_the_example_of_a_library_in_c_and_cpp(name: str, tmp_path: Path):
    library = tmp_path / f"{name}.so"
    assert main(["compile", *KERNELS[name], "--emit", "so", "-o", str(library)]) == 0
    text = f'#define {name.upper()}_EXAMPLE\n#include "{name}.h"\n'
    for flags in (C_FLAGS, ("-x", "c++", *REQUIRED_FLAGS, "-Wall", "-Werror")):
        assert subprocess.run([build(tmp_path, text, *flags)], check=False).returncode == 0


@pytest.mark.parametrize("name", KERNELS)
def test_the_example_of_a_header(name: str, tmp_path: Path):
    header = tmp_path / f"{name}.hpp"
    assert main(["compile", *KERNELS[name], "--emit", "header", "-o", str(header)]) == 0
    text = f'#define {name.upper()}_EXAMPLE\n#include "{name}.hpp"\n'
    program = build(tmp_path, text, "-x", "c++", *REQUIRED_FLAGS)
    assert subprocess.run([program], check=False).returncode == 0


def test_two_headers_in_one_program(tmp_path: Path):
    for name in ("add", "sub"):
        words = [f"Z(i,j) = A(i,j) {'+' if name == 'add' else '-'} B(i,j)", "--name", name]
        for tensor in "ABZ":
            words += ["-f", f"{tensor}=csr"]
        header = str(tmp_path / f"{name}.hpp")
        assert main(["compile", *words, "--emit", "header", "-o", header]) == 0
    text = '#include "add.hpp"\n#include "sub.hpp"\n#include "add.hpp"\nint main() {}\n'
    assert build(tmp_path, text, "-x", "c++", *REQUIRED_FLAGS).exists()


def test_a_library_through_ctypes(tmp_path: Path):
    path = tmp_path / "spmv.so"
    assert main(["compile", *SPMV, "--emit", "so", "-o", str(path)]) == 0
    A, x, y = tm.tensor(np.array([[0, 2.0], [1, 3]]), "csr"), np.array([1.0, 10]), np.empty(2)
    arrays = [A.levels[1]["pos"], A.levels[1]["crd"], A.vals]
    pointers = [ctypes.c_void_p(array.ctypes.data) for array in (*arrays, x, y)]
    sizes = [ctypes.c_int64(2)] * 2
    spmv = ctypes.CDLL(str(path)).spmv
    status = spmv(*sizes, *pointers[:3], sizes[0], pointers[3], sizes[0], pointers[4])
    assert status == 0
    assert y.tolist() == [20, 31]


def test_the_header_says_what_the_parameters_are(capsys: pytest.CaptureFixture[str]):
    assert main(["compile", *ADD, "--emit", "header"]) == 0
    text = capsys.readouterr().out
    order = ["A_dim1", "A1_pos", "A1_crd", "A2_pos", "A_vals", "s_vals", "B_dim1", "Z_dim1"]
    places = [text.index(f"{name} ") for name in order]
    assert places == sorted(places)
    assert "freed on its own\n// with add_free." in text
    assert "2 position overflow" in text


def test_what_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["compile", *SPMV, "--emit", "so"]) == 1
    assert "name the library, -o k.so" in capsys.readouterr().err
    assert main(["compile", *SPMV, "--emit", "so", "-o", str(tmp_path / "no" / "k.so")]) == 1
    assert "k.so" in capsys.readouterr().err
    assert main(["compile", "--convert", "csr:ell", "--emit", "so"]) == 1
    assert "a conversion has no form 'so'" in capsys.readouterr().err
