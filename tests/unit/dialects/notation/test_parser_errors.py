"""Every message of the parser, with its place."""

import pytest

from tamale.dialects.errors import NotationError
from tamale.dialects.notation.parser import MAX_DEPTH, parse_notation

# The statement, a line of carets below it, and words of the message and of the help.
CASES = [
    ("y(i) = A(i,) * x(j)", "           ^", "expected an index variable after ','", ""),
    ("y(i) = A(,i)", "         ^", "expected an index variable after '('", ""),
    ("y(i) = A(", "         ^", "expected an index variable after '('", ""),
    ("y(i) = A(i,j", "        ^", "'(' is never closed", ""),
    ("y(i) = A[i,j", "        ^", "'[' is never closed", ""),
    ("y(i) = (a(i) + b(i)", "       ^", "'(' is never closed", ""),
    ("y(i) = max(a, b", "          ^", "'(' is never closed", ""),
    ("y(i) = A(i,j]", "            ^", "'(' is closed by ']'", "write ')'"),
    ("y(i) = A(]", "         ^", "expected an index variable after '('", ""),
    ("y(i) = a(i))", "           ^", "')' closes nothing", ""),
    ("y(i) = A(i j)", "           ^", "expected ',' or ')', got 'j'", ""),
    ("y(i) = A(i = j)", "           ^", "expected ',' or ')', got '='", ""),
    ("y(i) = (a b)", "          ^", "expected an operator or ')', got 'b'", "written with *"),
    ("y = max(a b)", "          ^", "expected an operator, ',' or ')', got 'b'", "with *"),
    ("y = sum(j, 2, b)", "            ^", "expected an operator or ')', got ','", ""),
    ("y(i) = a(i), b", "           ^", "expected an operator or the end of the statement", ""),
    ("y(i) = 3x(i)", "        ^", "end of the statement, got 'x'", "product is written with *"),
    ("y(i) = a (b)(c)", "            ^", "end of the statement, got '('", "written with *"),
    ("y(i) = a(i) * / b", "              ^", "expected an operand after '*', got '/'", ""),
    ("y(i) = a(i)**2", "            ^", "expected an operand after '*'", "a * a"),
    ("y(i) = [a]", "       ^", "expected an operand after '='", "group with parentheses"),
    ("y(i) = ", "      ^", "expected an operand after '=', got the end of the statement", ""),
    ("y(i) = max(, b)", "           ^", "expected an operand after '('", ""),
    ("y(i) = +a", "       ^", "expected an operand after '=', got '+'", ""),
    ("y(i)", "    ^", "expected '=' after 'y(i)', got the end of the statement", "left side"),
    ("y(i) a(i)", "     ^", "expected '=' after 'y(i)', got 'a'", "left side is one access"),
    ("y(i) * 2 = a", "     ^", "expected '=' after 'y(i)', got '*'", "left side is one access"),
    ("y == a", "   ^", "unexpected '='", "one '='"),
    ("y = a = b", "      ^", "unexpected '='", "one '='"),
    ("y = a += b", "      ^^", "unexpected '+='", "one '='"),
    ("y = (a = b)", "       ^", "unexpected '='", "one '='"),
    ("2 = a", "^", "expected the name of the result, got '2'", ""),
    ("y(i) -= a", "     ^^", "'-=' is no reduction", "write  y(i) = y(i) - (...)"),
    ("y(i) /= a", "     ^^", "'/=' is no reduction", "write  y(i) = y(i) / (...)"),
    ("y abs= a", "  ^^^", "operator 'abs' cannot reduce", "associative"),
    ("y sub= a", "  ^^^", "operator 'sub' cannot reduce", "associative"),
    ("y plus= a", "  ^^^^", "unknown operator 'plus'", "declared operators: abs, add, and,"),
    ("y = foo(A(i,j))", "    ^^^", "unknown operator 'foo'", "declared operators: abs, add"),
    ("y = maxx(A(i), b)", "    ^^^^", "unknown operator 'maxx'", "did you mean 'max'?"),
    ("y = A(B(i))", "    ^", "unknown operator 'A'", "declared operators"),
    ("y = A(1)", "      ^", "expected an index variable after '(', got '1'", "'A' is no declared"),
    ("y = A(i,-j)", "        ^", "expected an index variable after ',', got '-'", "'A' is no"),
    ("y = A(i+1)", "       ^", "unexpected '+' after an index variable", "'A' is no declared"),
    ("y = A(sum)", "      ^^^", "'sum' is a keyword and cannot name an index variable", "another"),
    ("y = A(max)", "      ^^^", "'max' is an operator and cannot name an index variable", ""),
    ("sum(i) = b", "^^^", "'sum' is a keyword and cannot name a tensor", "another name"),
    ("true = b", "^^^^", "'true' is a keyword and cannot name a tensor", "another name"),
    ("max(i) = b", "^^^", "'max' is an operator and cannot name a tensor", "another name"),
    ("y = abs", "    ^^^", "'abs' needs its arguments in parentheses", "write abs(a);"),
    ("y = max[i,j]", "    ^^^", "'max' needs its arguments in parentheses", "write max(a, b);"),
    ("y = sum", "    ^^^", "'sum' needs its arguments in parentheses", "write sum(j, ...);"),
    ("y = max(a, b, c)", "    ^^^^^^^^^^^^", "'max' takes 2 arguments, got 3", "max(a, b)"),
    ("y = 2 * abs(a,b)", "        ^^^^^^^^", "operator 'abs' takes 1 argument, got 2", "abs(a)"),
    ("y = max()", "    ^^^^^", "operator 'max' takes 2 arguments, got 0", "write max(a, b)"),
    ("y = sum(A(i,j))", "        ^", "'sum' needs its index variables", "write sum(j, ...)"),
    ("y = sum(j)", "        ^", "'sum' needs its index variables", "write sum(j, ...)"),
    ("y = sum((j,k))", "             ^", "expected ',' after ')', got ')'", "write sum(j, ...)"),
    ("y = sum((A(i)), b)", "          ^", "unexpected '(' after an index variable", "'sum' st"),
    ("y = sum((i,2), b)", "           ^", "expected an index variable after ','", "'sum' starts"),
    ("y = reduce(max j, b)", "               ^", "expected ',' after 'max'", "reduce(max, j,"),
    ("y = reduce(div, j, b)", "           ^^^", "operator 'div' cannot reduce", "associative"),
    ("y unless= a", "  ^^^^^^", "operator 'unless' cannot reduce", "commutative"),
    ("y = reduce(j, b(j))", "           ^", "unknown operator 'j'", "declared operators"),
    ("y = 18446744073709551616", "    " + "^" * 20, "does not fit in 64 bits", "'.0'"),
    ("y = -9223372036854775809", "     " + "^" * 19, "does not fit in 64 bits", "'.0'"),
    ("y = 1e999", "    ^^^^^", "does not fit in a 64-bit float", "write inf"),
    ("y = 1e999j", "    ^^^^^^", "does not fit in a 64-bit float", "write inf"),
]


@pytest.mark.parametrize("text, carets, message, help", CASES, ids=[case[0] for case in CASES])
def test_message_place_and_help(text: str, carets: str, message: str, help: str):
    with pytest.raises(NotationError) as error:
        parse_notation(text)
    first, line, marks, *rest = str(error.value).splitlines()
    assert first.startswith("notation: ")
    assert message in first
    assert line == "  " + text
    assert marks == "  " + carets
    assert bool(rest) == bool(help) or (rest and not help)
    assert help in "".join(rest)


@pytest.mark.parametrize("text", ["", "  \n\t "])
def test_an_empty_statement(text: str):
    with pytest.raises(NotationError, match="(?s)the statement is empty\n  help: write  y"):
        parse_notation(text)


def test_an_operator_of_three_arguments_cannot_reduce():
    with pytest.raises(NotationError, match="operator 'clamp' cannot reduce"):
        parse_notation("y clamp= a", {"clamp": 3})


def test_something_else_than_a_string():
    with pytest.raises(NotationError, match="expected a string, got a list"):
        parse_notation(["y = a"])  # pyright: ignore[reportArgumentType]


def test_thousands_of_digits_are_refused_before_python_converts_them():
    with pytest.raises(NotationError, match="does not fit in 64 bits"):
        parse_notation("y = " + "9" * 5000)


@pytest.mark.parametrize(
    "text",
    [
        "+".join(["a"] * (MAX_DEPTH + 1)),
        "+".join(["a"] * 5000),
        "*".join(["a"] * 5000),
        "(" * 5000 + "a" + ")" * 5000,
        "-" * 5000 + "a",
        "(" * 5000,
        "abs(" * MAX_DEPTH + "a" + ")" * MAX_DEPTH,
        "a-(" * 5000,
        "sum(j," * 5000,
        # Neither half is too deep by itself.
        "(" + "+".join(["a"] * 60) + ")" + "*a" * 60,
    ],
    ids=range(10),
)
def test_deep_statements_are_refused(text: str):
    with pytest.raises(NotationError, match="more than 100 operations or brackets are nested"):
        parse_notation(f"y = {text}")
