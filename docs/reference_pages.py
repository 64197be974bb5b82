"""
Reference pages, made from docstrings and definitions when `make docs` builds the site: the public
names, the operations of each dialect, the passes, the operators.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation

import tamale
from tamale.dialects import tamale_context
from tamale.dialects.operators import declared_operators, operator_named
from tamale.passes.pipelines import TABLE

_NUMBERS = {"Var": "any", "Opt": "0 or 1"}
"""How the names of xDSL's definitions begin -> how many there can be."""

DIALECTS = ("tin", "cin", "cfir", "query", "assembly")


def on_files(files: Any, config: Any) -> Any:
    """MkDocs asks for this when it has found the pages in docs/."""
    make = import_module("mkdocs.structure.files").File
    for name, text in pages().items():
        files.append(make.generated(config, f"reference/{name}.md", content=text))
    return files


def pages() -> Mapping[str, str]:
    """Page -> its text."""
    return {
        "python": python_page(),
        "operations": operations_page(),
        "passes": passes_page(),
        "operators": operators_page(),
    }


def python_page() -> str:
    """Every public name of `tamale` with its docstring; of classes, the public members too."""
    parts = ["# Python\n\n`import tamale as tm`; everything here is `tm.NAME`.\n"]
    for name in sorted(tamale.__all__, key=str.lower):
        value = getattr(tamale, name)
        if isinstance(value, str) or inspect.ismodule(value):
            continue
        parts.append(f"## {name}\n\n{_described(name, value)}")
        if inspect.isclass(value):
            parts += [f"### {name}.{m}\n\n{_described(m, v)}" for m, v in _members(value)]
    return "\n".join(parts)


def _members(kind: type) -> Iterator[tuple[str, Any]]:
    for name in dir(kind):
        value = inspect.getattr_static(kind, name)
        function: Any = value.fget if isinstance(value, property) else value
        described = inspect.isfunction(function) and not name.startswith("_")
        if described and function.__module__.startswith("tamale"):
            yield name, value


def _described(name: str, value: Any) -> str:
    """The signature, if it is called, and the docstring as it is in the source."""
    text = inspect.getdoc(value) or ""
    called = inspect.isfunction(value) or inspect.isclass(value)
    try:
        opening = f"{name}{inspect.signature(value)}\n\n" if called else ""
    except ValueError:
        opening = ""
    return _literal(f"{opening}{text}")


def _literal(text: str) -> str:
    return f"```text\n{text}\n```\n"


def operations_page() -> str:
    """Every operation of our dialects: what it means, with its text, and its definition."""
    context = tamale_context()
    parts = ["# Operations\n"]
    for name in DIALECTS:
        dialect = context.get_optional_dialect(name)
        assert dialect is not None, name
        parts.append(f"## {name}\n")
        for op in sorted(dialect.operations, key=lambda op: op.name):
            parts.append(f"### {op.name}\n\n{_literal(inspect.getdoc(op) or '')}")
            parts.append("\n".join(["| part | name | number |", "|---|---|---|", *_parts(op), ""]))
    return "\n".join(parts)


def _parts(op: type[Operation]) -> Iterator[str]:
    """What an operation is made of, by its definition: a row each."""
    assert issubclass(op, IRDLOperation)
    definition = op.get_irdl_definition()
    groups = {
        "operand": definition.operands,
        "result": definition.results,
        "region": definition.regions,
        "property": definition.properties.items(),
    }
    for part, members in groups.items():
        for name, member in members:
            kind = type(member).__name__
            number = next((n for start, n in _NUMBERS.items() if kind.startswith(start)), "1")
            yield f"| {part} | `{name}` | {number} |"


def passes_page() -> str:
    """The page of each pass, which is the docstring of its module."""
    parts = ["# Passes\n"]
    for step in TABLE.steps.values():
        module = import_module(f"tamale.passes.{step.name.replace('-', '_')}")
        parts.append(f"## {step.name}\n\n{_literal(inspect.getdoc(module) or step.why)}")
    return "\n".join(parts)


def operators_page() -> str:
    """The declared operators with their properties."""
    head = ["| operator | arguments | annihilators | identities |", "|---|---|---|---|"]
    parts = ["# Operators\n", *head]
    for name in sorted(declared_operators()):
        known = operator_named(name)
        parts.append(f"| `{name}` | {known.arity} | {known.annihilators} | {known.identities} |")
    return "\n".join(parts) + "\n"
