"""
The iteration lattice of each loop of a cin or cfir kernel.

A point is what its loop iterates, `i_A ∪ i_B`; an edge leads to what is left when an operand has
run out, down to `∅`. A dashed point only skips coordinates. Levels that are located take no part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from xdsl.ir import Operation

from tamale.backends.dot.digraph import Arrow, Node, digraph_text
from tamale.dialects import cfir, cin
from tamale.dialects.cin.sets import (
    EMPTY,
    Complement,
    Empty,
    Intersection,
    SetExpr,
    Stored,
    Union,
    Universe,
    leaves,
    set_text,
)
from tamale.passes.algebra.lattice import driven_by_universe, points, produces
from tamale.passes.algebra.opening import opened_domain
from tamale.passes.algebra.simplification import substitute, substitute_all

STYLE = (
    "rankdir=TB;",
    'node [shape=box style=filled fillcolor="#f7f7f7" color="#555"',
    '      fontname="Helvetica" fontsize=10 margin="0.16,0.08"];',
    'edge [color="#555" arrowsize=0.7];',
)
BOTTOM = "BOT"


def cin_lattices(kernel: cin.KernelOp) -> Iterator[str]:
    """A digraph per loop, outside in."""
    for op in kernel.body.walk():
        if isinstance(op, cin.ForallOp):
            variable = op.index_var.data
            domain = _iterated(op)
            yield lattice_text(f"the loop of {variable} over {set_text(domain)}", domain, variable)


def cfir_lattices(kernel: cfir.KernelOp) -> Iterator[str]:
    """A digraph per lattice, outside in; inner ones say in which cases they lie."""
    yield from _cfir_lattices(kernel, ())


def _cfir_lattices(op: Operation, cases: tuple[str, ...]) -> Iterator[str]:
    for k, region in enumerate(op.regions):
        case = (set_text(op.guards.data[k].data),) if isinstance(op, cfir.LatticeOp) else ()
        for inner in region.block.ops:
            if isinstance(inner, cfir.LatticeOp):
                variable, domain = inner.index_var.data, inner.domain.data
                where = ", ".join((*cases, *case))
                title = f"the loop of {variable} over {set_text(domain)}"
                title += f", in the case {where}" if where else ""
                yield lattice_text(title, domain, variable)
            yield from _cfir_lattices(inner, (*cases, *case))


def _iterated(op: cin.ForallOp) -> SetExpr:
    """The domain of a loop in which all operands are present: located and resolved ones all are."""
    variable, domain = op.index_var.data, opened_domain(op)
    present: dict[Stored, SetExpr] = {
        leaf: Universe(variable)
        for leaf in leaves(domain)
        if leaf.variable != variable or leaf in op.located_leaves
    }
    return substitute_all(domain, present, variable)


def lattice_text(title: str, domain: SetExpr, variable: str) -> str:
    """
    The lattice of a canonical domain as a digraph.

    Raises:
        TamaleError: too many operands meet in one loop.
    """
    below: dict[SetExpr, Sequence[SetExpr]] = {
        point: _below(point, variable) for point in points(domain, variable)
    }
    names = _node_names(below)
    nodes = [_node(point, name) for point, name in names.items()]
    arrows = [
        Arrow(names[p], names[q]) for p, reached in below.items() for q in names if q in reached
    ]
    return digraph_text(title, STYLE, nodes, arrows)


def _below(point: SetExpr, variable: str) -> Sequence[SetExpr]:
    """What is left when one operand has run out; nothing once a universe has."""
    rest = [substitute(point, leaf, EMPTY, variable) for leaf in leaves(point)]
    if driven_by_universe(point):
        rest.append(EMPTY)
    return tuple(dict.fromkeys(rest))


def _node(point: SetExpr, name: str) -> Node:
    attributes = {"label": set_symbols(point)}
    if name != BOTTOM and not produces(point):
        attributes["style"] = "filled,dashed"
    return Node(name, attributes)


def _node_names(below: Mapping[SetExpr, Sequence[SetExpr]]) -> dict[SetExpr, str]:
    """Points are called after their operands, `AB`, and the bottom `BOT`; `AB2` if taken."""
    names: dict[SetExpr, str] = {}
    for point in below:
        parts = [leaf.access for leaf in leaves(point)] or ["U"]
        base = ("" if max(map(len, parts)) == 1 else "_").join(parts)
        name, number = base, 2
        while name in (BOTTOM, *names.values()):
            name, number = f"{base}{number}", number + 1
        names[point] = name
    return names | {EMPTY: BOTTOM}


def set_symbols(expression: SetExpr, outer: int = 0) -> str:
    """The set expression as the guide writes it: `i_A ∪ i_B`, `U_i`, `∅`."""
    match expression:
        case Stored(access, variable):
            return f"{variable}_{access}"
        case Universe(variable):
            return f"U_{variable}"
        case Empty():
            return "∅"
        case Complement(inner):
            return f"¬{set_symbols(inner, 2)}"
        case Union(sets) | Intersection(sets):
            own, symbol = (0, " ∪ ") if isinstance(expression, Union) else (1, " ∩ ")
            text = symbol.join(set_symbols(s, own + 1) for s in sets)
            return f"({text})" if own < outer else text
