"""The page that contradicts itself is refused; names stand for passes."""

import pytest

from tamale.dialects.errors import TamaleError
from tamale.passes.pass_table import pass_table, step, unknown_name

A = step("a", "tin", "cin", "first")
B = step("b", "cin", "cin", "second")
C = step("drop-all", "cin", "arith scf", "third")


def test_pipelines_nest():
    pipelines = {"part": ("a", "b"), "all": ("part", "drop-all")}
    table = pass_table((A, B, C), pipelines, [("a", "b", "why")])
    assert table.expand("all") == ("a", "b", "drop-all")
    assert table.expand("b") == ("b",)


def test_path_follows_from_the_name():
    assert C.path == "tamale.passes.drop_all:DropAllPass"


@pytest.mark.parametrize(
    ("pipelines", "before", "complaint"),
    [
        ({"p": ("a", "nothing")}, [], r"\['nothing'\] have no row"),
        ({"p": ("b", "a")}, [], r"in 'p', b leaves \['cin'\], which a does not read"),
        ({"p": ("a", "b", "drop-all")}, [("drop-all", "b", "x")], "drop-all must run before b: x"),
        ({"p": ("b", "drop-all")}, [("a", "zz", "x")], "have no row"),
        ({"a": ("b",)}, [], "name a pass and a pipeline"),
    ],
)
def test_contradiction(
    pipelines: dict[str, tuple[str, ...]], before: list[tuple[str, str, str]], complaint: str
):
    with pytest.raises(ValueError, match=complaint):
        pass_table((A, B, C), pipelines, before)


def test_two_rows_for_one_pass():
    with pytest.raises(ValueError, match="two rows"):
        pass_table((A, A), {}, [])


def test_unknown_name_lists_close_names():
    error = unknown_name("pass", "concretise", ["concretize", "simplify"])
    assert isinstance(error, TamaleError)
    assert str(error) == "unknown pass 'concretise'\n  help: did you mean 'concretize'?"
    assert "one of ['b', 'c']" in str(unknown_name("pass", "zzz", ["c", "b"]))
