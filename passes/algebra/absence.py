"""
What is left of an expression where some operands have no entry.

An absent access is its fill value, and the operators around it fold by their properties:
`0 + b = b`, `0 * b = 0`, `b - 0 = b`. Only folding that the absence caused is done; a zero that
the user wrote stays, and unlike a fill it is present everywhere.
"""

from __future__ import annotations

from collections.abc import Set

from tamale.dialects.cin.sets import Universe, belongs
from tamale.dialects.errors import TamaleError
from tamale.dialects.notation.ast import Access, Call, Expr, Literal, Reduce, to_text, walk
from tamale.dialects.operators import Operator, operator_named
from tamale.passes.algebra.derivation import argument_number, fill_value, own_domain
from tamale.passes.algebra.fills import FILL, fill, is_fill, number


def without(expression: Expr, absent: Set[str]) -> Expr:
    """`expression` with the accesses named in `absent` at their fill value, folded."""
    match expression:
        case Access(tensor=name):
            return FILL if name in absent else expression
        case Literal():
            return expression
        case Reduce(operator=operator, variables=variables, body=body):
            reduced = without(body, absent)
            if is_fill(reduced) and fill_value(Reduce(operator, variables, reduced)) == 0:
                return FILL
            return expression if reduced is body else Reduce(operator, variables, reduced)
        case Call() if is_fill(expression):
            return expression
        case Call(operator=operator, arguments=arguments):
            folded = tuple(without(a, absent) for a in arguments)
            unchanged = all(new is old for new, old in zip(folded, arguments, strict=True))
            return expression if unchanged else fold(operator, folded)


def replace_access(expression: Expr, name: str, by: Expr) -> Expr:
    """`expression` with one access replaced, folded where the replacement is a number."""
    match expression:
        case Access(tensor=tensor):
            return by if tensor == name else expression
        case Literal():
            return expression
        case Reduce(operator=operator, variables=variables, body=body):
            return Reduce(operator, variables, replace_access(body, name, by))
        case Call(operator=operator, arguments=arguments):
            replaced = tuple(replace_access(a, name, by) for a in arguments)
            return expression if replaced == arguments else fold(operator, replaced)


def fold(name: str, arguments: tuple[Expr, ...]) -> Expr:
    """The call, folded by its operator's identities and annihilators."""
    operator = operator_named(name)
    values = [number(argument) for argument in arguments]
    absent = [k for k, argument in enumerate(arguments) if is_fill(argument)]
    for k in absent:
        if values[k] == operator.annihilator(k):
            return arguments[k]
    known = [value for value in values if value is not None]
    if len(known) == len(arguments):
        folded = operator.apply(*known)
        return fill(folded) if len(absent) == len(arguments) else Literal(folded)
    if len(arguments) == 2:
        for k in absent:
            if values[k] == operator.identity(k):
                return arguments[1 - k]
        if name == "sub" and 0 in absent and values[0] == 0:
            return Call("neg", (arguments[1],))
    return Call(name, arguments)


def settle(expression: Expr, workspaces: Set[str]) -> Expr:
    """
    `expression`, all of whose accesses are present, with what has no entry at its fill value.

    That can only come from an operator with a domain of its own, such as `unless(a, m)` where m is
    present.

    Raises:
        TamaleError: such an operator depends on a reduction, whose presence only the run tells.
    """
    match expression:
        case Call() if is_fill(expression):
            return expression
        case Call(operator=name, arguments=arguments):
            settled = tuple(settle(argument, workspaces) for argument in arguments)
            if not _has_entry(operator_named(name), settled, workspaces):
                return FILL
            unchanged = all(new is old for new, old in zip(settled, arguments, strict=True))
            return expression if unchanged else fold(name, settled)
        case Reduce(operator=operator, variables=variables, body=body):
            return Reduce(operator, variables, settle(body, workspaces))
        case _:
            return expression


def _has_entry(operator: Operator, arguments: tuple[Expr, ...], workspaces: Set[str]) -> bool:
    """Whether a call has an entry where all accesses in it are present."""
    if operator.domain is None:
        return True  # If it has none, folding makes it a fill.
    for argument in arguments:
        if any(isinstance(node, Access) and node.tensor in workspaces for node in walk(argument)):
            raise TamaleError(
                f"build-lattices: {to_text(Call(operator.name, arguments))} depends on whether a "
                "reduction has an entry, which is not known before it runs\n"
                "  help: compute the reduction first, into a sparse result"
            )
    present = [not is_fill(argument) for argument in arguments]
    return belongs(
        own_domain(operator.domain),
        lambda leaf: isinstance(leaf, Universe) or present[argument_number(leaf)],
    )
