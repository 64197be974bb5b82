"""Text of one DOT digraph: quoting, nodes, edges, and the styles of the guide's figures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_KEYWORDS = frozenset({"node", "edge", "graph", "digraph", "subgraph", "strict"})

Attributes = Mapping[str, str]


@dataclass(frozen=True)
class Node:
    """A node, with attributes beyond the graph's style."""

    name: str
    attributes: Attributes = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class Arrow:
    """An edge from one node to another."""

    source: str
    target: str
    attributes: Attributes = field(default_factory=dict[str, str])


def digraph_text(
    title: str, style: Sequence[str], nodes: Iterable[Node], arrows: Iterable[Arrow]
) -> str:
    """A whole digraph; `title` becomes a comment above it, `style` its first lines."""
    lines = [f"// {title}", "digraph {", *(f"    {line}" for line in style)]
    lines += [f"    {_statement(quoted(node.name), node.attributes)}" for node in nodes]
    for arrow in arrows:
        ends = f"{quoted(arrow.source)} -> {quoted(arrow.target)}"
        lines.append(f"    {_statement(ends, arrow.attributes)}")
    return "\n".join([*lines, "}\n"])


def _statement(subject: str, attributes: Attributes) -> str:
    if not attributes:
        return f"{subject};"
    return f"{subject} [{' '.join(_assignments(attributes))}];"


def _assignments(attributes: Attributes) -> Iterator[str]:
    """Text attributes are always quoted, as the figures have them; words are not."""
    for name, value in attributes.items():
        yield f'{name}="{_escaped(value)}"' if name == "label" else f"{name}={quoted(value)}"


def quoted(text: str) -> str:
    """`text` as an ID of DOT, in quotes where it needs them."""
    if _PLAIN.fullmatch(text) and text.lower() not in _KEYWORDS:
        return text
    return f'"{_escaped(text)}"'


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
