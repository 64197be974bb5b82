"""Every test here has a cache folder of its own; `fake_compiler` makes a compiler that counts."""

from collections.abc import Callable
from pathlib import Path

import pytest

FakeCompiler = Callable[..., Path]


@pytest.fixture(autouse=True)
def cache_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("TAMALE_CACHE_DIR", str(folder))
    monkeypatch.delenv("TAMALE_CXXFLAGS", raising=False)
    return folder


@pytest.fixture
def fake_compiler(tmp_path: Path) -> FakeCompiler:
    """
    A program `name` that logs its arguments to `log`, answers `--version`, and otherwise
    runs `action`; unless told, that writes a library that differs from run to run.
    """

    def make(
        name: str = "c++",
        action: str = 'echo "$$ $RANDOM" > kernel.so',
        introduction: str = "{name} 1.2\nmore",
    ) -> Path:
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        program = folder / name
        program.write_text(
            "#!/bin/bash\n"
            f'echo "$@" >> {tmp_path}/log\n'
            f'if [ "$*" = --version ]; then echo "{introduction.format(name=name)}"; exit; fi\n'
            f"{action}\n"
        )
        program.chmod(0o755)
        return program

    return make


@pytest.fixture
def fake_gcc(fake_compiler: FakeCompiler) -> Path:
    """A fake compiler that introduces itself as GCC does, called by another name."""
    notice = "Copyright (C) 2022 Free Software Foundation, Inc."
    return fake_compiler(introduction=f"{{name}} (Packager) 12.2\n{notice}")


@pytest.fixture
def compiler_runs(tmp_path: Path) -> Callable[[], list[str]]:
    """The arguments of each run of a fake compiler so far."""

    def runs() -> list[str]:
        log = tmp_path / "log"
        return log.read_text().splitlines() if log.exists() else []

    return runs
