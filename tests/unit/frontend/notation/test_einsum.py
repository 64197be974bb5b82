"""NumPy's subscripts, compared with NumPy."""

import re
from itertools import product
from typing import TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray

from tamale.dialects.errors import NotationError
from tamale.dialects.notation.ast import Access, Call, Expr, Reduce, to_text
from tamale.frontend.notation.check import check_notation
from tamale.frontend.notation.einsum import einsum_to_assignment
from tamale.frontend.notation.reductions import accesses, explicit_reductions

SIZE = 2
Array: TypeAlias = NDArray[np.int64]


@pytest.mark.parametrize(
    "subscripts, orders, text",
    [
        ("ij,jk->ik", [2, 2], "Z(i,k) = A(i,j) * B(j,k)"),
        ("ij,jk", [2, 2], "Z(i,k) = A(i,j) * B(j,k)"),
        ("ba", [2], "Z(a,b) = A(b,a)"),
        ("ii", [2], "Z = A(i,i)"),
        ("ii->i", [2], "Z(i) = A(i,i)"),
        ("i,i->", [1, 1], "Z = A(i) * B(i)"),
        (" i j , j -> i ", [2, 1], "Z(i) = A(i,j) * B(j)"),
        (",ij,->ji", [0, 2, 0], "Z(j,i) = A * B(i,j) * C"),
        ("", [0], "Z = A"),
        ("AB,BZ->AZ", [2, 2], "result(A,Z) = C(A,B) * D(B,Z)"),
    ],
)
def test_translation(subscripts: str, orders: list[int], text: str):
    assignment = einsum_to_assignment(subscripts, orders)
    assert to_text(assignment) == text
    check_notation(assignment, text)


def test_many_operands_get_distinct_names():
    names = [a.tensor for a in accesses(einsum_to_assignment("," * 59, [0] * 60).expression)]
    assert names[:2] + names[24:27] == ["A", "B", "Y", "A1", "B1"]
    assert len(set(names)) == 60


def value_at(expr: Expr, arrays: dict[str, Array], at: dict[str, int]) -> int:
    """The value of `expr` at the coordinates `at`, by the definition of each node."""
    match expr:
        case Access():
            return int(arrays[expr.tensor][tuple(at[name] for name in expr.indices)])
        case Call(operator="mul", arguments=(left, right)):
            return value_at(left, arrays, at) * value_at(right, arrays, at)
        case Reduce(operator="add"):
            points = product(range(SIZE), repeat=len(expr.variables))
            inner = [at | dict(zip(expr.variables, point, strict=True)) for point in points]
            return sum(value_at(expr.body, arrays, coordinates) for coordinates in inner)
        case _:
            raise AssertionError(f"einsum made {expr}")


@pytest.mark.parametrize(
    "subscripts",
    ["ij,jk->ik", "ij,jk", "ba", "ii", "ii->i", "iij,j", "ijk,jl,kl->il", "ij->", "i,j,k->kij"],
)
def test_the_meaning_is_numpys(subscripts: str):
    shapes = [(SIZE,) * len(part) for part in subscripts.split("->")[0].split(",")]
    operands: list[Array] = [
        np.arange(1, 1 + SIZE ** len(s), dtype=np.int64).reshape(s) for s in shapes
    ]
    assignment = explicit_reductions(einsum_to_assignment(subscripts, [len(s) for s in shapes]))
    uses = accesses(assignment.expression)
    arrays = {use.tensor: array for use, array in zip(uses, operands, strict=True)}
    expected: Array = np.asarray(np.einsum(subscripts, *operands))
    indices = assignment.result.indices
    for point in product(range(SIZE), repeat=len(indices)):
        at = dict(zip(indices, point, strict=True))
        assert value_at(assignment.expression, arrays, at) == expected[point]


CASES: list[tuple[str, list[int], str, str, str]] = [
    ("i1,j->i", [2, 1], " ^", "unexpected '1'", "letters"),
    ("...i->i", [2], "^", "unexpected '.'", "an ellipsis is not supported"),
    ("i->i->i", [1], "    ^", "unexpected '-'", "one '->'"),
    ("i->i,i", [1], "    ^", "unexpected ','", "one output"),
    ("i-j", [2], " ^", "unexpected '-'", "letters"),
    ("i,j->ij", [1], "^^^^^^^", "name 2 operands, but 1 are given", ""),
    ("", [], "", "name 1 operands, but 0 are given", ""),
    ("," * 64, [0] * 65, "^" * 64, "65 operands are given; the limit is 64", ""),
    ("ij,jk->ik", [2, 3], "   ^^", "operand 2 has order 3, but 'jk' has 2", "each mode a letter"),
    ("i,->i", [1, 1], "  ^", "operand 2 has order 1, but '' has 0", "each mode a letter"),
    ("ij->ik", [2], "     ^", "the output label 'k' is in no operand", ""),
    ("ij->ii", [2], "     ^", "the output repeats 'i'", ""),
]


@pytest.mark.parametrize("subscripts, orders, carets, message, help", CASES)
def test_errors(subscripts: str, orders: list[int], carets: str, message: str, help: str):
    with pytest.raises(NotationError, match=f"^einsum: .*{re.escape(message)}") as error:
        einsum_to_assignment(subscripts, orders)
    assert re.search(rf"\n  {re.escape(carets)}(\n|$)", str(error.value)) or not carets
    assert help in str(error.value)
