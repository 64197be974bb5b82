"""Where loads are printed, and how stores look."""

from collections.abc import Callable
from typing import Any

import pytest
from xdsl.utils.exceptions import DiagnosticException

Cpp = Callable[[str], str]
Load = Callable[..., Any]

PARAMETERS = "%x: memref<?xf64>, %y: memref<?xf64>, %i: index, %j: index, %f: f64"


def lines_of(text: str) -> list[str]:
    """The statements of the only function in `text`."""
    body = text[text.index(") {\n") + 4 : text.rindex("  return 0;")]
    return [line.strip() for line in body.splitlines()]


def function(body: str, parameters: str = PARAMETERS) -> str:
    return f"func.func @kernel({parameters}) {{\n{body}\nfunc.return\n}}"


@pytest.mark.parametrize(
    "op, order, statement",
    [
        ("arith.addf", "%old, %f", "y[i] += f;"),
        ("arith.addf", "%f, %old", "y[i] += f;"),
        ("arith.mulf", "%f, %old", "y[i] *= f;"),
        ("arith.subf", "%old, %f", "y[i] -= f;"),
        ("arith.subf", "%f, %old", "y[i] = f - y[i];"),
        ("arith.divf", "%old, %f", "y[i] /= f;"),
    ],
)
def test_updates(op: str, order: str, statement: str, cpp: Cpp):
    program = function(
        f"""
        %old = memref.load %y[%i] : memref<?xf64>
        %new = {op} {order} : f64
        memref.store %new, %y[%i] : memref<?xf64>
        """
    )
    assert lines_of(cpp(program)) == [statement]


def test_another_address_is_no_update(cpp: Cpp):
    program = function(
        """
        %old = memref.load %y[%j] : memref<?xf64>
        %new = arith.addf %old, %f : f64
        memref.store %new, %y[%i] : memref<?xf64>
        """
    )
    assert lines_of(cpp(program)) == ["y[i] = y[j] + f;"]


@pytest.mark.parametrize(
    "step, statement",
    [("addi %p, %one", "p++;"), ("subi %p, %one", "p--;"), ("addi %p, %minus", "p--;")],
)
def test_steps(step: str, statement: str, cpp: Cpp):
    program = function(
        f"""
        %one = arith.constant 1 : index
        %minus = arith.constant -1 : index
        %v = memref.alloca() : memref<index>
        memref.store %i, %v[] : memref<index>
        %p = memref.load %v[] : memref<index>
        %q = arith.{step} : index
        memref.store %q, %v[] : memref<index>
        %last = memref.load %v[] : memref<index>
        memref.store %f, %y[%last] : memref<?xf64>
        """
    )
    assert lines_of(cpp(program)) == ["int64_t v = i;", f"v{statement[1:]}", "y[v] = f;"]


def test_a_load_stays_before_the_store_that_changes_it(cpp: Cpp, load: Load):
    program = function(
        """
        %a = memref.load %y[%i] : memref<?xf64>
        %b = memref.load %y[%j] : memref<?xf64>
        memref.store %b, %y[%i] : memref<?xf64>
        memref.store %a, %y[%j] : memref<?xf64>
        """
    )
    assert lines_of(cpp(program)) == ["double a = y[i];", "y[i] = y[j];", "y[j] = a;"]
    y = [1.0, 2.0]
    arguments = [("f64", [0.0]), ("f64", y), ("index", 0), ("index", 1), ("f64", 0.0)]
    load(program).call("kernel", arguments, [])
    assert y == [2.0, 1.0]


def test_a_load_of_an_argument_that_is_only_read_moves(cpp: Cpp):
    program = function(
        """
        %a = memref.load %x[%i] : memref<?xf64>
        memref.store %f, %y[%i] : memref<?xf64>
        memref.store %a, %y[%j] : memref<?xf64>
        """
    )
    text = cpp(program)
    assert lines_of(text) == ["y[i] = f;", "y[j] = x[i];"]
    assert "const double *__restrict x, double *__restrict y" in text


def test_a_load_does_not_move_into_a_loop(cpp: Cpp):
    program = function(
        """
        %zero = arith.constant 0 : index
        %one = arith.constant 1 : index
        %a = memref.load %x[%i] : memref<?xf64>
        scf.for %k = %zero to %j step %one {
          memref.store %a, %y[%k] : memref<?xf64>
        }
        """
    )
    assert lines_of(cpp(program))[0] == "double a = x[i];"


def test_a_load_moves_into_a_choice(cpp: Cpp):
    program = function(
        """
        %c = arith.cmpi slt, %i, %j : index
        %a = memref.load %x[%i] : memref<?xf64>
        scf.if %c {
          memref.store %a, %y[%j] : memref<?xf64>
        }
        """
    )
    assert lines_of(cpp(program)) == ["if (i < j) {", "y[j] = x[i];", "}"]


def test_arguments_that_escape_are_not_constant(cpp: Cpp):
    program = """
      func.func @kernel(%x: memref<?xf64>) -> (memref<?xf64>) {
        func.return %x : memref<?xf64>
      }
    """
    assert "kernel(double *__restrict x, double **x_out)" in cpp(program)


def test_a_store_through_a_cast_counts(cpp: Cpp):
    program = """
      func.func @kernel(%x: memref<4xf64>, %i: index, %f: f64) {
        %y = "memref.cast"(%x) : (memref<4xf64>) -> memref<?xf64>
        memref.store %f, %y[%i] : memref<?xf64>
        func.return
      }
    """
    text = cpp(program)
    assert "kernel(double *__restrict x," in text
    assert lines_of(text) == ["x[i] = f;"]


def test_rank_zero_arguments_and_local_arrays(cpp: Cpp):
    program = """
      func.func @kernel(%x: memref<f64>, %i: index, %f: f64) {
        %w = memref.alloca() : memref<8xf64>
        memref.store %f, %w[%i] : memref<8xf64>
        %v = memref.load %w[%i] : memref<8xf64>
        memref.store %v, %x[] : memref<f64>
        func.return
      }
    """
    assert lines_of(cpp(program)) == ["double w[8];", "w[i] = f;", "*x = w[i];"]


def test_a_long_expression_gets_names(cpp: Cpp):
    chain = "\n".join(
        f"%total_weight{k + 1} = arith.addf %total_weight{k}, %f : f64" for k in range(30)
    )
    program = function(
        f"%total_weight0 = arith.mulf %f, %f : f64\n{chain}\n"
        "memref.store %total_weight30, %y[%i] : memref<?xf64>"
    )
    lines = lines_of(cpp(program))
    assert len(lines) > 1
    assert all(len(line) <= 100 for line in lines)


@pytest.mark.parametrize(
    "type_, message",
    [
        ("memref<?x?xf64>", "no C\\+\\+ type for 'memref<\\?x\\?xf64>'"),
        ("memref<?xf16>", "no C\\+\\+ type for 'f16'"),
        ("memref<?xf64, strided<[2]>>", "without a layout"),
    ],
)
def test_types_without_a_form(type_: str, message: str, cpp: Cpp):
    with pytest.raises(DiagnosticException, match=message):
        cpp(f"func.func @kernel(%x: {type_}) {{ func.return }}")


def test_local_arrays_of_unknown_size(cpp: Cpp):
    program = function(
        """
        %w = memref.alloca(%i) : memref<?xf64>
        memref.store %f, %w[%j] : memref<?xf64>
        %v = memref.load %w[%j] : memref<?xf64>
        memref.store %v, %y[%i] : memref<?xf64>
        """
    )
    with pytest.raises(DiagnosticException, match="help: use memref.alloc"):
        cpp(program)


BRANCHES = """
        %%zero = arith.constant 0 : index
        %%one = arith.constant 1 : index
        %%c = arith.cmpi slt, %%i, %%j : index
        %%var = memref.alloca() : memref<index>
        memref.store %%zero, %%var[] : memref<index>
        scf.for %%k = %%zero to %%i step %%one {
          %%p = memref.load %%var[] : memref<index>
          memref.store %%f, %%x[%%p] : memref<?xf64>
          scf.if %%c {
            %s
          } else {
            memref.store %%f, %%y[%%p] : memref<?xf64>
          }
          %s
        }
"""
ADVANCE = """
            %next = arith.addi %p, %one : index
            memref.store %next, %var[] : memref<index>
"""


def test_a_branch_may_change_what_it_has_read(cpp: Cpp):
    lines = lines_of(cpp(function(BRANCHES % (ADVANCE, ""))))
    assert lines[3:7] == ["x[var] = f;", "if (c) {", "var++;", "} else {"]
    assert lines[7] == "y[var] = f;"


@pytest.mark.parametrize(
    "in_branch, behind",
    [
        ("memref.store %f, %y[%p] : memref<?xf64>", ""),
        ("", "memref.store %f, %y[%p] : memref<?xf64>"),
    ],
)
def test_what_is_read_after_a_change_is_kept(in_branch: str, behind: str, cpp: Cpp):
    lines = lines_of(cpp(function(BRANCHES % (ADVANCE + in_branch, behind))))
    assert lines[3:6] == ["int64_t p = var;", "x[p] = f;", "if (c) {"]


@pytest.mark.parametrize(
    "hints, arguments", [("read, locality<3>", ""), ("write, locality<1>", ", 1, 1")]
)
def test_prefetches(hints: str, arguments: str, cpp: Cpp):
    program = function(f"memref.prefetch %x[%i], {hints}, data : memref<?xf64>")
    assert lines_of(cpp(program)) == [f"__builtin_prefetch(&x[i]{arguments});"]


def test_what_is_prefetched_stays_an_argument_of_its_own(cpp: Cpp):
    program = function("memref.prefetch %x[%i], read, locality<3>, data : memref<?xf64>")
    assert "const double *__restrict x" in cpp(program)
