"""Named formats as attributes of `tm.formats`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tamale as tm
from tamale.dialects.format.hybrid import resolve_hybrid
from tamale.dialects.format.named import NAMED_FORMATS, NAMED_HYBRIDS
from tamale.dialects.format.spec import Format


@pytest.mark.parametrize(
    ("found", "text", "order"),
    [
        (tm.formats.csr, "csr", 2),
        (tm.formats.coo, "coo", 2),
        (tm.formats.bcsr(2, 3), "bcsr(2, 3)", 2),
        (tm.formats.bcsc(np.int8(4), 1), "bcsc(4, 1)", 2),
        (tm.formats.sell(4), "sell(4)", 2),
        (tm.formats.hicoo(4), "hicoo(4)", 2),
        (tm.formats.hicoo(4, order=3), "hicoo(4)", 3),
    ],
)
def test_attributes_are_formats(found: Format, text: str, order: int):
    assert found == tm.resolve_format(text, order)


def test_hybrids_take_their_number_too():
    assert tm.formats.hyb(2) == resolve_hybrid("hyb(2)", 2)


def test_every_name_is_an_attribute():
    assert dir(tm.formats) == sorted([*NAMED_FORMATS, *NAMED_HYBRIDS])
    assert all(hasattr(tm.formats, name) for name in dir(tm.formats))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: tm.formats.bcsr(2), r"'bcsr\(m, n\)' takes 2 positive integers, got \(2\)"),
        (lambda: tm.formats.bcsr(0, 2), r"takes 2 positive integers, got \(0, 2\)"),
        (lambda: tm.formats.sell(2.5), r"'sell\(s\)' takes whole numbers, got \(2\.5,\)"),
        (lambda: tm.formats.bcsr(2, True), r"takes whole numbers, got \(2, True\)"),
        (lambda: tm.formats.hicoo(3), "takes a power of two"),
        (lambda: tm.formats.bcsr(2, 3, order=3), "stores tensors of order 2; this one has order 3"),
        (lambda: tm.tensor(np.eye(2), tm.formats.bcsr), "got FormatWithNumbers"),
    ],
)
def test_wrong_numbers(make: Callable[[], Any], message: str):
    with pytest.raises(tm.FormatError, match=message):
        make()


def test_a_name_that_no_format_has():
    with pytest.raises(AttributeError, match=r"'cssr' \(did you mean 'csr'\?\)"):
        _ = tm.formats.cssr
