"""Whether level expressions overflow is asked before every call, and has to cost nothing then."""

import pytest

from tamale.dialects.errors import FormatError
from tamale.dialects.format import overflow
from tamale.dialects.format.bounds import bounds
from tamale.dialects.format.expressions import Expr
from tamale.dialects.format.named import resolve_format


def test_every_part_is_bounded_once(monkeypatch: pytest.MonkeyPatch):
    """A Morton code with its lets written out has each part many times."""
    seen: list[Expr] = []

    def counted(expr: Expr, modes: dict[str, tuple[int, int]]) -> tuple[int, int]:
        seen.append(expr)
        return bounds(expr, modes)

    monkeypatch.setattr(overflow, "bounds", counted)
    hicoo = resolve_format("hicoo(4)", 2)
    overflow.check_extents(hicoo, (1231, 977))
    assert len(seen) == len(set(seen)) > 10
    overflow.check_extents(hicoo, [1231, 977])
    assert len(seen) == len(set(seen))


def test_what_overflows_does_so_again():
    format = resolve_format("(i, j) -> (i << 61 : compressed, j : compressed)")
    for _ in range(2):
        overflow.check_extents(format, (2, 9))
        with pytest.raises(FormatError, match=r"'i << 61|2305843009213693952' can be"):
            overflow.check_extents(format, (9, 9))
