"""
NumPy's einsum subscripts -> `Assignment`.

    einsum_to_assignment("ij,jk->ik", [2, 2])     Z(i,k) = A(i,j) * B(j,k)

Operands are named A, B, C, ... in the order given and the result Z, leaving out letters that are
labels. Labels that the output lacks are summed, as NumPy does, by `explicit_reductions`.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import reduce
from itertools import count, islice
from string import ascii_letters, ascii_uppercase

from tamale.dialects.errors import NotationError
from tamale.dialects.notation.ast import Access, Assignment, Call, Expr, Span
from tamale.dialects.notation.diagnostics import error_at, printable

MAX_OPERANDS = 64
"""Most operands that are read; NumPy has the same limit."""


def einsum_to_assignment(subscripts: str, orders: Sequence[int]) -> Assignment:
    """
    Translates einsum subscripts; white space is free.

    Args:
        subscripts: one letter a mode, commas between operands; then `->` and the output's labels,
            or nothing for NumPy's implicit output: the labels that occur once, sorted.
        orders: each operand's order, in the order of the operands.

    Returns:
        A product of one access an operand, from left to right. A label repeated within an operand
        is its diagonal.

    Raises:
        NotationError: the subscripts cannot be read or do not fit `orders`.
    """
    inputs, arrow, output = subscripts.partition("->")
    _check_characters(subscripts, len(inputs))
    operands = [_labels(operand) for operand in inputs.split(",")]
    _check_orders(subscripts, operands, orders)
    used = Counter("".join(operands))
    result = _labels(output) if arrow else "".join(sorted(c for c in used if used[c] == 1))
    _check_output(subscripts, len(inputs) + 2, used)
    names = islice(_tensor_names(set(used)), len(operands))
    result_name = "Z" if "Z" not in used else "result"
    factors: list[Expr] = [Access(name, tuple(o)) for name, o in zip(names, operands, strict=True)]
    return Assignment(Access(result_name, tuple(result)), None, reduce(_product, factors))


def _product(left: Expr, right: Expr) -> Expr:
    return Call("mul", (left, right))


def _labels(part: str) -> str:
    return "".join(part.split())


def _tensor_names(labels: set[str]) -> Iterator[str]:
    """A, B, ..., Y, A1, B1, ...: without the labels and without Z, the result."""
    for round in count():
        for letter in ascii_uppercase[:-1]:
            name = f"{letter}{round}" if round else letter
            if name not in labels:
                yield name


def _check_characters(subscripts: str, arrow: int) -> None:
    for position, character in enumerate(subscripts):
        if character.isspace() or character in ascii_letters or arrow <= position < arrow + 2:
            continue
        if character == "," and position < arrow:
            continue
        help = "subscripts are letters, ',' between operands and one '->'"
        if character == ".":
            help = "an ellipsis is not supported; give each mode a letter"
        if character == ",":
            help = "there is one output, after '->'"
        message = f"unexpected '{printable(character)}'"
        raise _error(subscripts, (position, position + 1), message, help)


def _check_orders(subscripts: str, operands: list[str], orders: Sequence[int]) -> None:
    if len(operands) != len(orders):
        message = f"the subscripts name {len(operands)} operands, but {len(orders)} are given"
        raise _error(subscripts, (0, len(subscripts)), message)
    if len(operands) > MAX_OPERANDS:
        message = f"{len(operands)} operands are given; the limit is {MAX_OPERANDS}"
        raise _error(subscripts, (0, len(subscripts)), message)
    start = 0
    parts = subscripts.partition("->")[0].split(",")
    for number, (part, labels, order) in enumerate(zip(parts, operands, orders, strict=True)):
        if len(labels) != order:
            message = f"operand {number + 1} has order {order}, but '{labels}' has {len(labels)}"
            raise _error(subscripts, (start, start + len(part)), message, "give each mode a letter")
        start += len(part) + 1


def _check_output(subscripts: str, start: int, used: Counter[str]) -> None:
    seen = set[str]()
    for position in range(start, len(subscripts)):
        label = subscripts[position]
        if label in seen:
            raise _error(subscripts, (position, position + 1), f"the output repeats '{label}'")
        if not label.isspace() and label not in used:
            message = f"the output label '{label}' is in no operand"
            raise _error(subscripts, (position, position + 1), message)
        seen.add("" if label.isspace() else label)


def _error(subscripts: str, where: Span, message: str, help: str = "") -> NotationError:
    return error_at(subscripts, where, message, help, speaker="einsum")
