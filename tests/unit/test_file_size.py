"""No file over 400 lines, no function over 60: the tail is what makes code bases bad."""

import ast
from collections.abc import Iterator
from pathlib import Path

FILE_LIMIT = 400
FUNCTION_LIMIT = 60
FOLDERS = (
    "backends",
    "dialects",
    "frontend",
    "interpreters",
    "passes",
    "tools",
    "tests",
    "benchmarks",
    "examples",
)


def python_files(root: Path) -> list[Path]:
    """Every Python file that people read."""
    files = [path for folder in FOLDERS for path in sorted((root / folder).rglob("*.py"))]
    assert files
    return files


def long_functions(text: str) -> Iterator[str]:
    """Name and length of each function in `text` that is too long."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            lines = (node.end_lineno or node.lineno) - node.lineno + 1
            if lines > FUNCTION_LIMIT:
                yield f"{node.name} has {lines} lines"


def test_files(root: Path):
    lengths = {path: path.read_text().count("\n") for path in python_files(root)}
    assert {str(p): n for p, n in lengths.items() if n > FILE_LIMIT} == {}


def test_functions(root: Path):
    long = [f"{p}: {f}" for p in python_files(root) for f in long_functions(p.read_text())]
    assert long == []


def test_a_long_function_is_noticed():
    text = "def f():\n" + "    pass\n" * FUNCTION_LIMIT
    assert list(long_functions(text)) == [f"f has {FUNCTION_LIMIT + 1} lines"]
