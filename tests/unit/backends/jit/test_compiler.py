"""Finding, naming and running the C++ compiler."""

import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tamale.backends.jit.compiler import Compiler, compile_flags, find_compiler
from tamale.backends.jit.families import GCC_ON_LINUX, OTHERS
from tamale.backends.jit.library import ffi, load
from tamale.dialects.errors import KernelError

FakeCompiler = Callable[..., Path]
Runs = Callable[[], list[str]]


@pytest.fixture
def only_fakes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """No compiler but those of `fake_compiler`."""
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)  # pyright: ignore
    return monkeypatch


def fresh(program: Path) -> Compiler:
    """What another process would find."""
    return Compiler((str(program),), (program,))


@pytest.mark.parametrize(
    "present, found",
    [
        (["c++", "g++", "clang++"], "c++"),
        (["g++", "clang++"], "g++"),
        (["clang++"], "clang++"),
    ],
)
def test_names_are_tried_in_order(
    only_fakes: pytest.MonkeyPatch, fake_compiler: FakeCompiler, present: list[str], found: str
):
    programs = {name: fake_compiler(name) for name in present}
    assert find_compiler() == fresh(programs[found])


def test_cxx_comes_first_and_may_have_arguments(
    only_fakes: pytest.MonkeyPatch, fake_compiler: FakeCompiler
):
    fake_compiler("c++")
    ccache, mine = fake_compiler("ccache"), fake_compiler("my g++")
    only_fakes.setenv("CXX", "ccache 'my g++' -m64")
    assert find_compiler() == Compiler((str(ccache), "my g++", "-m64"), (ccache, mine))


def test_cxx_that_does_not_exist_is_not_passed_over(
    only_fakes: pytest.MonkeyPatch, fake_compiler: FakeCompiler
):
    fake_compiler("c++")
    only_fakes.setenv("CXX", "icpx -O1")
    with pytest.raises(KernelError, match="CXX is 'icpx -O1', but there is no 'icpx'"):
        find_compiler()


def test_cxx_with_an_open_quote(only_fakes: pytest.MonkeyPatch):
    only_fakes.setenv("CXX", "g++ 'oops")
    with pytest.raises(KernelError, match="CXX is 'g\\+\\+ 'oops': No closing quotation"):
        find_compiler()


def test_without_a_compiler_the_message_says_how_to_get_one(only_fakes: pytest.MonkeyPatch):
    with pytest.raises(KernelError) as caught:
        find_compiler()
    for remedy in ("apt install g++", "pip install ziglang", "set CXX"):
        assert remedy in str(caught.value)


def test_ziglang_is_the_last_resort(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fake_compiler: FakeCompiler
):
    package = tmp_path / "ziglang"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "zig").touch()
    (package / "__main__.py").write_text("import sys; print('zig', *sys.argv[1:])")
    monkeypatch.syspath_prepend(tmp_path)  # pyright: ignore[reportUnknownMemberType]
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv("CXX", raising=False)

    zig = find_compiler()
    assert zig.command == (sys.executable, "-m", "ziglang", "c++")
    assert zig.programs == (package / "zig",)
    assert zig.version == "zig c++ --version"

    preferred = fake_compiler("clang++")
    monkeypatch.setenv("PATH", str(tmp_path / "bin") + os.pathsep)
    assert find_compiler() == fresh(preferred)


def test_version_runs_the_compiler_once_for_all_processes(
    fake_compiler: FakeCompiler, compiler_runs: Runs
):
    program = fake_compiler()
    assert [fresh(program).version for _ in range(3)] == ["c++ 1.2"] * 3
    assert compiler_runs() == ["--version"]


def test_another_program_at_the_same_path_is_asked_again(fake_compiler: FakeCompiler):
    program = fake_compiler()
    link = program.with_name("link")
    link.symlink_to(program)
    assert fresh(link).version == "c++ 1.2"
    program.write_text(program.read_text().replace("1.2", "1.30"))
    assert fresh(link).version == "c++ 1.30"


def test_a_compiler_that_is_gone_is_reported(fake_compiler: FakeCompiler):
    program = fake_compiler()
    compiler = fresh(program)
    program.unlink()
    with pytest.raises(KernelError, match="cannot be run: .*No such file"):
        _ = compiler.version


def test_extra_flags_come_last_and_identify(
    only_fakes: pytest.MonkeyPatch, fake_compiler: FakeCompiler
):
    compiler = fresh(fake_compiler())
    plain = compiler.identity(compile_flags())
    only_fakes.setenv("TAMALE_CXXFLAGS", "-O1 -DNAME='a b'")
    assert compile_flags() == (*OTHERS.flags, "-O1", "-DNAME=a b")
    assert compiler.identity(compile_flags()) != plain


def test_gcc_is_known_by_its_copyright_notice(
    only_fakes: pytest.MonkeyPatch, fake_gcc: Path, compiler_runs: Runs
):
    only_fakes.setattr(sys, "platform", "linux")
    assert find_compiler().family == GCC_ON_LINUX
    assert find_compiler().version == "c++ (Packager) 12.2"
    assert compiler_runs() == ["--version"]


def test_a_lean_link_gives_way_to_flags_of_the_user(only_fakes: pytest.MonkeyPatch, fake_gcc: Path):
    assert compile_flags() == (*GCC_ON_LINUX.flags, *GCC_ON_LINUX.lean_link)
    only_fakes.setenv("TAMALE_CXXFLAGS", "-fopenmp")
    assert compile_flags() == (*GCC_ON_LINUX.flags, "-fopenmp")


def test_libraries_stand_after_the_source_that_needs_them(
    tmp_path: Path, fake_gcc: Path, compiler_runs: Runs
):
    fresh(fake_gcc).compile("", tmp_path / "kernel.so", ["-O1"])
    assert compiler_runs()[-1] == "-O1 kernel.cpp -lm -lgcc -lc -o kernel.so"


def test_a_kernel_finds_the_c_library(tmp_path: Path):
    """What a lean link must still provide: `math.h`, `stdlib.h`, and a complex division."""
    source = """
        #include <math.h>
        #include <stdint.h>
        #include <stdlib.h>
        extern "C" int32_t uses(double x, double _Complex *z) {
          double *p = (double *)malloc(sizeof(double));
          *p = exp(x) + pow(x, 0.5);
          *z = *z / *z;
          int32_t found = (int32_t)*p;
          free(p);
          return found;
        }
    """
    find_compiler().compile(source, tmp_path / "kernel.so", compile_flags())
    uses = load(tmp_path / "kernel.so", "uses", ["double", "double _Complex *"]).call
    z = ffi.new("double _Complex *", 3 + 4j)
    assert uses(1.0, z) == 3
    assert z[0] == 1


def test_compile_error_shows_what_the_compiler_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("TAMALE_CXXFLAGS", "-DANSWER=42")
    with pytest.raises(KernelError) as caught:
        find_compiler().compile("int f() { return x; }\n", tmp_path / "kernel.so", compile_flags())
    message = str(caught.value)
    assert "failed (exit code" in message
    assert "kernel.cpp:1:18: error:" in message
    assert str(tmp_path) not in message
    assert "check TAMALE_CXXFLAGS, '-DANSWER=42'" in message


def test_long_complaints_are_cut(tmp_path: Path, fake_compiler: FakeCompiler):
    compiler = fresh(fake_compiler(action="for i in {1..500}; do echo line $i >&2; done; exit 3"))
    with pytest.raises(KernelError, match=r"failed \(exit code 3\)") as caught:
        compiler.compile("", tmp_path / "kernel.so", [])
    assert "line 2\n" in str(caught.value)
    assert len(str(caught.value).splitlines()) < 20


def test_complaints_are_in_english(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fake_compiler: FakeCompiler
):
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    compiler = fresh(fake_compiler(action='echo "language $LC_ALL" >&2; exit 1'))
    with pytest.raises(KernelError, match="language C\n"):
        compiler.compile("", tmp_path / "kernel.so", [])


def test_a_killed_compiler_is_reported(tmp_path: Path, fake_compiler: FakeCompiler):
    compiler = fresh(fake_compiler(action="kill -KILL $$"))
    with pytest.raises(KernelError, match="killed by signal 9"):
        compiler.compile("", tmp_path / "kernel.so", [])


def test_success_without_a_library_is_an_error(tmp_path: Path, fake_compiler: FakeCompiler):
    compiler = fresh(fake_compiler(action="exit 0"))
    with pytest.raises(KernelError, match="wrote no library"):
        compiler.compile("", tmp_path / "kernel.so", [])


def test_flags_make_integers_wrap(tmp_path: Path):
    source = """
        #include <stdint.h>
        extern "C" int32_t grows(int32_t a) { return a + 1 > a; }
    """
    find_compiler().compile(source, tmp_path / "kernel.so", compile_flags())
    grows = load(tmp_path / "kernel.so", "grows", ["int32_t"]).call
    assert (grows(0), grows(2**31 - 1)) == (1, 0)
