"""Hybrid formats: reading, printing, names, and what is refused."""

import pytest

from tamale.dialects.errors import FormatError
from tamale.dialects.format.hybrid import (
    MOST_PARTS,
    HybridFormat,
    Part,
    hybrid,
    name_of_hybrid,
    resolve_any,
    resolve_hybrid,
)
from tamale.dialects.format.named import resolve_format
from tamale.dialects.format.selection import parse_comparison

CSR, COO = resolve_format("csr"), resolve_format("coo", 2)


def test_a_named_hybrid():
    found = resolve_hybrid("hyb(3)")
    assert found == resolve_hybrid("#i<3 ? ell : coo") == resolve_any("hyb(3)", 2)
    assert found.formats == (resolve_format("ell"), COO)
    assert [str(selection) for selection in found.selections] == ["#i < 3", "#i >= 3"]
    assert found.counts
    assert (found.order, found.modes) == (2, ("i", "j"))
    assert name_of_hybrid(found) == name_of_hybrid(found.with_widths(crd="i64")) == "hyb(3)"
    assert resolve_hybrid("hyb(3), crd = i64") == found.with_widths(crd="i64")


@pytest.mark.parametrize(
    "text",
    [
        "hyb(2), pos = i64",
        "j == i ? (i,j) -> (j - i : squeezed, i:range, j : offset), crd = i64 : j < 8 ? csr : coo",
        "#i j k < 1 ? csf : coo(2, 1, 0)",
    ],
)
def test_text_reads_back(text: str):
    found = resolve_hybrid(text, 3 if "k" in text else 2)
    assert resolve_hybrid(str(found)) == found


def test_parts_on_the_right():
    found = resolve_hybrid("j == 0 ? csc : #i < 2 ? ell : coo")
    assert found == resolve_hybrid("j == 0 ? csc : hyb(2)")
    assert list(map(str, found.selections)) == [
        "j == 0",
        "j != 0 && #i < 2",
        "j != 0 && #i >= 2",
    ]
    assert name_of_hybrid(found) is None
    assert name_of_hybrid(resolve_hybrid("#i < j ? ell : coo")) is None


def test_modes_are_called_as_the_format_behind_calls_them():
    line = "(r, c) -> (r : dense, c : compressed)"
    assert resolve_hybrid(f"c < 2 ? {line} : coo") == resolve_hybrid("j < 2 ? csr : coo")
    with pytest.raises(FormatError, match="'j' in 'j < 2' is no mode; modes: r, c"):
        resolve_hybrid(f"j < 2 ? {line} : coo")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hyb", "'hyb(k)' takes 1 positive integer, got none"),
        ("hyb(0)", "'hyb(k)' takes 1 positive integer, got (0)"),
        ("hyb(1, 2)", "'hyb(k)' takes 1 positive integer, got (1, 2)"),
        ("#i < 3 ? ell", "behind 'ell' there is no ':' and format of what is left"),
        ("#i ? ell : coo", "expected one comparison"),
        ("#i < 3 ? hyb(2) : coo", "'hyb(2)' is a hybrid of several formats"),
        ("#i < 3 ? ell : cooo", "no format is called 'cooo' (did you mean 'coo'?)"),
        ("#i < 3 ? csf : coo", "fits every order; which one does the tensor have?"),
    ],
)
def test_what_is_refused(text: str, message: str):
    with pytest.raises(FormatError) as caught:
        resolve_hybrid(text)
    assert message in str(caught.value)


def test_parts_that_do_not_fit():
    rule = parse_comparison("i < 2")
    with pytest.raises(FormatError, match=r"orders \[2, 3\], not one"):
        hybrid([Part(CSR, rule), Part(resolve_format("coo", 3), None)])
    with pytest.raises(FormatError, match="stores tensors of order 2"):
        resolve_hybrid("hyb(2)", 3)
    with pytest.raises(FormatError, match=f"2 to {MOST_PARTS} parts, not 1"):
        hybrid([Part(CSR, None)])
    with pytest.raises(FormatError, match="'csr' is no hybrid of several formats"):
        resolve_hybrid("csr")
    with pytest.raises(FormatError, match="order 0 has no entries"):
        resolve_hybrid("# < 3 ? coo : coo", 0)


def test_single_formats_are_wanted_elsewhere():
    for text in ("hyb(3)", "j < 2 ? csr : coo"):
        with pytest.raises(FormatError, match="is a hybrid of several formats"):
            resolve_format(text, 2)
    assert isinstance(resolve_any("csr"), type(CSR))
    assert isinstance(resolve_any("j < 2 ? csr : coo"), HybridFormat)
