"""Queries in every form mean what they say: canonical forms and all rewrites, on random entries."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest
from query_oracle import Coordinates, Node, defined, run, tree_of

from tamale.dialects.errors import TamaleError
from tamale.dialects.format.expressions import counters, evaluate
from tamale.dialects.format.folding import dimension
from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.symbolic_bounds import symbolic_bounds
from tamale.dialects.notation.ast import Access
from tamale.dialects.query.parser import parse_select
from tamale.dialects.query.remapping import Remapping, parse_remapping
from tamale.dialects.query.select import Aggregate
from tamale.passes.algebra import queries_rewriting as rules
from tamale.passes.algebra.queries import Chain, Operand, without_unused_lets
from tamale.passes.algebra.queries_bounds import Sizes, result_sizes
from tamale.passes.algebra.queries_canonical import canonical
from tamale.passes.levels.counting import query_operand

MATRICES = (
    "dense",
    "csr",
    "csc",
    "dcsr",
    "coo",
    "(i, j) -> (i : compressed(nonunique), j : singleton(nonunique))",
    "(i, j) -> (i : dense, j : compressed(nonunique))",
    "(i, j) -> (i : compressed, j : dense)",
    "bcsr(2, 3)",
    "(i, j) -> (i / 2 : dense, j : compressed, i % 2 : compressed)",
    "(i, j) -> (j - i : compressed, i : compressed)",
    "dia",
    "ell",
    "(i, j) -> (#i : compressed, i : compressed, j : singleton)",
)
QUERIES = (
    "select [i] -> count(j) as n",
    "select [j] -> count(i) as n",
    "select [] -> count(i) as n",
    "select [i] -> count(*) as n",
    "select [] -> count(*) as n",
    "select [] -> count(i, j) as n",
    "select [i] -> id() as n",
    "select [d] -> id() as n",
    "select [d] -> count(i) as n",
    "select [i, d] -> count(j) as n",
    "select [] -> min(d) as n, max(d) as m",
    "select [i] -> max(j) as n",
    "select [j] -> min(i) as n",
    "select [r] -> count(c) as n",
    "select [r] -> max(k) as n",
    "select [r, c] -> count(*) as n",
    "select [] -> max(k) as n",
    "select [i] -> max(k) as n",
    "select [j] -> max(k) as n",
    "select [] -> max(h) as n",
    "select [k] -> count(i) as n",
    "select [] -> max(a) as n",
)
REMAPPING = parse_remapping(
    "(i, j) -> (i, j, d = j - i, r = i / 2, c = j / 3, k = #i, h = #i / 2, a = #)"
)
SIZES = {"i": 5, "j": 4}


def matrix(operand: Operand, seed: int) -> Node:
    """A random 5 x 4 matrix with an empty row, repeated entries if the operand may have them."""
    chance = random.Random(seed)
    cells = [(i, j) for i in (0, 1, 3, 4) for j in range(4)]
    entries = chance.sample(cells, chance.choice((0, 1, 5, 9)))
    if operand.has_duplicates:
        entries += chance.choices(entries, k=3) if entries else []
    return tree_of(operand, (5, 4), sorted(entries))


def ranges(remapping: Remapping) -> dict[str, tuple[int, int]]:
    sizes = {mode: dimension(mode) for mode in remapping.modes}
    numbers = {dimension(mode).name: SIZES[mode] for mode in remapping.modes}
    found: dict[str, tuple[int, int]] = {}
    for name, expression in remapping.targets:
        low, high = symbolic_bounds(expression, sizes)
        bounded = (evaluate(low, numbers), evaluate(high, numbers))
        found[name] = (0, 0) if counters(expression) else bounded
    return found


RULES: tuple[Callable[[Chain], Chain | None], ...] = (
    rules.reduction_to_assign,
    rules.simplify_width_count,
    rules.map_fold,
    lambda chain: None if (c := without_unused_lets(chain)).steps == chain.steps else c,
)


def rewrites(chains: tuple[Chain, ...]) -> list[tuple[Chain, ...]]:
    """Everything that one rewrite makes of the chains."""
    found: list[tuple[Chain, ...]] = []
    for number, chain in enumerate(chains):
        for rule in RULES:
            if (after := rule(chain)) is not None:
                found.append((*chains[:number], after, *chains[number + 1 :]))
        if (pair := rules.counter_to_histogram(chain, "W")) is not None:
            found.append((*chains[:number], *pair, *chains[number + 1 :]))
    if len(chains) == 2 and (merged := rules.inline_temporary(chains[1], chains[0])) is not None:
        found.append((merged,))
    return found


def allowed(aggregate: Aggregate, group: Sequence[str], operand: Operand) -> bool:
    """Whether the verifier of query.select lets it through."""
    names = {*group, *(() if aggregate.function == "max" else aggregate.coordinates)} - {"*"}
    return not operand.has_duplicates or not any(counters(REMAPPING.expression(n)) for n in names)


def numbers(aggregate: Aggregate, group: Sequence[str]) -> bool:
    """Whether the query depends on counters, other than as the maximum of one by itself."""
    names = {*group, *aggregate.coordinates} - {"*"}
    used = {name for name in names if counters(REMAPPING.expression(name))}
    per_row = aggregate.function == "max" and set(group) <= {"i", "r"}
    return bool(used - ({"k"} if per_row else set()) - ({"a"} if not group else set()))


@pytest.mark.parametrize("line", MATRICES)
@pytest.mark.parametrize("query", QUERIES)
def test_every_form_means_the_same(line: str, query: str):
    access = Access("A", ("i", "j"))
    operand = query_operand(access, resolve_format(line, 2))
    select = parse_select(query)
    for aggregate in select.aggregates:
        if not allowed(aggregate, select.group, operand):
            continue
        if operand.padded and numbers(aggregate, select.group):
            with pytest.raises(TamaleError, match="numbers the nonzeros of A, which is stored"):
                canonical(select.group, aggregate, operand, REMAPPING)
            continue
        chains = canonical(select.group, aggregate, operand, REMAPPING)
        for seed in range(4):
            tree = matrix(operand, seed)
            entries = list(tree.entries())
            expected = defined(select.group, aggregate, REMAPPING, entries, ranges(REMAPPING))
            check_rewrites(chains, tree, expected, random.Random(seed))


def check_sizes(chains: tuple[Chain, ...], expected: dict[Coordinates, int], count: int) -> None:
    """What is promised of the results of a query over a tensor of `count` entries."""
    sizes = Sizes(count=32)
    for chain in chains:
        sizes = result_sizes(chain, sizes)
    limits = {8: 1, 32: count}
    assert all(value <= limits.get(sizes.value, value) for value in expected.values())
    assert sum(value != 0 for value in expected.values()) <= limits.get(sizes.count, 20)


def check_rewrites(
    chains: tuple[Chain, ...],
    tree: Node,
    expected: dict[Coordinates, int],
    chance: random.Random,
) -> None:
    """Rewrites in random order until none applies; every form has the expected results."""
    for _ in range(20):
        assert run(chains, "A", tree, SIZES) == expected
        check_sizes(chains, expected, len(list(tree.entries())))
        options = rewrites(chains)
        if not options:
            return
        chains = chance.choice(options)
    raise AssertionError("the rewrites never end")
