"""Parentheses and casts: where C++ needs them, and nowhere else."""

from collections.abc import Callable

import pytest

Cpp = Callable[[str], str]

PARAMETERS = (
    "%a: index, %b: index, %c: index, %p: i1, %q: i1, %r: i1, %m: i32, %n: i32, %x: f64, %y: f64, "
    "%z: f64, %s: i8, %f: f32"
)


@pytest.fixture
def printed(cpp: Cpp) -> Callable[[str, str], str]:
    """The text of the value `%out` that some ops compute."""

    def print_value(ops: str, type_: str) -> str:
        text = cpp(
            f"func.func @kernel({PARAMETERS}) -> {type_} {{\n{ops}\nfunc.return %out : {type_}\n}}"
        )
        start = text.index("*out_out = ") + len("*out_out = ")
        return text[start : text.index(";\n", start)]

    return print_value


@pytest.mark.parametrize(
    "first, second, text",
    [
        ("addi %a, %b", "muli %t, %c", "(a + b) * c"),
        ("muli %a, %b", "addi %t, %c", "a * b + c"),
        ("addi %a, %b", "subi %c, %t", "c - (a + b)"),
        ("subi %a, %b", "addi %t, %c", "a - b + c"),
        ("addi %a, %b", "andi %t, %c", "(a + b) & c"),
        ("andi %a, %b", "ori %t, %c", "(a & b) | c"),
        ("divsi %a, %b", "divsi %c, %t", "c / (a / b)"),
        ("minsi %a, %b", "addi %t, %c", "(a < b ? a : b) + c"),
        ("shrui %a, %b", "addi %t, %c", "(int64_t)((uint64_t)a >> b) + c"),
    ],
)
def test_parentheses(first: str, second: str, text: str, printed: Callable[[str, str], str]):
    ops = f"%t = arith.{first} : index\n%out = arith.{second} : index"
    assert printed(ops, "index") == text


@pytest.mark.parametrize(
    "ops, text",
    [
        ("%t = arith.andi %p, %q : i1\n%out = arith.ori %t, %r : i1", "(p && q) || r"),
        ("%t = arith.ori %p, %q : i1\n%out = arith.andi %t, %r : i1", "(p || q) && r"),
        ("%t = arith.andi %p, %q : i1\n%out = arith.andi %t, %r : i1", "p && q && r"),
        ("%t = arith.cmpi slt, %a, %b : index\n%out = arith.andi %t, %r : i1", "a < b && r"),
        ("%t = arith.cmpi slt, %a, %b : index\n%out = arith.xori %t, %r : i1", "(a < b) != r"),
        ("%t = arith.constant true\n%out = arith.xori %p, %t : i1", "!p"),
        ("%out = arith.cmpf ugt, %x, %y : f64", "!(x <= y)"),
        ("%out = arith.cmpf une, %x, %y : f64", "x != y"),
        ("%out = arith.cmpf one, %x, %y : f64", "__builtin_islessgreater(x, y)"),
    ],
)
def test_conditions(ops: str, text: str, printed: Callable[[str, str], str]):
    assert printed(ops, "i1") == text


def test_the_negation_of_a_comparison_is_a_comparison(printed: Callable[[str, str], str]):
    ops = """
      %t = arith.cmpi slt, %a, %b : index
      %true = arith.constant true
      %out = arith.xori %t, %true : i1
    """
    assert printed(ops, "i1") == "a >= b"


def test_signs(printed: Callable[[str, str], str]):
    assert printed("%t = arith.negf %x : f64\n%out = arith.negf %t : f64", "f64") == "-(-x)"
    ops = "%t = arith.constant -3 : index\n%out = arith.addi %a, %t : index"
    assert printed(ops, "index") == "a - 3"
    ops = "%t = arith.constant 0 : index\n%out = arith.subi %t, %a : index"
    assert printed(ops, "index") == "-a"


@pytest.mark.parametrize(
    "ops, type_, text",
    [
        # Where the result is stored, C++ narrows by itself.
        ("%out = arith.index_cast %a : index to i32", "i32", "a"),
        ("%t = arith.index_cast %a : index to i32\n%out = arith.addi %t, %n : i32", "i32",
         "(int32_t)a + n"),
        # A wider operand widens the other one; two narrow ones need help.
        ("%t = arith.index_cast %m : i32 to index\n%out = arith.addi %t, %a : index", "index",
         "m + a"),
        ("%t = arith.index_cast %m : i32 to index\n%u = arith.index_cast %n : i32 to index\n"
         "%out = arith.muli %t, %u : index", "index", "(int64_t)m * n"),
        ("%t = arith.index_cast %m : i32 to index\n%u = arith.index_cast %n : i32 to index\n"
         "%out = arith.cmpi slt, %t, %u : index", "i1", "m < n"),
        # Small integers are computed as int.
        ("%t = arith.addi %s, %s : i8\n%out = arith.cmpi slt, %t, %s : i8", "i1",
         "(int8_t)(s + s) < s"),
        ("%t = arith.extui %p : i1 to i32\n%out = arith.addi %m, %t : i32", "i32", "m + p"),
        ("%t = arith.extf %f : f32 to f64\n%out = arith.mulf %t, %t : f64", "f64",
         "(double)f * f"),
        ("%t = arith.truncf %x : f64 to f32\n%out = arith.addf %t, %f : f32", "f32",
         "(float)x + f"),
    ],
)  # fmt: skip
def test_casts(ops: str, type_: str, text: str, printed: Callable[[str, str], str]):
    assert printed(ops, type_) == text
