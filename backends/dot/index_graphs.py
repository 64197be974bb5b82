"""
The index graph of a tin kernel: what the storage of its tensors says about the order of the loops.

A node is an index variable; `i -> j [label="A, B"]` says that A and B store i before j. Solid edges
bind, dashed ones are preferences: a dense tensor can be walked in any order.
"""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import TensorType
from xdsl.ir import Attribute, SSAValue

from tamale.backends.dot.digraph import Arrow, Node, digraph_text
from tamale.dialects import tin
from tamale.dialects.format.attribute import tensor_format
from tamale.dialects.format.spec import Format
from tamale.dialects.notation.ast import to_text
from tamale.passes.algebra.index_edges import drawn_edges
from tamale.passes.algebra.loop_order import index_graph
from tamale.passes.algebra.reading import TinReader
from tamale.passes.algebra.terms import accesses_in
from tamale.passes.algebra.ties import untie

STYLE = (
    "rankdir=LR;",
    'node [shape=circle fixedsize=true width=0.35 color="#555"',
    '      fontname="Helvetica" fontsize=10];',
    'edge [fontname="Helvetica" fontsize=9 color="#555" fontcolor="#555" arrowsize=0.7];',
)


def index_graph_text(kernel: tin.KernelOp) -> str:
    """The index graph of a kernel as a digraph."""
    reader = TinReader(kernel)
    statement = reader.read()
    formats = {name: _format(tensor) for name, tensor in reader.tensors.items()}
    result = statement.result.tensor
    formats[result] = _format(kernel.result)
    untied = untie(statement, formats)
    graph = index_graph(untied.result, accesses_in(untied.expression), formats, untied.lets)
    names = {name: tensor.name_hint or name for name, tensor in reader.tensors.items()}
    edges = drawn_edges(graph, result, names)
    linked = {variable for edge in edges for variable in (edge.source, edge.target)}
    return digraph_text(
        f"index graph of  {to_text(statement)}",
        STYLE,
        [Node(v) for v in graph.variables if v not in linked],
        [
            Arrow(
                edge.source,
                edge.target,
                {"label": ", ".join(edge.tensors)} | ({} if edge.hard else {"style": "dashed"}),
            )
            for edge in edges
        ],
    )


def _format(tensor: SSAValue) -> Format:
    return tensor_format(cast("TensorType[Attribute]", tensor.type))
