"""Parallel loops are asked for where the compiler has them, and serial elsewhere."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tamale.backends.jit.compiler import Compiler, compile_flags, find_compiler

FakeCompiler = Callable[..., Path]
Runs = Callable[[], list[str]]
WITH = "echo > openmp.so"
WITHOUT = 'case "$*" in *-fopenmp*) echo "no such option" >&2; exit 1;; esac; echo > openmp.so'


def chosen(monkeypatch: pytest.MonkeyPatch, program: Path) -> Compiler:
    monkeypatch.setenv("CXX", str(program))
    return find_compiler()


def test_a_compiler_with_openmp(fake_compiler: FakeCompiler, monkeypatch: pytest.MonkeyPatch):
    compiler = chosen(monkeypatch, fake_compiler(action=WITH))
    assert compiler.openmp == ("-fopenmp",)
    assert "-fopenmp" in compile_flags(parallel=True)
    assert "-fopenmp" not in compile_flags()


def test_a_compiler_without_openmp(fake_compiler: FakeCompiler, monkeypatch: pytest.MonkeyPatch):
    compiler = chosen(monkeypatch, fake_compiler("cc", WITHOUT))
    assert compiler.openmp == ()
    assert compile_flags(parallel=True) == compile_flags()


def test_it_is_tried_once(
    fake_compiler: FakeCompiler, compiler_runs: Runs, monkeypatch: pytest.MonkeyPatch
):
    program = fake_compiler("once", WITH)
    for _ in range(2):
        assert Compiler((str(program),), (program,)).openmp
    assert len([run for run in compiler_runs() if "-fopenmp" in run]) == 1


def test_the_link_is_the_compilers_own(
    fake_compiler: FakeCompiler, monkeypatch: pytest.MonkeyPatch
):
    """What a kernel needs no library for, OpenMP does."""
    notice = "gcc 12.2\nCopyright (C) 2022 Free Software Foundation, Inc."
    compiler = chosen(monkeypatch, fake_compiler("gcc", WITH, notice))
    assert set(compiler.family.lean_link) <= set(compile_flags())
    assert not set(compiler.family.lean_link) & set(compile_flags(parallel=True))
