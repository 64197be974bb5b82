"""Whole modules: names, signatures, includes, and what has no C++ form."""

import subprocess
import sys
from collections.abc import Callable
from io import StringIO

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import DiagnosticException

from tamale.backends import get_all_targets
from tamale.backends.cpp.names import Scopes, identifier_from
from tamale.backends.cpp.printer import print_cpp
from tamale.backends.cpp.status import STATUS_MESSAGES, status_of
from tamale.dialects import tamale_context

Cpp = Callable[[str], str]

DOT = """
func.func @dot(%A_pos: memref<?xi32>, %A_crd: memref<?xi32>, %A_vals: memref<?xf64>,
               %n: index, %x: memref<?xf64>) -> f64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %begin = memref.load %A_pos[%c0] : memref<?xi32>
  %end = memref.load %A_pos[%c1] : memref<?xi32>
  %sum = memref.alloca() : memref<f64>
  %zero = arith.constant 0.0 : f64
  memref.store %zero, %sum[] : memref<f64>
  %lower = arith.index_cast %begin : i32 to index
  %upper = arith.index_cast %end : i32 to index
  scf.for %pA = %lower to %upper step %c1 {
    %crd = memref.load %A_crd[%pA] : memref<?xi32>
    %j = arith.index_cast %crd : i32 to index
    %a = memref.load %A_vals[%pA] : memref<?xf64>
    %b = memref.load %x[%j] : memref<?xf64>
    %m = arith.mulf %a, %b : f64
    %s = memref.load %sum[] : memref<f64>
    %t = arith.addf %s, %m : f64
    memref.store %t, %sum[] : memref<f64>
  }
  %result = memref.load %sum[] : memref<f64>
  func.return %result : f64
}
"""

DOT_CPP = """\
#include <stdint.h>

extern "C" int32_t dot(
    const int32_t *__restrict A_pos, const int32_t *__restrict A_crd,
    const double *__restrict A_vals, int64_t /*n*/, const double *__restrict x,
    double *result_out) {
  double sum = 0.0;
  for (int64_t pA = A_pos[0]; pA < A_pos[1]; pA++) {
    sum += A_vals[pA] * x[A_crd[pA]];
  }
  *result_out = sum;
  return 0;
}
"""


def test_the_whole_text(cpp: Cpp):
    assert cpp(DOT) == DOT_CPP


def test_the_same_module_gives_the_same_text(parse: Callable[[str], ModuleOp]):
    module = parse(DOT)
    assert print_cpp(module) == print_cpp(module) == print_cpp(module.clone())


def test_the_target(parse: Callable[[str], ModuleOp]):
    stream = StringIO()
    get_all_targets()["cpp"]()().emit(tamale_context(), parse(DOT), stream)
    assert stream.getvalue() == DOT_CPP


def test_headers_are_included_where_needed(cpp: Cpp):
    program = """
      func.func @kernel(%x: f64) -> (f64) {
        %r = math.exp %x : f64
        func.return %r : f64
      }
    """
    assert cpp(program).startswith("#include <math.h>\n#include <stdint.h>\n\nextern")


def test_helpers_are_printed_once(cpp: Cpp):
    text = "func.func @k{}(%a: i32) -> i32 {{\n%r = arith.floordivsi %a, %a : i32\n"
    program = "".join(f"{text.format(i)}func.return %r : i32\n}}\n" for i in range(2))
    assert cpp(program).count("static inline int32_t floor_div_i32(") == 1


@pytest.mark.parametrize(
    "hint, name",
    [
        ("A2_pos", "A2_pos"),
        ("double", "double_"),
        ("x.y-z", "x_y_z"),
        ("_Reserved", "Reserved"),
        ("a__b", "a_b"),
        ("NULL", "NULL_"),
        ("INT32_MAX", "INT32_MAX_"),
        ("int64_t", "int64_t_"),
        ("expf", "expf_"),
        ("floor_div_i64", "floor_div_i64_"),
        ("allocate", "allocate_"),
        ("$", "t"),
        ("_1", "t1"),
        (None, "t"),
    ],
)
def test_identifiers(hint: str | None, name: str):
    assert identifier_from(hint) == name


def test_scopes():
    scopes = Scopes()
    assert [scopes.declare("i"), scopes.declare("i")] == ["i", "i_2"]
    with scopes.nested():
        assert [scopes.declare("i"), scopes.declare("j")] == ["i_3", "j"]
    assert scopes.declare("j") == "j"


def test_results_with_equal_names(cpp: Cpp):
    program = "func.func @kernel(%r: index) -> (index, index) { func.return %r, %r : index, index }"
    assert "int64_t *r_out, int64_t *r_out_2" in cpp(program)


@pytest.mark.parametrize(
    "program, message",
    [
        (
            "func.func @kernel(%x: memref<?xf64>) -> index {\n%c0 = arith.constant 0 : index\n"
            "%n = memref.dim %x, %c0 : memref<?xf64>\nfunc.return %n : index\n}",
            "cpp: no C\\+\\+ form for 'memref.dim'",
        ),
        ("func.func @double() { func.return }", "cannot be called 'double' in C\\+\\+"),
        ('func.func @"a-b"() { func.return }', "cannot be called 'a-b' in C\\+\\+"),
        ("func.func private @kernel()", "function 'kernel' has 0 blocks"),
        ('"test.op"() : () -> ()', "'test.op' at the top of a module"),
        (
            "func.func @kernel() {\ncf.br ^end\n^end:\nfunc.return\n}",
            "function 'kernel' has 2 blocks",
        ),
    ],
)
def test_what_has_no_form(program: str, message: str, cpp: Cpp):
    with pytest.raises(DiagnosticException, match=message):
        cpp(program)


def test_status_codes():
    assert [status_of(message) for message in STATUS_MESSAGES.values()] == list(STATUS_MESSAGES)
    assert status_of("never heard of") == 99
    assert STATUS_MESSAGES[1] == "out of memory"


@pytest.mark.parametrize("module", ["status", "flags"])
def test_what_callers_need_comes_without_xdsl(module: str):
    code = f"import sys, tamale.backends.cpp.{module}; print('xdsl' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout == "False\n"
