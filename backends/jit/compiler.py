"""Finds the C++ compiler of this machine and runs it."""

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from tamale.backends.cpp.flags import OPENMP
from tamale.backends.jit import cache as disk_cache
from tamale.backends.jit.cpu import cpu_identity
from tamale.backends.jit.families import Family, family_of
from tamale.dialects.errors import KernelError
from tamale.dialects.timing import measured

_NAMES = ("c++", "g++", "clang++")
_SHOWN_LINES = 12
_VERSION_FILE = "version.txt"
_OPENMP_FILE = "openmp.txt"
_OPENMP_SOURCE = """void fill(int *a) {
#pragma omp parallel for
  for (int i = 0; i < 2; i++) a[i] = i;
}
"""


@dataclass(frozen=True)
class Compiler:
    """A C++ compiler that understands the options of GCC."""

    command: tuple[str, ...]
    """The program, as a path, and the arguments that come first."""

    programs: tuple[Path, ...]
    """The files that make up the compiler: it is another version if one of them changed."""

    @cached_property
    def version(self) -> str:
        """The first line that `--version` prints."""
        return self._introduction.partition("\n")[0]

    @cached_property
    def family(self) -> Family:
        """Which flags it understands."""
        return family_of(self._introduction)

    @cached_property
    def _introduction(self) -> str:
        """
        What `--version` prints.

        The answer is kept on disk, so that the compiler runs once and not once a process.
        """
        key = disk_cache.key_of("compiler introduction", *self.command, *map(_stamp, self.programs))
        entry = disk_cache.lookup(key)
        if entry is None:
            printed = self._run(["--version"])
            entry = disk_cache.store(key, {_VERSION_FILE: printed.encode()})
        return entry.path(_VERSION_FILE).read_bytes().decode()

    @cached_property
    def openmp(self) -> tuple[str, ...]:
        """
        The flags that make parallel loops of OpenMP's pragmas; none where that does not work.

        It is tried once, and the answer kept on disk.
        """
        key = disk_cache.key_of("compiler openmp", *self.command, *map(_stamp, self.programs))
        entry = disk_cache.lookup(key)
        if entry is None:
            entry = disk_cache.store(key, {_OPENMP_FILE: b"yes" if self._has_openmp() else b"no"})
        return OPENMP if entry.path(_OPENMP_FILE).read_bytes() == b"yes" else ()

    def _has_openmp(self) -> bool:
        with tempfile.TemporaryDirectory(prefix="tamale-") as folder:
            library = Path(folder) / "openmp.so"
            try:
                self.compile(_OPENMP_SOURCE, library, (*self.family.flags, *OPENMP))
            except KernelError:
                return False
        return True

    def identity(self, flags: Sequence[str]) -> tuple[str, ...]:
        """The texts that, with the source, decide what the compiler makes of it here."""
        libraries = self.family.libraries
        return (*self.command, self.version, *flags, *libraries, cpu_identity())

    def compile(self, source: str, out: Path, flags: Sequence[str]) -> None:
        """
        Compiles C++ `source` to `out`, and leaves it beside that file with the suffix `.cpp`.

        Raises:
            KernelError: the compiler refuses; the message has its first lines.
        """
        file = out.with_suffix(".cpp")
        file.write_bytes(source.encode())
        # Run where the file is: messages and debug information then name it without a folder.
        arguments = [*flags, file.name, *self.family.libraries, "-o", out.name]
        with measured("C++ compiler"):
            self._run(arguments, cwd=out.parent)
        if not out.exists():
            raise KernelError(f"compiler: '{self}' reported success but wrote no library.{_HELP}")

    def _run(self, arguments: Sequence[str], cwd: Path | None = None) -> str:
        """What the compiler prints, in English."""
        try:
            finished = subprocess.run(
                [*self.command, *arguments],
                cwd=cwd,
                env={**os.environ, "LC_ALL": "C"},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
            )
        except OSError as error:
            raise KernelError(f"compiler: '{self}' cannot be run: {error}.{_HELP}") from error
        if finished.returncode != 0:
            raise KernelError(self._failure(finished))
        return finished.stdout

    def _failure(self, finished: "subprocess.CompletedProcess[str]") -> str:
        """The message for a compiler that did not succeed."""
        code = finished.returncode
        how = f"exit code {code}" if code > 0 else f"killed by signal {-code}"
        said = finished.stderr.strip().splitlines()[:_SHOWN_LINES]
        extra = os.environ.get("TAMALE_CXXFLAGS")
        suspect = f"check TAMALE_CXXFLAGS, '{extra}'" if extra else "it must know C++17"
        return (
            "\n    ".join([f"compiler: '{self}' failed ({how}).", *said])
            + f"\n  help: {suspect}; set CXX to use another compiler."
        )

    def __str__(self) -> str:
        return shlex.join(self.command)


_HELP = """
  help: install a C++ compiler (`apt install g++`, `dnf install gcc-c++`, `xcode-select --install`),
        or `pip install ziglang`, or set CXX to the compiler to use."""


def find_compiler() -> Compiler:
    """
    The compiler that `$CXX` names, else `c++`, `g++` or `clang++`, else PyPI's `ziglang`.

    Raises:
        KernelError: there is none, or `$CXX` names one that does not exist.
    """
    return _find_compiler(os.environ.get("CXX", ""), os.environ.get("PATH"))


def compile_flags(*, parallel: bool = False) -> tuple[str, ...]:
    """
    The flags for the compiler that `find_compiler` finds, then those of `$TAMALE_CXXFLAGS`.

    With `$TAMALE_CXXFLAGS`, and with OpenMP, which `parallel` code asks for, the link is as the
    compiler likes it: a sanitizer or OpenMP needs libraries that a kernel alone does not.
    """
    compiler = find_compiler()
    family, openmp = compiler.family, compiler.openmp if parallel else ()
    extra = _split("TAMALE_CXXFLAGS", os.environ.get("TAMALE_CXXFLAGS", ""))
    return (*family.flags, *openmp, *(extra or (() if openmp else family.lean_link)))


def kernel_flags(*, parallel: bool = False) -> tuple[str, ...]:
    """`compile_flags` for kernels that this process runs: they share memory where they can."""
    shared = find_compiler().family.shared_memory if shares_memory() else ()
    return (*compile_flags(parallel=parallel), *shared)


def shares_memory() -> bool:
    """Whether kernels that this process runs keep freed blocks for each other."""
    return bool(find_compiler().family.shared_memory) and not os.environ.get("TAMALE_CXXFLAGS")


@cache
def _find_compiler(cxx: str, path: str | None) -> Compiler:
    """`find_compiler` for one state of the environment."""
    if chosen := _split("CXX", cxx):
        compiler = _installed(chosen, path)
        if compiler is None:
            raise KernelError(f"compiler: CXX is '{cxx}', but there is no '{chosen[0]}'.{_HELP}")
        return compiler
    candidates = (_installed([name], path) for name in _NAMES)
    compiler = next(filter(None, candidates), None) or _zig()
    if compiler is None:
        raise KernelError(
            "compiler: no C++ compiler was found; looked for $CXX, "
            f"{', '.join(_NAMES)} and the Python package ziglang.{_HELP}"
        )
    return compiler


def _split(variable: str, text: str) -> list[str]:
    """The words of an environment variable, quoted as in a shell."""
    try:
        return shlex.split(text)
    except ValueError as error:
        raise KernelError(f"compiler: {variable} is '{text}': {error}.") from error


def _installed(command: Sequence[str], path: str | None) -> Compiler | None:
    """The compiler that `command` runs, if it is there."""
    program = shutil.which(command[0], path=path)
    if program is None:
        return None
    # In `ccache g++` the second word is a program too.
    words = [shutil.which(word, path=path) for word in command]
    programs = tuple(Path(word) for word in words if word is not None)
    return Compiler((str(Path(program).absolute()), *command[1:]), programs)


def _zig() -> Compiler | None:
    """The compiler inside PyPI's `ziglang`, if that is installed."""
    package = importlib.util.find_spec("ziglang")
    if package is None or package.origin is None:
        return None
    program = Path(package.origin).with_name("zig")
    return Compiler((sys.executable, "-m", "ziglang", "c++"), (program,))


def _stamp(program: Path) -> str:
    """Text that changes when another file is installed as `program`."""
    try:
        resolved = program.resolve()
        status = resolved.stat()
    except OSError:  # Gone since it was found: running it will say so.
        return f"{program} is missing"
    return f"{resolved} {status.st_mtime_ns} {status.st_size}"
