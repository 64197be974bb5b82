"""The C++ form of each op, by its result."""

import cmath
import math
import random
import struct
from collections.abc import Callable
from typing import Any

import pytest

Cpp = Callable[[str], str]
Load = Callable[..., Any]


def single(value: float) -> float:
    """`value` rounded to 32 bits."""
    return struct.unpack("f", struct.pack("f", value))[0]


def unary(name: str, op: str, source: str, target: str, types: str | None = None) -> str:
    return (
        f"func.func @{name}(%a: {source}) -> {target} {{\n"
        f"%r = {op} %a : {types or source}\nfunc.return %r : {target}\n}}\n"
    )


FUNCTIONS: dict[str, Callable[[float], float]] = {
    "absf": abs,
    "acos": math.acos,
    "asin": math.asin,
    "asinh": math.asinh,
    "atan": math.atan,
    "atanh": math.atanh,
    "cbrt": math.cbrt,
    "ceil": math.ceil,
    "cos": math.cos,
    "cosh": math.cosh,
    "erf": math.erf,
    "exp": math.exp,
    "exp2": math.exp2,
    "expm1": math.expm1,
    "floor": math.floor,
    "log": math.log,
    "log10": math.log10,
    "log1p": math.log1p,
    "log2": math.log2,
    "round": lambda x: math.floor(x + 0.5),
    "roundeven": round,
    "rsqrt": lambda x: 1 / math.sqrt(x),
    "sin": math.sin,
    "sinh": math.sinh,
    "sqrt": math.sqrt,
    "tan": math.tan,
    "tanh": math.tanh,
    "trunc": math.trunc,
}


def test_math_functions(load: Load):
    names = {f"k_{name}_{t}": (name, t) for name in FUNCTIONS for t in ("f64", "f32")}
    library = load("".join(unary(n, f"math.{f}", t, t) for n, (f, t) in names.items()))
    for name, (function, type_) in names.items():
        x = single(0.375)
        (result,) = library.call(name, [(type_, x)], [type_])
        tolerance = 1e-12 if type_ == "f64" else 1e-6
        assert result == pytest.approx(FUNCTIONS[function](x), rel=tolerance), name


def test_functions_of_several_numbers(load: Load):
    program = """
      func.func @kernel(%a: f64, %b: f64, %n: i32, %s: f32)
          -> (f64, f64, f64, f64, f64, f32) {
        %r0 = math.atan2 %a, %b : f64
        %r1 = math.copysign %a, %b : f64
        %r2 = math.powf %a, %b : f64
        %r3 = math.fma %a, %b, %a : f64
        %r4 = math.fpowi %a, %n : f64, i32
        %r5 = math.powf %s, %s : f32
        func.return %r0, %r1, %r2, %r3, %r4, %r5 : f64, f64, f64, f64, f64, f32
      }
    """
    inputs = [("f64", 1.5), ("f64", -2.0), ("i32", 3), ("f32", 2.0)]
    results = load(program).call("kernel", inputs, ["f64"] * 5 + ["f32"])
    assert results == [math.atan2(1.5, -2.0), -1.5, 1.5**-2.0, -1.5, 1.5**3, 4.0]


def test_a_function_of_a_widened_number_computes_in_double(load: Load):
    program = """
      func.func @kernel(%a: f32) -> f64 {
        %wide = arith.extf %a : f32 to f64
        %r = math.exp %wide : f64
        func.return %r : f64
      }
    """
    assert load(program).call("kernel", [("f32", 1.0)], ["f64"]) == [math.exp(1.0)]


BITS = """
func.func @kernel(%a: i64, %b: i32, %c: i8) -> (i64, i64, i64, i32, i32, i32, i8, i8, i8) {
  %r0 = math.ctpop %a : i64
  %r1 = math.ctlz %a : i64
  %r2 = math.cttz %a : i64
  %r3 = math.ctpop %b : i32
  %r4 = math.ctlz %b : i32
  %r5 = math.cttz %b : i32
  %r6 = math.ctpop %c : i8
  %r7 = math.ctlz %c : i8
  %r8 = math.cttz %c : i8
  func.return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %r8
    : i64, i64, i64, i32, i32, i32, i8, i8, i8
}
"""


@pytest.mark.parametrize("a, b, c", [(0, 0, 0), (-1, -1, -1), (40, 1, 64), (-(2**63), 96, -128)])
def test_bit_counts(a: int, b: int, c: int, load: Load):
    outputs = ["i64"] * 3 + ["i32"] * 3 + ["i8"] * 3
    inputs = [("i64", a), ("i32", b), ("i8", c)]
    expected: list[int] = []
    for value, bits in ((a, 64), (b, 32), (c, 8)):
        digits = f"{value % 2**bits:0{bits}b}"
        leading, trailing = len(digits.split("1")[0]), len(digits.split("1")[-1])
        expected += [digits.count("1"), leading, trailing]
    assert load(BITS).call("kernel", inputs, outputs) == expected


CONVERSIONS = """
func.func @kernel(%f: f64, %i: i32, %s: f32) -> (i64, i8, i64, i32, i64, i32) {
  %r0 = arith.fptosi %f : f64 to i64
  %r1 = arith.fptosi %f : f64 to i8
  %r2 = arith.fptoui %f : f64 to i64
  %r3 = math.absi %i : i32
  %r4 = arith.bitcast %f : f64 to i64
  %r5 = arith.bitcast %s : f32 to i32
  func.return %r0, %r1, %r2, %r3, %r4, %r5 : i64, i8, i64, i32, i64, i32
}
"""


def test_conversions_of_floats(load: Load):
    inputs = [("f64", 99.75), ("i32", -7), ("f32", 1.5)]
    results = load(CONVERSIONS).call("kernel", inputs, ["i64", "i8", "i64", "i32", "i64", "i32"])
    bits = struct.unpack("q", struct.pack("d", 99.75))[0]
    assert results == [99, 99, 99, 7, bits, struct.unpack("i", struct.pack("f", 1.5))[0]]


FLOAT_CONSTANTS = (0.0, -0.0, 0.1, 1.0, 1e-3, 3e10, 1e300, -2.5, math.inf, -math.inf, math.nan)


def test_float_constants_read_back(load: Load):
    source = random.Random(1)
    values = [*FLOAT_CONSTANTS, *(source.uniform(-1, 1) * 10.0**k for k in range(-30, 30))]
    bits = {f"k{i}": struct.unpack("Q", struct.pack("d", v))[0] for i, v in enumerate(values)}
    short = {f"s{i}": struct.unpack("I", struct.pack("f", v))[0] for i, v in enumerate(values)
             if math.isnan(v) or math.isinf(v) or abs(v) < 1e38}  # fmt: skip
    text = "%r = arith.constant {:#x} : {}\nfunc.return %r : {}\n"
    functions = [(n, text.format(b, "f64", "f64"), "f64") for n, b in bits.items()]
    functions += [(n, text.format(b, "f32", "f32"), "f32") for n, b in short.items()]
    library = load("".join(f"func.func @{n}() -> {t} {{\n{b}}}\n" for n, b, t in functions))
    for name, _, type_ in functions:
        (result,) = library.call(name, [], [type_])
        value = values[int(name[1:])]
        assert repr(result) == repr(single(value) if type_ == "f32" else value)


def test_integer_constants(load: Load, cpp: Cpp):
    values = [0, -1, 2**31, -(2**31), 2**31 - 1, 2**63 - 1, -(2**63), 10**12]
    text = "func.func @k{}() -> i64 {{\n%r = arith.constant {} : i64\nfunc.return %r : i64\n}}\n"
    program = "".join(text.format(i, value) for i, value in enumerate(values))
    library = load(program)
    assert [library.call(f"k{i}", [], ["i64"]) for i in range(8)] == [[value] for value in values]
    assert "= INT64_MIN;" in cpp(program)


COMPLEX_OPS: dict[str, Callable[[complex, complex], complex]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "pow": lambda a, b: a**b,
}
COMPLEX_FUNCTIONS: dict[str, Callable[[complex], complex]] = {
    "neg": lambda a: -a,
    "conj": lambda a: a.conjugate(),
    "exp": cmath.exp,
    "log": cmath.log,
    "sqrt": cmath.sqrt,
    "sin": cmath.sin,
    "cos": cmath.cos,
    "tan": cmath.tan,
    "tanh": cmath.tanh,
}


def complex_function(name: str, op: str, operands: str, type_: str) -> str:
    number = f"complex<{type_}>"
    return f"""
    func.func @{name}(%ar: {type_}, %ai: {type_}, %br: {type_}, %bi: {type_})
        -> ({type_}, {type_}) {{
      %a = complex.create %ar, %ai : {number}
      %b = complex.create %br, %bi : {number}
      %r = complex.{op} {operands} : {number}
      %re = complex.re %r : {number}
      %im = complex.im %r : {number}
      func.return %re, %im : {type_}, {type_}
    }}
    """


@pytest.mark.parametrize("type_", ["f64", "f32"])
def test_complex_arithmetic(type_: str, load: Load):
    program = "".join(complex_function(f"k_{op}", op, "%a, %b", type_) for op in COMPLEX_OPS)
    program += "".join(complex_function(f"k_{f}", f, "%a", type_) for f in COMPLEX_FUNCTIONS)
    library, a, b = load(program), 1.25 - 0.5j, 0.75 + 2.0j
    inputs = [(type_, part) for part in (a.real, a.imag, b.real, b.imag)]
    expected = {op: function(a, b) for op, function in COMPLEX_OPS.items()}
    expected |= {name: function(a) for name, function in COMPLEX_FUNCTIONS.items()}
    for name, value in expected.items():
        result = complex(*library.call(f"k_{name}", inputs, [type_] * 2))
        assert abs(result - value) < 1e-5, name


def test_other_complex_ops(load: Load):
    program = """
      func.func @kernel(%x: f64, %y: f64) -> (f64, f64, i1, i1, f64) {
        %z = complex.create %x, %y : complex<f64>
        %c = complex.constant [3.0 : f64, 4.0 : f64] : complex<f64>
        %r0 = complex.abs %z : complex<f64>
        %r1 = complex.angle %z : complex<f64>
        %r2 = complex.eq %z, %c : complex<f64>
        %r3 = complex.neq %z, %c : complex<f64>
        %s = arith.select %r2, %z, %c : complex<f64>
        %p = complex.mul %s, %c : complex<f64>
        %r4 = complex.im %p : complex<f64>
        func.return %r0, %r1, %r2, %r3, %r4 : f64, f64, i1, i1, f64
      }
    """
    results = load(program).call(
        "kernel", [("f64", 3.0), ("f64", 4.0)], ["f64", "f64", "i1", "i1", "f64"]
    )
    assert results == [5.0, cmath.phase(3 + 4j), True, False, 24.0]


def test_complex_arrays(cpp: Cpp):
    program = """
      func.func @kernel(%x: memref<?xcomplex<f32>>, %i: index) {
        %v = memref.load %x[%i] : memref<?xcomplex<f32>>
        %w = complex.mul %v, %v : complex<f32>
        memref.store %w, %x[%i] : memref<?xcomplex<f32>>
        func.return
      }
    """
    assert "float _Complex *__restrict x" in cpp(program)


def test_comparisons_that_are_always_the_same_raise_no_warning(load: Load):
    """`-Wall -Wextra -Werror` would refuse `a != a` and `(uint64_t)a < 0`."""
    program = """
      func.func @kernel(%a: index, %c: i1) -> (i1, i1, i1, i1) {
        %zero = arith.constant 0 : index
        %b = arith.addi %a, %a : index
        %r0 = arith.cmpi ne, %b, %b : index
        %r1 = arith.cmpi ult, %b, %zero : index
        %r2 = arith.cmpi uge, %b, %zero : index
        %r3 = arith.xori %c, %c : i1
        func.return %r0, %r1, %r2, %r3 : i1, i1, i1, i1
      }
    """
    results = load(program).call("kernel", [("index", 3), ("i1", True)], ["i1"] * 4)
    assert results == [False, False, True, False]
