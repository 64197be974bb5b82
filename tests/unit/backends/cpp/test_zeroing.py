"""Buffers that a loop fills with zeros come zeroed from the allocator."""

import pytest
from xdsl.context import Context
from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import Builtin
from xdsl.parser import Parser

from tamale.backends.cpp.printer import print_cpp

PROGRAM = """
func.func @make(%n: index, %m: index) -> memref<?xf64> {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %value = arith.constant {value} : f64
  %size = {size} : index
  %buffer = memref.alloc(%size) : memref<?xf64>
  scf.for %p = %{low} to %{high} step %c1 {{
    memref.store %value, %buffer[%{place}] : memref<?xf64>
  }}
  func.return %buffer : memref<?xf64>
}}
"""
ALL = {
    "value": "0.0",
    "size": "arith.maxsi %n, %c1",
    "low": "c0",
    "high": "size",
    "place": "p",
}


def printed(**changes: str) -> str:
    context = Context()
    for dialect in (Builtin, arith.Arith, func.Func, memref.MemRef, scf.Scf):
        context.load_dialect(dialect)
    return print_cpp(Parser(context, PROGRAM.format_map(ALL | changes)).parse_module())


@pytest.mark.parametrize("high", ["size", "n"])
def test_no_loop_where_the_allocator_zeroes(high: str):
    text = printed(high=high)
    assert "= (double *)allocate_zeroed(" in text
    assert "for (" not in text


@pytest.mark.parametrize(
    "changes",
    [{"value": "1.0"}, {"value": "-0.0"}, {"low": "c1"}, {"high": "m"}, {"place": "c0"}],
    ids=str,
)
def test_any_other_loop_stays(changes: dict[str, str]):
    text = printed(**changes)
    assert "= (double *)allocate(" in text
    assert "for (" in text


def test_a_sum_covers_nothing():
    assert "for (" in printed(size="arith.addi %n, %c1", high="n")
