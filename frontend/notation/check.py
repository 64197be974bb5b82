"""
What a statement that parses can still get wrong: orders, names, and reductions.

A variable on the left only broadcasts, and a result may be read on the right: both are meant.
"""

from collections.abc import Iterator

from tamale.dialects.notation.ast import Access, Assignment, Reduce, free_variables, to_text, walk
from tamale.dialects.notation.diagnostics import Problem, report
from tamale.frontend.notation.reductions import (
    accesses,
    reduction_terms,
    variables,
)


def check_notation(assignment: Assignment, text: str) -> None:
    """
    Refuses a statement that has no meaning.

    Args:
        assignment: what `parse_notation(text)` returned.
        text: the statement, for the carets.

    Raises:
        NotationError: lists every problem found, in the order of this module.
    """
    problems = [
        *_repeated_update(assignment),
        *_order_clashes(assignment),
        *_name_clashes(assignment),
        *_reduction_problems(assignment),
        *_nested_reductions(assignment),
        *_bound_and_free(assignment),
    ]
    if problems:
        raise report(text, problems)


def _repeated_update(assignment: Assignment) -> Iterator[Problem]:
    """`Z(i,i) += b(i)` would keep what it does not name; a kernel makes all of its result."""
    result = assignment.result
    for name in _repeated(result.indices) if assignment.operator is not None else ():
        yield Problem(
            result.span,
            f"the result '{to_text(result)}', which repeats the index variable '{name}', cannot be "
            "updated in place",
            "compute a tensor with '=' first, and add that",
        )


def _order_clashes(assignment: Assignment) -> Iterator[Problem]:
    """A tensor has one order, which its first use shows."""
    first = {assignment.result.tensor: assignment.result}
    for access in accesses(assignment.expression):
        known = first.setdefault(access.tensor, access)
        if len(known.indices) != len(access.indices):
            role = "the result" if known is assignment.result else "tensor"
            yield Problem(
                access.span,
                f"{role} '{access.tensor}' is used with {_modes(access)} and with {_modes(known)}",
                f"give '{to_text(access)}' the same number of indices as '{to_text(known)}'",
            )


def _name_clashes(assignment: Assignment) -> Iterator[Problem]:
    index_variables = {*assignment.result.indices, *variables(assignment.expression)}
    reported = set[str]()
    for access in (assignment.result, *accesses(assignment.expression)):
        if access.tensor in index_variables and access.tensor not in reported:
            reported.add(access.tensor)
            yield Problem(
                access.span,
                f"'{access.tensor}' names a tensor here and is also an index variable",
                "rename one of them",
            )


def _reduction_problems(assignment: Assignment) -> Iterator[Problem]:
    """Each reduction by itself: its variables against its body and against the left side."""
    for reduction in _reductions(assignment):
        used = variables(reduction.body)
        for name in _repeated(reduction.variables):
            message = f"the reduction lists the variable '{name}' twice"
            yield Problem(reduction.span, message, "list each variable once")
        for name in dict.fromkeys(reduction.variables):
            if name in assignment.result.indices:
                message = f"the reduction is over '{name}', an index of the result"
                help = f"reduce over another variable, or take '{name}' from the left side"
                yield Problem(reduction.span, message, help)
            elif name not in used:
                message = f"the body of the reduction does not use its variable '{name}'"
                yield Problem(reduction.span, message, "its size would be unknown; drop it")


def _nested_reductions(assignment: Assignment) -> Iterator[Problem]:
    """Two reductions over one variable, the second inside the first."""
    for outer in _reductions(assignment):
        for inner in walk(outer.body):
            if isinstance(inner, Reduce):
                for name in sorted(set(outer.variables) & set(inner.variables)):
                    message = f"the reduction over '{name}' is inside another one over '{name}'"
                    yield Problem(inner.span, message, "give the two variables different names")


def _bound_and_free(assignment: Assignment) -> Iterator[Problem]:
    """A variable that one term sums both explicitly, inside, and implicitly, around it."""
    for term in reduction_terms(assignment):
        free = set(free_variables(term)).difference(assignment.result.indices)
        for reduction in walk(term):
            if isinstance(reduction, Reduce):
                for name in sorted(free & set(reduction.variables)):
                    message = f"'{name}' is reduced here and also used outside, in the same term"
                    yield Problem(reduction.span, message, "give the two variables different names")


def _reductions(assignment: Assignment) -> list[Reduce]:
    return [node for node in walk(assignment.expression) if isinstance(node, Reduce)]


def _repeated(names: tuple[str, ...]) -> list[str]:
    return [name for name in dict.fromkeys(names) if names.count(name) > 1]


def _modes(access: Access) -> str:
    count = len(access.indices)
    return f"{count} index" if count == 1 else f"{count} indices"
