"""Loop orders: what storage forces, each tie-break, and cycles that are really there."""

import random
from collections.abc import Mapping, Sequence

import pytest

from tamale.dialects.cin.sets import SetExpr, Universe, parse_set
from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.notation import parse_format
from tamale.dialects.notation.ast import Access
from tamale.passes.algebra.loop_order import (
    Cycle,
    Edge,
    IndexGraph,
    Ordering,
    access_edges,
    culled_levels,
    index_graph,
    loop_order,
    result_edges,
)
from tamale.passes.algebra.order_reasons import explain_order

CSR = parse_format("(i, j) -> (i : dense, j : compressed)")
CSC = parse_format("(i, j) -> (j : dense, i : compressed)")
DENSE = parse_format("(i, j) -> (i : dense, j : dense)")
CSF = parse_format("(i, j, k) -> (i : compressed, j : compressed, k : compressed)")
VECTOR = parse_format("(i) -> (i : compressed)")


def hard(text: str) -> list[Edge]:
    """`i>j k>l`: edges that must hold."""
    return [Edge(word[0], word[2], "T", True) for word in text.split()]


def soft(text: str) -> list[Edge]:
    return [Edge(word[0], word[2], "T", False) for word in text.split()]


def order(
    variables: str,
    edges: Sequence[Edge] = (),
    result: str = "",
    domains: Mapping[str, str] | None = None,
) -> str:
    """The order as letters. Accesses in small letters are sparse, in capitals dense."""
    sets: dict[str, SetExpr] = {v: Universe(v) for v in variables}
    sets |= {v: parse_set(text) for v, text in (domains or {}).items()}
    graph = IndexGraph(tuple(variables), tuple(edges), tuple(result))
    found = loop_order(graph, sets, lambda leaf: leaf.access.islower())
    assert not isinstance(found, Cycle)
    return "".join(found)


def test_written_order_without_reasons():
    assert order("kij") == "kij"


def test_what_levels_tell_comes_as_soon_as_they_have_a_loop():
    blocks = resolve_format("bcsr(2, 3)")
    result, a, x = Access("y", ("i",)), Access("A", ("i", "j")), Access("x", ("j",))
    dense = resolve_format("dense", 1)
    graph = index_graph(result, [a, x], {"y": dense, "A": blocks, "x": dense})
    assert graph.derived == {"i", "j"}
    assert graph.loops == ("i_div_2", "j_div_3", "i_mod_2", "j_mod_3")
    domains: dict[str, SetExpr] = {v: Universe(v) for v in graph.loops}
    found = loop_order(graph, domains, lambda leaf: False)
    assert found == ("i_div_2", "j_div_3", "i_mod_2", "i", "j_mod_3", "j")
    ordering = Ordering(graph, domains, found)
    reasons = explain_order(ordering, lambda leaf: False)
    assert [choice.variable for choice in reasons] == list(graph.loops)


def test_what_nobody_reads_is_not_told():
    blocks = resolve_format("bcsr(2, 3)")
    result, a = Access("y", ("i",)), Access("A", ("i", "j"))
    graph = index_graph(result, [a], {"y": resolve_format("dense", 1), "A": blocks})
    assert graph.derived == {"i"}
    assert "j" not in graph.variables


def test_full_levels_of_expressions_are_walked():
    edges = access_edges(Access("A", ("i", "j")), resolve_format("bcsr(2, 3)"))
    assert Edge("j_div_3", "i_mod_2", "A", True) in edges
    assert Edge("i_div_2", "j_mod_3", "A", True) in edges
    ell = access_edges(Access("A", ("i", "j")), resolve_format("ell"))
    assert Edge("A1", "i", "A", False) in ell


def test_hard_edges_beat_every_tie_break():
    assert order("ij", [*hard("j>i"), *soft("i>j")], "ij", {"i": "a.i & b.i"}) == "ji"


def test_culling_comes_first():
    assert order("ij", domains={"j": "a.j & B.j"}) == "ji"
    assert order("ij", [], "ij", {"j": "a.j & B.j"}) == "ji"
    assert order("ij", domains={"i": "a.i & b.i", "j": "a.j & b.j & c.j"}) == "ji"
    assert order("ij", domains={"i": "a.i & b.i & D.i", "j": "a.j & b.j & c.j"}) == "ji"


def test_what_does_not_cull():
    for text in ("a.j | b.j", "A.j & B.j", "a.j", "a.j & U.j", "~a.j"):
        assert order("ij", domains={"j": text}) == "ij"


def test_culling_is_found_inside_a_union():
    assert culled_levels(parse_set("c.i | a.i & b.i"), lambda _: True) == 2
    assert order("ij", domains={"j": "c.j | a.j & B.j"}) == "ji"


def test_the_result_is_not_run_ahead_of():
    assert order("ij", result="ji") == "ji"
    assert order("kij", result="ji") == "kji"
    assert order("ij", soft("i>j"), "ji") == "ji"


def test_fewest_strided_walks():
    assert order("ij", soft("j>i")) == "ji"
    assert order("ijk", [*soft("j>i"), *soft("k>i"), *soft("k>j")]) == "kji"


def test_edges_of_formats():
    i_to_j = Edge("i", "j", "A", True)
    access = Access("A", ("i", "j"))
    assert access_edges(access, CSR) == [i_to_j]
    assert access_edges(access, CSC) == [Edge("j", "i", "A", True)]
    assert access_edges(access, DENSE) == [Edge("i", "j", "A", False)]
    assert access_edges(Access("A", ("l", "k")), CSR) == [Edge("l", "k", "A", True)]
    triples = access_edges(Access("A", ("i", "j", "k")), CSF)
    assert {(e.source, e.target) for e in triples} == {("i", "j"), ("i", "k"), ("j", "k")}


def test_edges_of_results():
    """All hard where entries are appended, else a preference."""
    access = Access("Z", ("i", "j"))
    assert result_edges(access, CSR) == [Edge("i", "j", "Z", True)]
    assert result_edges(access, DENSE) == [Edge("i", "j", "Z", False)]


def test_the_graph_of_a_statement():
    result, a, x = Access("y", ("i",)), Access("A", ("i", "j")), Access("x", ("j",))
    graph = index_graph(result, [a, x], {"y": VECTOR, "A": CSR, "x": VECTOR})
    assert graph == IndexGraph(("i", "j"), (Edge("i", "j", "A", True),), ("i",))


def test_a_cycle_is_shown_edge_by_edge():
    edges = [Edge("i", "j", "A", True), Edge("j", "i", "B", True), Edge("i", "k", "C", True)]
    found = loop_order(
        IndexGraph(("k", "i", "j"), tuple(edges)),
        dict.fromkeys("ijk", Universe("i")),
        lambda _: True,
    )
    assert isinstance(found, Cycle)
    assert str(found) in ("i -> j (A), j -> i (B)", "j -> i (B), i -> j (A)")


@pytest.mark.parametrize("seed", range(10))
def test_random_graphs(seed: int):
    """An order respects every hard edge; a cycle is made of hard edges, head to tail."""
    random_ = random.Random(seed)
    cycles = 0
    for _ in range(100):
        variables = "ijklmn"[: random_.randint(2, 6)]
        edges = tuple(
            Edge(source, target, random_.choice("ABC"), random_.random() < 0.6)
            for _ in range(random_.randint(0, 7))
            for source, target in [random_.sample(variables, 2)]
        )
        graph = IndexGraph(tuple(variables), edges, tuple(random_.sample(variables, 2)))
        domains = {v: parse_set(random_.choice([f"a.{v} & b.{v}", f"U.{v}"])) for v in variables}
        found = loop_order(graph, domains, lambda _: True)
        if isinstance(found, Cycle):
            cycles += 1
            following = (*found.edges[1:], found.edges[0])
            assert all(e.hard and e in edges for e in found.edges)
            assert all(e.target == f.source for e, f in zip(found.edges, following, strict=True))
            continue
        assert sorted(found) == sorted(variables)
        assert all(found.index(e.source) < found.index(e.target) for e in edges if e.hard)
    assert 0 < cycles < 100
