"""Imports point one way: tools -> interpreters -> frontend -> backends, passes -> dialects."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

LAYERS = {
    "tamale.dialects": 0,
    "tamale.passes.algebra": 1,
    "tamale.passes.emit": 2,
    "tamale.passes.levels": 3,
    "tamale.passes.lowering": 3.5,
    "tamale.passes.conversion": 4,
    "tamale.passes": 5,
    "tamale.backends": 5,
    "tamale.frontend": 6,
    "tamale.interpreters": 6.5,
    "tamale": 7,
    "tamale.tools": 8,
}
"""A module belongs to the longest name it starts with; it imports its own layer or lower ones."""

PASS_MACHINERY = {"pass_table", "pipeline", "pipelines", "registry"}
"""Modules of passes/ that are no passes."""

LAZY = {
    "dialects/__init__.py": {"xdsl.context"},
    "tools/tamale_opt.py": {"tamale.tools.opt.driver"},
}
"""Where a function may import, and what; everywhere else, imports are at the top of the file."""


@dataclass(frozen=True)
class Import:
    """`module` imports `target`, perhaps `inside` a function."""

    path: str
    line: int
    module: str
    target: str
    inside: bool

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.module} imports {self.target}"


def layer(module: str) -> str:
    """The name in LAYERS that `module` belongs to."""
    names = [name for name in LAYERS if module == name or module.startswith(f"{name}.")]
    return max(names, key=len, default="")


def imports_of(path: str, module: str, tree: ast.Module) -> Iterator[Import]:
    """Every import in the file, with `from a import b` as a.b where that is a module."""
    functions = [
        node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    inner = {id(node) for function in functions for node in ast.walk(function)}
    for node in ast.walk(tree):
        inside = id(node) in inner
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(path, node.lineno, module, alias.name, inside)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: relative import"
            yield Import(path, node.lineno, module, node.module or "", inside)


@pytest.fixture(scope="module")
def imports(sources: tuple[Any, ...]) -> list[Import]:
    """Every import of a tamale or xdsl module in the package."""
    found = [i for s in sources for i in imports_of(s.path, s.module, s.tree)]
    assert found
    return [i for i in found if i.target.split(".")[0] in ("tamale", "xdsl")]


def is_pass(module: str) -> bool:
    """Whether `module` is a pass, or a part of one."""
    parts = module.split(".")
    return (
        layer(module) == "tamale.passes" and len(parts) > 2 and parts[2] not in PASS_MACHINERY
    )


def upward(i: Import) -> bool:
    """Whether the import goes to a higher layer, or across."""
    source, target = layer(i.module), layer(i.target)
    if source == target:
        return False
    return LAYERS[target] >= LAYERS[source]


def test_no_upward_import(imports: list[Import]):
    assert [str(i) for i in imports if i.target.startswith("tamale") and upward(i)] == []


def test_no_pass_imports_a_pass(imports: list[Import]):
    def other_pass(i: Import) -> bool:
        return is_pass(i.target) and i.target.split(".")[2] != i.module.split(".")[2]

    culprits = [str(i) for i in imports if i.module.startswith("tamale.passes") and other_pass(i)]
    assert culprits == []


def test_no_backend_imports_a_pass(imports: list[Import]):
    backends = [i for i in imports if i.module.startswith("tamale.backends")]
    assert [str(i) for i in backends if layer(i.target) == "tamale.passes"] == []


def unit(module: str) -> str:
    """The package that `module` belongs to, or the module itself where its layer holds files."""
    parts = module.split(".")
    return ".".join(parts[: layer(module).count(".") + 2])


def mutual(imports: list[Import]) -> list[tuple[str, str]]:
    """The pairs of units that import each other, shown by one import each way."""
    ours = [i for i in imports if i.target.startswith("tamale.")]
    edges = {(unit(i.module), unit(i.target)): str(i) for i in ours}
    return [(edges[a, b], edges[b, a]) for a, b in sorted(edges) if a < b and (b, a) in edges]


def test_no_two_units_import_each_other(imports: list[Import]):
    assert mutual(imports) == []


def test_mutual_imports_are_noticed():
    there = Import("", 1, "tamale.backends.cpp.a", "tamale.backends.jit.b", inside=False)
    back = Import("", 1, "tamale.backends.jit.c", "tamale.backends.cpp.d", inside=False)
    assert len(mutual([there, back])) == 1
    assert mutual([there]) == []


def test_functions_import_only_in_the_lazy_tables(imports: list[Import]):
    inner = [i for i in imports if i.inside]
    assert [str(i) for i in inner if i.target not in LAZY.get(i.path, set())] == []


def test_upward_is_noticed():
    down = Import("", 1, "tamale.frontend.x", "tamale.backends.y", inside=False)
    up = Import("", 1, "tamale.dialects.x", "tamale.passes.algebra.y", inside=False)
    across = Import("", 1, "tamale.passes.x", "tamale.backends.y", inside=False)
    assert [upward(i) for i in (down, up, across)] == [False, True, True]
