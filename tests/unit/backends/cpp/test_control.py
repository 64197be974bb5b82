"""How loops, choices and variables look, and that they still mean the same."""

from collections.abc import Callable
from typing import Any

import pytest

Cpp = Callable[[str], str]
Load = Callable[..., Any]


def body_of(text: str) -> str:
    """The statements of the only function in `text`."""
    return text[text.index(") {\n") + 4 : text.rindex("  return 0;")]


HEADER = "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"


TWICE = """
  %r1, %r2 = scf.while (%a = %c1) : (index) -> (index, index) {
    %go = arith.cmpi slt, %a, %n : index
    scf.condition(%go) %a, %a : index, index
  } do {
  ^bb0(%a1: index, %a2: index):
    %d = arith.addi %a1, %a2 : index
    scf.yield %d : index
  }
"""
"""Both results are in the variable `a`."""


def function(body: str, parameters: str, result: str = "") -> str:
    arrow = f" -> {result}" if result else ""
    return f"func.func @kernel({parameters}){arrow} {{\n{HEADER}{body}\n}}"


def test_nested_reduction_uses_one_variable(cpp: Cpp):
    """Loop-carried values go on in the variable they are in."""
    program = function(
        """
        %zero = arith.constant 0.0 : f64
        %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
          %row = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> (f64) {
            %v = memref.load %x[%j] : memref<?xf64>
            %more = arith.addf %b, %v : f64
            scf.yield %more : f64
          }
          scf.yield %row : f64
        }
        func.return %sum : f64
        """,
        "%x: memref<?xf64>, %n: index",
        "f64",
    )
    expected = """\
  double a = 0.0;
  for (int64_t i = 0; i < n; i++) {
    for (int64_t j = 0; j < n; j++) {
      a += x[j];
    }
  }
  *sum_out = a;
"""
    assert body_of(cpp(program)) == expected


def test_a_value_used_again_gets_a_copy(cpp: Cpp, load: Load):
    """The first loop's result starts the second one twice, so it must survive the first start."""
    program = function(
        """
        %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c1) -> (index) {
          %d = arith.addi %a, %a : index
          scf.yield %d : index
        }
        %t = scf.for %i = %c0 to %n step %c1 iter_args(%b = %s) -> (index) {
          %d = arith.addi %b, %c1 : index
          scf.yield %d : index
        }
        %u = arith.muli %t, %s : index
        func.return %u : index
        """,
        "%n: index",
        "index",
    )
    assert load(program).call("kernel", [("index", 3)], ["index"]) == [88]
    assert "int64_t b = a;" in cpp(program)


def test_a_start_value_inside_a_loop_is_not_used_up(load: Load):
    """The inner loop starts from `%s` again and again, though the text names it once."""
    program = function(
        """
        %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c1) -> (index) {
          %d = arith.addi %a, %a : index
          scf.yield %d : index
        }
        %t = scf.for %i = %c0 to %n step %c1 iter_args(%total = %c0) -> (index) {
          %inner = scf.for %j = %c0 to %n step %c1 iter_args(%b = %s) -> (index) {
            %d = arith.addi %b, %c1 : index
            scf.yield %d : index
          }
          %more = arith.addi %total, %inner : index
          scf.yield %more : index
        }
        func.return %t : index
        """,
        "%n: index",
        "index",
    )
    assert load(program).call("kernel", [("index", 3)], ["index"]) == [33]


def test_two_results_in_one_variable(load: Load):
    """Both results of the loop are `%a`; the second loop may not change the one still needed."""
    program = function(
        f"""
        {TWICE}
        %t = scf.for %i = %c0 to %n step %c1 iter_args(%b = %r1) -> (index) {{
          %d = arith.addi %b, %c1 : index
          scf.yield %d : index
        }}
        %u = arith.muli %t, %r2 : index
        func.return %u : index
        """,
        "%n: index",
        "index",
    )
    assert load(program).call("kernel", [("index", 3)], ["index"]) == [28]


def test_one_variable_does_not_start_two_others(load: Load):
    program = function(
        f"""
        {TWICE}
        %s, %t = scf.for %i = %c0 to %n step %c1
            iter_args(%b = %r1, %c = %r2) -> (index, index) {{
          %d = arith.addi %i, %c1 : index
          %e = arith.addi %c, %c : index
          scf.yield %d, %e : index, index
        }}
        func.return %s, %t : index, index
        """,
        "%n: index",
        "(index, index)",
    )
    assert load(program).call("kernel", [("index", 3)], ["index", "index"]) == [3, 32]


def test_a_variable_from_outside_is_no_variable_of_the_loop(load: Load):
    """Each turn of the outer loop starts the inner one from `%s` anew."""
    program = function(
        """
        %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c1) -> (index) {
          %d = arith.addi %a, %a : index
          scf.yield %d : index
        }
        %k, %last = scf.while (%i = %c0) : (index) -> (index, index) {
          %go = arith.cmpi slt, %i, %n : index
          scf.condition(%go) %i, %s : index, index
        } do {
        ^bb0(%now: index, %start: index):
          %inner = scf.for %j = %c0 to %n step %c1 iter_args(%b = %start) -> (index) {
            %d = arith.addi %b, %c1 : index
            scf.yield %d : index
          }
          memref.store %inner, %y[%now] : memref<?xindex>
          %next = arith.addi %now, %c1 : index
          scf.yield %next : index
        }
        func.return %last : index
        """,
        "%y: memref<?xindex>, %n: index",
        "index",
    )
    y = [0, 0, 0]
    assert load(program).call("kernel", [("index", y), ("index", 3)], ["index"]) == [8]
    assert y == [11, 11, 11]


def test_a_choice_updates_the_loop_variable(cpp: Cpp):
    program = function(
        """
        %zero = arith.constant 0.0 : f64
        %sum = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> (f64) {
          %v = memref.load %x[%i] : memref<?xf64>
          %positive = arith.cmpf ogt, %v, %zero : f64
          %next = scf.if %positive -> (f64) {
            %more = arith.addf %a, %v : f64
            scf.yield %more : f64
          } else {
            scf.yield %a : f64
          }
          scf.yield %next : f64
        }
        func.return %sum : f64
        """,
        "%x: memref<?xf64>, %n: index",
        "f64",
    )
    assert "    if (v > 0.0) {\n      a += v;\n    }\n" in cpp(program)


def test_a_choice_keeps_the_loop_variable_that_is_read_later(load: Load):
    program = function(
        """
        %a_end, %b_end = scf.for %i = %c0 to %n step %c1
            iter_args(%a = %c1, %b = %c0) -> (index, index) {
          %first = arith.cmpi eq, %i, %c0 : index
          %next = scf.if %first -> (index) {
            %d = arith.addi %a, %a : index
            scf.yield %d : index
          } else {
            %d = arith.addi %a, %c1 : index
            scf.yield %d : index
          }
          %more = arith.addi %b, %a : index
          scf.yield %next, %more : index, index
        }
        func.return %a_end, %b_end : index, index
        """,
        "%n: index",
        "(index, index)",
    )
    assert load(program).call("kernel", [("index", 3)], ["index", "index"]) == [4, 1 + 2 + 3]


def test_values_that_change_places(cpp: Cpp, load: Load):
    program = function(
        """
        %a, %b = scf.for %i = %c0 to %n step %c1 iter_args(%x = %c0, %y = %c1) -> (index, index) {
          scf.yield %y, %x : index, index
        }
        func.return %a, %b : index, index
        """,
        "%n: index",
        "(index, index)",
    )
    assert load(program).call("kernel", [("index", 3)], ["index", "index"]) == [1, 0]
    assert "int64_t old = y;" in cpp(program)


def test_chains_of_choices(cpp: Cpp):
    program = function(
        """
        %less = arith.cmpi slt, %a, %b : index
        scf.if %less {
          memref.store %a, %y[%c0] : memref<?xindex>
        } else {
          %same = arith.cmpi eq, %a, %b : index
          scf.if %same {
            memref.store %b, %y[%c0] : memref<?xindex>
          } else {
            memref.store %c1, %y[%c0] : memref<?xindex>
          }
        }
        func.return
        """,
        "%a: index, %b: index, %y: memref<?xindex>",
    )
    expected = """\
  if (a < b) {
    y[0] = a;
  } else if (a == b) {
    y[0] = b;
  } else {
    y[0] = 1;
  }
"""
    assert body_of(cpp(program)) == expected


def test_an_empty_first_branch_is_turned_round(cpp: Cpp):
    program = function(
        """
        %less = arith.cmpi slt, %a, %b : index
        scf.if %less {
        } else {
          memref.store %a, %y[%c0] : memref<?xindex>
        }
        func.return
        """,
        "%a: index, %b: index, %y: memref<?xindex>",
    )
    assert body_of(cpp(program)) == "  if (a >= b) {\n    y[0] = a;\n  }\n"


def test_a_condition_with_statements_becomes_a_break(cpp: Cpp):
    program = function(
        """
        %p = memref.alloca() : memref<index>
        memref.store %c0, %p[] : memref<index>
        scf.while () : () -> () {
          %old = memref.load %p[] : memref<index>
          %new = arith.addi %old, %c1 : index
          memref.store %new, %p[] : memref<index>
          %more = arith.cmpi slt, %old, %n : index
          scf.condition(%more)
        } do {
          scf.yield
        }
        %end = memref.load %p[] : memref<index>
        func.return %end : index
        """,
        "%n: index",
        "index",
    )
    assert "for (;;) {\n    int64_t old = p;\n    p = old + 1;\n    if (old >= n) break;" in cpp(
        program
    )


@pytest.mark.parametrize(
    "upper, text",
    [
        ("%e = memref.load %pos[%c1] : memref<?xindex>", "i < pos[1]"),
        ("%e = arith.muli %n, %n : index", "int64_t e = n * n;"),
        ("%e = memref.load %y[%c1] : memref<?xindex>", "int64_t e = y[1];"),
    ],
)
def test_bounds_are_constant_and_cheap(upper: str, text: str, cpp: Cpp):
    program = function(
        f"""
        {upper}
        scf.for %i = %c0 to %e step %c1 {{
          memref.store %i, %y[%i] : memref<?xindex>
        }}
        func.return
        """,
        "%pos: memref<?xindex>, %y: memref<?xindex>, %n: index",
    )
    assert text in cpp(program)


def test_names_are_reused_but_never_hidden(cpp: Cpp):
    program = function(
        """
        scf.for %i = %c0 to %n step %c1 {
          memref.store %i, %y[%i] : memref<?xindex>
        }
        scf.for %i = %c0 to %n step %c1 {
          scf.for %i_1 = %c0 to %i step %c1 {
            memref.store %i_1, %y[%i] : memref<?xindex>
          }
        }
        func.return
        """,
        "%y: memref<?xindex>, %n: index",
    )
    text = cpp(program)
    assert text.count("for (int64_t i = 0;") == 2
    assert "for (int64_t i_2 = 0; i_2 < i; i_2++)" in text


def test_what_nobody_reads_is_not_printed(cpp: Cpp):
    program = function(
        """
        %count = memref.alloca() : memref<index>
        memref.store %c0, %count[] : memref<index>
        %unread = scf.for %i = %c0 to %n step %c1 iter_args(%a = %c0) -> (index) {
          %more = arith.addi %a, %i : index
          memref.store %more, %count[] : memref<index>
          scf.yield %more : index
        }
        %product = arith.muli %n, %n : index
        func.return
        """,
        "%n: index",
    )
    text = cpp(program)
    assert body_of(text) == ""
    assert "kernel(int64_t /*n*/)" in text
