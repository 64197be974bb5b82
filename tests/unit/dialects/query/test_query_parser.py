"""Queries and remappings: what is written is read back, and mistakes are pointed at."""

import pytest

from tamale.dialects.errors import FormatError, NotationError
from tamale.dialects.format.expressions import Binary, Var
from tamale.dialects.query.parser import parse_select
from tamale.dialects.query.remapping import Remapping, parse_remapping
from tamale.dialects.query.select import Aggregate, Select, problems


@pytest.mark.parametrize(
    "text",
    [
        "select [i] -> count(j) as nir",
        "select [] -> min(k) as lb, max(k) as ub",
        "select [i, j] -> id() as nz",
        "select [i] -> count(j, k) as n, count(*) as entries",
    ],
)
def test_round_trip(text: str):
    assert str(parse_select(text)) == text
    assert parse_select(" " + text.replace(" ", "\n  ")) == parse_select(text)


def test_value():
    select = parse_select("select[i]->count(*)as n")
    assert select == Select(("i",), (Aggregate("count", ("*",), "n"),))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "query: a query starts with 'select', got the end"),
        (
            "select i -> id() as n",
            "query: the coordinates to group by follow in '[', got 'i'\n"
            "  select i -> id() as n\n"
            "         ^",
        ),
        (
            "select [i] -> cout(j) as n",
            "query: 'cout' is no aggregation (did you mean 'count'?)\n"
            "  select [i] -> cout(j) as n\n"
            "                ^^^^\n"
            "  help: count, max, min and id are",
        ),
        ("select [i] count(j) as n", "query: the aggregations follow behind '->', got 'count'"),
        ("select [i j] -> id() as n", "query: expected ',' or ']', got 'j'"),
        ("select [i,] -> id() as n", "query: expected a coordinate, got ']'"),
        ("select [i] -> id as n", "query: 'id' is followed by '(', got 'as'"),
        ("select [i] -> id() as", "query: expected a label, got the end"),
        ("select [i] -> id() n", "query: 'id(...)' gets its label behind 'as', got 'n'"),
        ("select [i] -> id() as n max", "query: expected ',' or the end, got 'max'"),
        ("select [i] -> ", "query: expected an aggregation, such as 'count(j) as n', got the end"),
        ("select [i] -> count(*, j) as n", "query: '*' stands by itself before ')', got ','"),
        ("select [i, i] -> id() as n", "query: 'i' is in the group twice"),
        ("select [] -> id(i) as n", "query: 'id(i)': id is of the group as a whole"),
        ("select [] -> max() as n", "query: 'max()': max is of one coordinate"),
        ("select [] -> min(i, j) as n", "query: 'min(i, j)': min is of one coordinate"),
        ("select [] -> max(*) as n", "query: 'max(*)': max is of one coordinate"),
        ("select [] -> count() as n", "query: 'count()': count is of coordinates, or of '*'"),
        ("select [] -> count(i, i) as n", "query: 'count(i, i)' names 'i' twice"),
        ("select [i] -> max(i) as n", "query: 'max(i)': 'i' is the same all over a group"),
        (
            "select [] -> max(i) as n, min(i) as n",
            "query: two aggregations have the label 'n'\n"
            "  select [] -> max(i) as n, min(i) as n\n"
            "                                      ^",
        ),
    ],
)
def test_mistake(text: str, message: str):
    with pytest.raises(NotationError) as error:
        parse_select(text)
    assert str(error.value).startswith(message)


def test_problems_of_a_query_made_by_hand():
    select = Select((), (Aggregate("count", ("*", "i"), "n"),))
    assert [text for _, text in problems(select)] == [
        "'count(*, i)': '*' stands for all entries and by itself"
    ]


@pytest.mark.parametrize(
    "text",
    [
        "(i, j) -> (i, j)",
        "(i, j) -> (k = #i, i, j)",
        "(i, j) -> (k = j - i, i, j)",
        "(i, j) -> (a = r = i / 2 in r & 1, j)",
        "() -> ()",
        "(i) -> (l0 = i)",
    ],
)
def test_remapping_round_trip(text: str):
    assert str(parse_remapping(text)) == text


def test_remapping_value():
    remapping = parse_remapping("(i, j) -> (k = j - i, i)")
    assert remapping.names == ("k", "i")
    assert remapping.expression("k") == Binary("-", Var("j"), Var("i"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(i, j -> (i)", "expected ',' or ')' after a mode, got '->'"),
        ("(i) (i)", "expected '->' after the modes, got '('"),
        ("(i) -> i", "expected '(' before the coordinates, got 'i'"),
        (
            "(i, j) -> (j - i, i)",
            "format: a coordinate that is no plain mode needs a name, such as 'k = j - i'",
        ),
        ("(i) -> (in)", "expected a mode, or a name for a coordinate, got 'in', a reserved word"),
        ("(i) -> (i) j", "'j' after the end of the remapping"),
        ("(i, i) -> (i)", "query: mode 'i' is named twice"),
        ("(row) -> (k = rwo + 1)", "query: 'rwo' is no mode (did you mean 'row'?)"),
        ("(i, j) -> (i = j)", "query: 'i' is a mode and cannot name 'j'"),
        ("(i) -> (k = #i, k = i)", "query: two coordinates are called 'k'"),
    ],
)
def test_remapping_mistake(text: str, message: str):
    with pytest.raises(FormatError) as error:
        parse_remapping(text)
    assert message in str(error.value)


def test_remapping_made_by_hand():
    with pytest.raises(FormatError, match="'z' is no mode"):
        Remapping(("i",), (("z", Var("z")),)).verify()
