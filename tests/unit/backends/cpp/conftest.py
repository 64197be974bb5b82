"""Parsing, compiling, and calling what was compiled."""

import ctypes
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from tamale.backends.cpp.flags import REQUIRED_FLAGS
from tamale.backends.cpp.printer import print_cpp
from tamale.dialects import tamale_context

sys.path.insert(0, str(Path(__file__).parent))  # For the helpers beside the tests.

COMPILER = shutil.which("g++") or shutil.which("clang++") or "c++"
STRICT = ("-Wall", "-Wextra", "-Werror", *REQUIRED_FLAGS)

C_TYPES: dict[str, Any] = {
    "index": ctypes.c_int64,
    "i64": ctypes.c_int64,
    "i32": ctypes.c_int32,
    "i16": ctypes.c_int16,
    "i8": ctypes.c_int8,
    "i1": ctypes.c_bool,
    "f64": ctypes.c_double,
    "f32": ctypes.c_float,
}


def _array(c_type: Any, values: Any) -> Any:
    return (c_type * len(values))(*values)


class Library:
    """Compiled functions, called by name with MLIR types."""

    def __init__(self, path: Path, text: str) -> None:
        self.text = text
        self._library = ctypes.CDLL(str(path))

    def call(self, name: str, inputs: Sequence[tuple[str, Any]], outputs: Sequence[str]) -> Any:
        """
        Calls a function that must succeed, and returns its results.

        Args:
            name: of the function.
            inputs: type and value of each argument; a list stands for a memref of the type, and is
                changed in place.
            outputs: type of each result.
        """
        arguments: list[Any] = []
        for type_, value in inputs:
            c_type = C_TYPES[type_]
            arguments.append(_array(c_type, value) if isinstance(value, list) else c_type(value))
        results = [C_TYPES[type_]() for type_ in outputs]
        status = self._library[name](*arguments, *(ctypes.byref(result) for result in results))
        assert status == 0
        for (_, value), argument in zip(inputs, arguments, strict=True):
            if isinstance(value, list):
                value[:] = list(argument)
        return [result.value for result in results]


Parse = Callable[[str], ModuleOp]
Load = Callable[..., Library]
Run = Callable[..., str]


@pytest.fixture(scope="session")
def parse() -> Parse:
    """Parses and verifies a module."""

    def parse_module(text: str) -> ModuleOp:
        module = Parser(tamale_context(), text).parse_module()
        module.verify()
        return module

    return parse_module


@pytest.fixture
def cpp(parse: Parse) -> Callable[[str], str]:
    """The C++ of a module in text form."""
    return lambda text: print_cpp(parse(text))


def compile_cpp(text: str, target: Path, *flags: str) -> None:
    """Compiles without warnings, or fails the test with what the compiler says."""
    source = target.with_suffix(".cpp")
    source.write_text(text, encoding="utf-8")
    command = [COMPILER, *STRICT, *flags, str(source), "-o", str(target)]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 0, result.stderr


@pytest.fixture
def load(tmp_path: Path, parse: Parse, capfd: pytest.CaptureFixture[str]):
    """Prints, compiles and loads a module; undefined behaviour in a call fails the test."""

    def load_module(text: str, *flags: str) -> Library:
        library, printed = tmp_path / "test.so", print_cpp(parse(text))
        sanitizer = ("-fsanitize=undefined", "-shared", "-fPIC")
        compile_cpp(printed, library, "-O1", *sanitizer, *flags)
        return Library(library, printed)

    yield load_module
    assert "runtime error" not in capfd.readouterr().err


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Compiles C++ with a `main` and sanitizers; runs it and returns what it prints."""

    def compile_and_run(text: str, *flags: str) -> str:
        program = tmp_path / "test"
        sanitizers = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
        compile_cpp(text, program, "-O1", *sanitizers, *flags)
        result = subprocess.run([str(program)], capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
        return result.stdout

    return compile_and_run
