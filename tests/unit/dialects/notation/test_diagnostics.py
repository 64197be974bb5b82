"""How a message shows its place."""

from tamale.dialects.notation.ast import NO_SPAN
from tamale.dialects.notation.diagnostics import WIDTH, Problem, error_at, report


def test_the_whole_message():
    error = error_at("y(i) = A(i,) * x(j)", (11, 12), "expected an index variable", "add one")
    assert str(error) == (
        "notation: expected an index variable\n"
        "  y(i) = A(i,) * x(j)\n"
        "             ^\n"
        "  help: add one"
    )


def test_every_column_of_the_place_is_marked():
    assert str(error_at("a = bcd", (4, 7), "m")).endswith("  a = bcd\n      ^^^")


def test_one_line_of_several_is_shown_and_tabs_take_one_column():
    text = "y =\n\ta(i)\n + b"
    assert str(error_at(text, (5, 9), "m")) == "notation: m\n   a(i)\n   ^^^^"
    assert str(error_at(text, (5, len(text)), "m")).endswith("\n   ^^^^")


def test_a_place_at_the_end_gets_one_caret():
    assert str(error_at("a =", (3, 3), "m")).endswith("  a =\n     ^")


def test_a_long_line_is_cut_around_the_place():
    text = "a" * 500 + "!" + "b" * 500
    _, line, carets = str(error_at(text, (500, 501), "m")).splitlines()
    assert len(line) <= WIDTH + 8
    assert line.startswith("  ...a")
    assert line.endswith("b...")
    assert line[carets.index("^")] == "!"


def test_a_node_without_a_place_and_an_empty_text():
    assert str(error_at("a = b", NO_SPAN, "m")) == "notation: m\n  a = b"
    assert str(error_at(" ", (0, 0), "m")) == "notation: m"


def test_problems_are_reported_together():
    error = report("a b", [Problem((0, 1), "one"), Problem((2, 3), "two", "h")], speaker="einsum")
    assert str(error) == "einsum: one\n  a b\n  ^\neinsum: two\n  a b\n    ^\n  help: h"
