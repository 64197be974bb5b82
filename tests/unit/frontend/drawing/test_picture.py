"""Pictures: well-formed, and one entry is highlighted in all parts."""

from xml.etree import ElementTree

import numpy as np
import pytest

import tamale as tm
from tamale.frontend.drawing.storage import MOST_COORDINATES, MOST_POSITIONS, Storage

M = np.array([[2.0, 0, 0, 0], [1, 3, 0, 0], [0, 0, 4, 0], [7, 5, 6, 8]])
FORMATS = (
    *("csr", "csc", "coo", "dia", "ell", "jad", "bcsr(2, 2)", "sell(2)", "skyline"),
    *("dok", "bitmap", "hicoo(2)", "dense", "ucoo"),
)
SVG = "{http://www.w3.org/2000/svg}"


def elements(picture: str, tag: str, look: str | None = None) -> list[ElementTree.Element]:
    root = ElementTree.fromstring(picture)
    return [x for x in root.iter(f"{SVG}{tag}") if look is None or x.get("class") == look]


@pytest.mark.parametrize("format", FORMATS)
def test_one_entry_in_every_part(format: str):
    A = tm.convert(M, format)
    storage = Storage(A)
    value = A.vals[storage.path[-1]]
    place = tuple(int(column[storage.path[-1]]) for column in storage.coordinates)
    assert M[place] == value != 0
    picture = A.draw()
    in_arrays = sum(
        len(storage.chosen_elements(k, name)) for k, level in enumerate(A.levels) for name in level
    )
    in_hierarchy = 1 + len(A.levels)
    assert len(elements(picture, "rect", "chosen")) == 1 + in_arrays + 1 + in_hierarchy
    assert len(elements(picture, "line", "chosen")) == len(A.levels)


def test_the_elements_of_csr():
    storage = Storage(tm.convert(M, "csr"))
    assert storage.path == (3, 4)
    assert storage.chosen_elements(1, "pos") == (3, 4)
    assert storage.chosen_elements(1, "crd") == (4,)


def test_everything_lies_on_the_page():
    picture = tm.convert(M, "dia").draw("a < b & c")
    root = ElementTree.fromstring(picture)
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    for box in elements(picture, "rect"):
        assert float(box.get("x", 0)) + float(box.get("width", 0)) <= width
        assert float(box.get("y", 0)) + float(box.get("height", 0)) <= height
    assert elements(picture, "title")[0].text == "a < b & c"


@pytest.mark.parametrize("format", ["csr", "dia", "ell", "dense", "coo"])
@pytest.mark.parametrize("shape", [(3, 3), (0, 4), (4, 0)])
def test_nothing_to_highlight(format: str, shape: tuple[int, int]):
    picture = tm.convert(np.zeros(shape), format).draw()
    assert elements(picture, "rect", "chosen") == []


def test_other_orders():
    for data in (np.array([0, 1j, 2]), np.arange(8.0).reshape(2, 2, 2)):
        picture = tm.tensor(data, "csf").draw()
        assert elements(picture, "line", "chosen")


def test_limits():
    for shape in ((MOST_COORDINATES + 1, 1), (MOST_COORDINATES, MOST_POSITIONS // 16)):
        with pytest.raises(tm.TamaleError, match="is too large to be drawn"):
            tm.tensor(np.ones(shape), "csr").draw()
