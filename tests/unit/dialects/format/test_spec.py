"""What a format knows about its levels."""

import subprocess
import sys

import pytest

from tamale.dialects.errors import FormatError
from tamale.dialects.format.notation import parse_format
from tamale.dialects.format.spec import Format, LevelProperties, mode_names

CSR = parse_format("(i, j) -> (i : dense, j : compressed)")
CSC = parse_format("(i, j) -> (j : dense, i : compressed)")
COO = parse_format("(i, j) -> (i : compressed(nonunique, nonordered), j : singleton)")
DIA = parse_format("(i, j) -> (j - i : dense, i : dense, j : dense)")


def test_mode_orders():
    cube = parse_format("(i, j, k) -> (k : dense, i : compressed, j : compressed)")
    assert cube.order == 3
    assert cube.mode_order == (2, 0, 1)
    assert cube.level_of_mode == (1, 2, 0)
    assert [cube.mode_order[level] for level in cube.level_of_mode] == [0, 1, 2]
    assert CSC.stored_modes == (1, 0)


def test_expressions_are_no_mode_order():
    assert not DIA.is_permutation
    assert DIA.stored_modes == (None, 0, 1)
    for ask in ("mode_order", "level_of_mode"):
        with pytest.raises(FormatError, match="is no mode ordering"):
            getattr(DIA, ask)
    assert not parse_format("(i) -> (i / 2 : dense, i : dense)").is_permutation


def test_all_dense():
    assert parse_format("() -> ()").all_dense
    assert parse_format("(i, j) -> (j : dense, i : dense)").all_dense
    assert not CSR.all_dense
    assert not DIA.all_dense


def test_properties_follow_the_table_of_kinds():
    dense = LevelProperties(full=True, ordered=True, unique=True, branchless=False, compact=True)
    compressed = LevelProperties(
        full=False, ordered=True, unique=True, branchless=False, compact=True
    )
    assert (CSR.properties(0), CSR.properties(1)) == (dense, compressed)
    rows, columns = COO.properties(0), COO.properties(1)
    assert (rows.ordered, rows.unique) == (False, False)
    assert columns == LevelProperties(
        full=False, ordered=True, unique=True, branchless=True, compact=True
    )


def test_canonical_forgets_names_only():
    renamed = parse_format("(row, col) -> (row : dense, col : compressed)")
    assert renamed != CSR
    assert renamed.canonical() == CSR == CSR.canonical()
    assert CSR.canonical() != CSC.canonical()
    lets = [
        parse_format(f"(a) -> ({x} = a / 2 in {x} & 1 : dense, a : dense), pos = i64") for x in "rs"
    ]
    assert lets[0] != lets[1]
    assert lets[0].canonical() == lets[1].canonical()
    swapped = parse_format("(j, i) -> (j : dense, i : compressed)")
    assert swapped.canonical() == CSR


def test_renaming_needs_all_modes():
    assert str(CSR.renamed(("j", "i"))) == "(j, i) -> (j : dense, i : compressed)"
    with pytest.raises(ValueError, match="zip"):
        CSR.renamed(("a",))


def test_widths():
    wide = CSR.with_widths(pos="i64")
    assert (wide.pos, wide.crd, CSR.pos) == ("i64", "i32", "i32")
    assert wide.with_widths(crd="i64").with_widths(pos="i32", crd="i32") == CSR
    with pytest.raises(FormatError, match="index width 'i8' is not supported; use i32 or i64"):
        CSR.with_widths(crd="i8")  # pyright: ignore[reportArgumentType]


def test_mode_names():
    assert mode_names(0) == ()
    assert mode_names(6) == ("i", "j", "k", "l", "m", "n")
    assert mode_names(7) == ("i0", "i1", "i2", "i3", "i4", "i5", "i6")


def test_a_pickled_format_works_where_strings_hash_otherwise():
    code = """
import pickle, sys
from tamale.dialects.format.notation import parse_format
text = "(i, j) -> (i : dense, j : compressed)"
if len(sys.argv) == 1:
    hash(parse_format(text))
    print(pickle.dumps(parse_format(text)).hex())
else:
    assert {parse_format(text): 1}[pickle.loads(bytes.fromhex(sys.argv[1]))] == 1
"""
    pickled = _run(code, seed="1")
    _run(code, pickled.strip(), seed="2")


def test_nothing_here_imports_xdsl():
    code = """
import sys
import tamale.dialects.format.bounds, tamale.dialects.format.invert
from tamale.dialects.format.named import resolve_format
coo = resolve_format("coo", 3)
coo.properties(2)
print([name for name in ("xdsl", "numpy", "scipy") if name in sys.modules])
"""
    assert _run(code).strip() == "[]"


def _run(code: str, *args: str, seed: str = "0") -> str:
    command = [sys.executable, "-c", code, *args]
    done = subprocess.run(
        command, env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_equality_is_by_value():
    assert Format(CSR.modes, CSR.levels) == CSR
    assert len({Format(CSR.modes, CSR.levels), CSR, CSC}) == 2
