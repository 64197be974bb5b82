"""The `-f` flag, in our spelling and in taco's."""

import pytest

from tamale.dialects.errors import FormatError
from tamale.frontend.notation.formats import parse_format_flag


@pytest.mark.parametrize(
    "flag, tensor, format",
    [
        ("A=csr", "A", "csr"),
        (" A = bcsr(2,2) ", "A", "bcsr(2,2)"),
        ("A=(i, j) -> (i : dense, j : dense)", "A", "(i, j) -> (i : dense, j : dense)"),
        ("A:ds", "A", "(i, j) -> (i : dense, j : compressed)"),
        ("A:ds:0,1", "A", "(i, j) -> (i : dense, j : compressed)"),
        ("A:ds:1,0", "A", "(i, j) -> (j : dense, i : compressed)"),
        ("T:sds: 2, 0, 1", "T", "(i, j, k) -> (k : compressed, i : dense, j : compressed)"),
        ("x_1:d", "x_1", "(i) -> (i : dense)"),
        ("A:uq", "A", "(i, j) -> (i : compressed(nonunique), j : singleton)"),
        (
            "T:ucq",
            "T",
            "(i, j, k) -> (i : compressed(nonunique), j : singleton(nonunique), k : singleton)",
        ),
    ],
)
def test_flags(flag: str, tensor: str, format: str):
    assert parse_format_flag(flag) == (tensor, format)


def test_mode_names_never_run_out():
    modes = parse_format_flag("A:" + "d" * 20)[1].partition(" -> ")[0]
    assert modes.endswith("y, z, i1, j1)")
    assert modes.count(",") == 19


@pytest.mark.parametrize(
    "flag, message, help",
    [
        ("csr", "expected a tensor name, '=' and a format", "A=csr or A:ds"),
        ("A=", "expected a tensor name, '=' and a format", "A=csr or A:ds"),
        ("A: ", "expected a tensor name, '=' and a format", "A=csr or A:ds"),
        ("1A=csr", "expected a tensor name, '=' and a format", "A=csr or A:ds"),
        ("", "expected a tensor name, '=' and a format", "A=csr or A:ds"),
        ("A:csr", "'r' is no level of taco's", "any other format is written A=..."),
        ("A:csc", "a singleton ('c') cannot be the first level", "written A=..."),
        ("A:q", "a singleton ('q') cannot be the first level", "written A=..."),
        ("A:dp", "padded singleton 'p' has no equivalent", "A=ell"),
        ("A::0,1", "the levels are missing", "d dense, s compressed,"),
        ("A:ds:", "the mode order '' is no permutation of 0,1", "once each"),
        ("A:ds:0", "the mode order '0' is no permutation of 0,1", "once each"),
        ("A:ds:1,1", "the mode order '1,1' is no permutation of 0,1", "once each"),
        ("A:ds:1,2", "the mode order '1,2' is no permutation of 0,1", "once each"),
        ("A:ds:0,x", "the mode order '0,x' is no permutation of 0,1", "once each"),
        ("A:ds:0,1,x", "the mode order '0,1,x' is no permutation of 0,1", "once each"),
        ("A:ds:0,\u00b2", "is no permutation of 0,1", "once each"),
    ],
)
def test_errors(flag: str, message: str, help: str):
    with pytest.raises(FormatError) as error:
        parse_format_flag(flag)
    first, second = str(error.value).splitlines()
    assert first.startswith("format flag: ")
    assert message in first
    assert first.endswith(f"in  -f {flag}")
    assert second.startswith("  help: ")
    assert help in second
