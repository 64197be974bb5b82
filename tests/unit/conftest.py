"""What several guards need to know about the source tree, and a run of the benchmark suite."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from suite_runs import BENCHMARKS, Run, run_suite

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("backends", "dialects", "frontend", "interpreters", "passes", "tools")


@dataclass(frozen=True)
class Source:
    """One source file: its place from the root of the repository, its module name, its text."""

    path: str
    module: str
    text: str

    @property
    def tree(self) -> ast.Module:
        return ast.parse(self.text, self.path)


def _sources() -> Iterator[Source]:
    files = [ROOT / "src" / "tamale" / "__init__.py"]
    for package in PACKAGES:
        files += sorted((ROOT / package).rglob("*.py"))
    for file in files:
        path = file.relative_to(ROOT)
        parts = [part for part in path.with_suffix("").parts if part not in ("src", "tamale")]
        if path.parts[0] == "tools" and path.stem == "tamale":
            parts.append("tamale")  # tools/tamale.py is a module called like the package
        name = ".".join(["tamale", *(part for part in parts if part != "__init__")])
        yield Source(str(path), name, file.read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def sources() -> tuple[Source, ...]:
    """Every source file of the package."""
    return tuple(_sources())


@pytest.fixture(scope="session")
def root() -> Path:
    """The root of the repository."""
    return ROOT


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run of everything, with its limits checked."""
    return run_suite(BENCHMARKS, tmp_path_factory.mktemp("results"), "--check")
