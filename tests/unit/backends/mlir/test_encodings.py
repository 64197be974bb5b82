"""What `export-formats` prints is what MLIR prints; what it refuses, MLIR cannot read."""

import re

import pytest
from mlir_tools import find_tool, run_tool

from tamale.dialects.errors import FormatError
from tamale.dialects.format.named import resolve_format
from tamale.dialects.sparse_tensor.formats import encoding_of_format, format_of_encoding
from tamale.dialects.sparse_tensor.parsing import parse_encoding

EXPRESSIBLE = {
    "csr": 2,
    "csc, pos = i64": 2,
    "dcsr, crd = i64": 2,
    "dcsc": 2,
    "bcsr(2, 3)": 2,
    "bcsc(4, 2)": 2,
    "dense(1, 0)": 2,
    "coo": 3,
    "ucoo": 3,
    "csf(2, 0, 1)": 3,
}
REFUSED = {
    "dia": "MLIR does not find the modes again",
    "ell": "MLIR does not find the modes again",
    "sell(2)": "MLIR does not find the modes again",
    "jad": "MLIR does not find the modes again",
    "hicoo(2)": "MLIR does not find the modes again",
    "skyline": "no level type like 'banded'",
    "dok": "no level type like 'hashed'",
    "bitmap": "no level type like 'bitmap'",
}


@pytest.mark.parametrize("name", EXPRESSIBLE)
def test_a_format_comes_back_from_its_encoding(name: str):
    format = resolve_format(name, EXPRESSIBLE[name])
    encoding = encoding_of_format(format)
    assert format_of_encoding(encoding) == format.canonical()
    assert parse_encoding(str(encoding)) == encoding


@pytest.mark.skipif(
    find_tool("mlir-opt") is None, reason="needs mlir-opt, such as that of Debian's mlir-19-tools"
)
@pytest.mark.parametrize("name", EXPRESSIBLE)
def test_mlir_prints_our_encodings(name: str):
    order = EXPRESSIBLE[name]
    encoding = f"#sparse_tensor.encoding<{encoding_of_format(resolve_format(name, order))}>"
    type = f"tensor<{'?x' * order}f64, {encoding}>"
    printed = run_tool("mlir-opt", text=f"func.func private @f({type})")
    assert re.findall(r"= (#sparse_tensor\..*)", printed) == [encoding]


@pytest.mark.parametrize("name", REFUSED)
def test_what_mlir_cannot_say_is_refused(name: str):
    format = resolve_format(name, 2)
    with pytest.raises(FormatError) as refusal:
        encoding_of_format(format)
    assert REFUSED[name] in str(refusal.value)
    assert f"'{format}' has no encoding" in str(refusal.value)
