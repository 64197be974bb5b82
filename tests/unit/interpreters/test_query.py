"""Queries store what the table of `dialects/query/select.py` says."""

from typing import Any

import numpy as np
import pytest
from xdsl.parser import Parser

from tamale.dialects import tamale_context
from tamale.dialects.format.named import resolve_format
from tamale.frontend.interop import tensor
from tamale.frontend.tensor import Tensor
from tamale.interpreters.running import ResultType, run_function

MATRIX = np.array([[0.0, 3.0, 0.0, 5.0], [0.0, 0.0, 0.0, 0.0], [7.0, 0.0, 0.0, 0.0]])
CSR = "tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>"


def select(query: str, remapping: str, order: int) -> Any:
    """The result of a query of the matrix."""
    result = f"tensor<{'?x' * order}i64>"
    text = f"""
func.func @f(%A: {CSR}) -> {result} {{
  %q = query.select "{query}" of %A remapped {remapping} : {CSR} -> {result}
  func.return %q : {result}
}}"""
    module = Parser(tamale_context(), text).parse_module()
    operand = tensor(MATRIX, resolve_format("csr", 2))
    kind = ResultType(resolve_format("dense", order), np.dtype(np.int64))
    outcome = run_function(module, [operand], kind)
    assert isinstance(outcome, Tensor)
    return outcome.to_numpy().tolist()


@pytest.mark.parametrize(
    "query, remapping, order, expected",
    [
        ("select [i] -> count(j) as n", "(i, j) -> (i, j)", 1, [2, 0, 1]),
        ("select [] -> count(i) as n", "(i, j) -> (i, j)", 0, 2),
        ("select [j] -> id() as n", "(i, j) -> (i, j)", 1, [1, 1, 0, 1]),
        ("select [i] -> max(j) as n", "(i, j) -> (i, j)", 1, [4, 0, 1]),
        ("select [i] -> min(j) as n", "(i, j) -> (i, j)", 1, [3, 0, 4]),
        ("select [] -> max(k) as n", "(i, j) -> (k = #i, i, j)", 0, 2),
        ("select [k] -> id() as n", "(i, j) -> (k = j - i, i, j)", 1, [1, 0, 0, 1, 0, 1]),
    ],
)
def test_results(query: str, remapping: str, order: int, expected: Any):
    assert select(query, remapping, order) == expected
