"""
Where padding matters: operators with a domain of their own, which ask for entries.

`unless(a, b)` is `a` where b has no entry; an entry of value 0 is one. Padding is none, but nothing
tells it from zeros that are entries, so that b has to be stored without. For all other operators a
zero is worth what an absent entry is (docs/rationale/padding.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from tamale.dialects.cin.sets import leaves
from tamale.dialects.format.named import name_of
from tamale.dialects.format.spec import Format
from tamale.dialects.notation.ast import Access, Assignment, Call, Expr, Reduce, to_text, walk
from tamale.dialects.operators import Operator, operator_named
from tamale.passes.algebra.derivation import argument_number, own_domain


def asked_arguments(operator: Operator) -> frozenset[int]:
    """
    The arguments of which values depend on whether they have an entry: those that the operator's
    own domain names, but for those that decide the result by being 0.

    >>> sorted(asked_arguments(operator_named("unless")))
    [1]
    """
    if operator.domain is None:
        return frozenset()
    named = {argument_number(leaf) for leaf in leaves(own_domain(operator.domain))}
    return frozenset(k for k in named if operator.annihilator(k) != 0)


def asked_accesses(expression: Expr) -> Iterator[tuple[Access, Call]]:
    """The accesses that are in such arguments, and of which call."""
    match expression:
        case Call(operator=name, arguments=arguments):
            asked = asked_arguments(operator_named(name))
            for k, argument in enumerate(arguments):
                if k not in asked:
                    yield from asked_accesses(argument)
                    continue
                for node in walk(argument):
                    if isinstance(node, Access):
                        yield node, expression
        case Reduce(body=body):
            yield from asked_accesses(body)
        case _:
            return


def padded_accesses(statement: Assignment, padded: Set[str]) -> tuple[Access, ...]:
    """The accesses of `padded` tensors that the statement asks for entries, each once."""
    found = (access for access, _ in asked_accesses(statement.expression))
    return tuple(dict.fromkeys(access for access in found if access.tensor in padded))


def padding_refusal(
    statement: Assignment, formats: Mapping[str, Format], padded: Sequence[Access]
) -> str:
    """Why padded operands cannot be asked for entries, and what to do."""
    calls = {access: call for access, call in asked_accesses(statement.expression)}
    asking = ", ".join(dict.fromkeys(to_text(calls[access]) for access in padded))
    stored = [
        f"\n  {a.tensor} is stored as {name_of(formats[a.tensor]) or formats[a.tensor]}: nothing "
        "tells its padding from entries that are 0"
        for a in padded
    ]
    return (
        f"concretize: {asking} depends on where {' and '.join(a.tensor for a in padded)} "
        f"has entries, in  {to_text(statement)}{''.join(stored)}"
        "\n  help: store it without padding, as csr or csf"
    )
