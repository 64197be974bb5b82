"""Expressions at a point: what is not reached must not matter."""

import pytest

from tamale.dialects.cin.attributes import parse_statement
from tamale.dialects.notation.ast import Access
from tamale.interpreters.expressions import NotReachedError, Part, evaluate

PARTS = {
    "here": Part(3, present=True, fill=0),
    "gone": Part(0, present=False, fill=0),
}


class Reader:
    """Knows two accesses; no loop has led to any other."""

    def read(self, access: Access) -> Part:
        if access.tensor not in PARTS:
            raise NotReachedError(f"{access.tensor} is read, but no loop around it", 0)
        return PARTS[access.tensor]

    def has_entry(self, access: Access) -> bool:
        return self.read(access).present

    def width(self, access: Access) -> int:
        return int(self.read(access).present)


def value_of(text: str) -> Part:
    return evaluate(parse_statement(f"z(i) = {text}").expression, Reader())


@pytest.mark.parametrize(
    "text",
    [
        "unless(far(i), here(i))",
        "far(i) * gone(i)",
        "far(i) * (other(i) + far(i)) * gone(i)",
        "unless(far(i) + here(i), here(i))",
        "gone(i) * unless(here(i), far(i))",
    ],
)
def test_what_is_not_reached_may_not_matter(text: str):
    assert value_of(text) == Part(0, present=False, fill=0)


@pytest.mark.parametrize(
    "text",
    ["far(i)", "far(i) + here(i)", "far(i) * here(i)", "unless(far(i), gone(i))", "-far(i)"],
)
def test_what_matters_has_to_be_reached(text: str):
    with pytest.raises(NotReachedError, match="far is read, but no loop around it"):
        value_of(text)
