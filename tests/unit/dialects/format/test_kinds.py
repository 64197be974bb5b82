"""The registry of level kinds is open."""

import sys
from importlib.metadata import EntryPoint, EntryPoints
from types import ModuleType
from typing import ClassVar

import pytest

from tamale.dialects.errors import FormatError
from tamale.dialects.format import kinds
from tamale.dialects.format.kinds import (
    LevelKind,
    Option,
    known_level_kinds,
    level_kind,
    register_level_kind,
)
from tamale.dialects.format.level import Level, LevelProperties
from tamale.dialects.format.notation import parse_format
from tamale.dialects.format.tokens import FormatSyntaxError
from tamale.dialects.plugins import entry_points_of

SPARSE = LevelProperties(full=False, ordered=True, unique=True, branchless=False, compact=True)


@register_level_kind
class Runs(LevelKind):
    """A kind that the package does not have, with every sort of option."""

    name = "runs"
    defaults = SPARSE
    toggles = ("ordered",)
    options: ClassVar = {
        "per": Option("tensor", ("tensor", "parent")),
        "longest": Option(16),
        "signed": Option(False),
    }
    arrays = ("pos", "end")

    def properties(self, level: Level, parent: LevelProperties | None) -> LevelProperties:
        own = super().properties(level, parent)
        return (
            own
            if parent is None or parent.compact
            else LevelProperties(
                full=own.full, ordered=False, unique=own.unique, branchless=False, compact=False
            )
        )

    def verify(self, level: Level, depth: int) -> None:
        if depth == 2:
            raise FormatError("is too deep for runs")


def test_a_registered_kind_works_in_formats():
    line = "(i, j) -> (i : runs(nonordered, per parent, longest = 4, signed), j : runs)"
    format = parse_format(line)
    assert str(format) == line
    assert not format.properties(0).ordered
    assert format.properties(1) == SPARSE
    kind = level_kind("runs")
    assert kind.arrays == ("pos", "end")
    assert [kind.option(level, "longest") for level in format.levels] == [4, 16]
    assert [kind.option(level, "ordered") for level in format.levels] == [False, True]
    assert "runs" in known_level_kinds()


def test_defaults_are_not_printed():
    format = parse_format("(i) -> (i : runs(longest = 16, ordered, per tensor, signed = false))")
    assert str(format) == "(i) -> (i : runs)"


@pytest.mark.parametrize(
    "line, message",
    [
        (
            "(i) -> (i : runs(per row))",
            "has option 'per row', but 'runs' takes nonordered, ordered",
        ),
        ("(i) -> (i : runs(longest))", "longest = <integer>, signed"),
        ("(i) -> (i : runs(longest = true))", "has option 'longest', but"),
        ("(i) -> (i : runs(nonunique))", "per tensor | per parent"),
        (
            "(i, j, k) -> (i : runs, j : runs, k : runs)",
            "level 3 ('k : runs') is too deep for runs",
        ),
    ],
)
def test_a_kind_refuses(line: str, message: str):
    with pytest.raises(FormatSyntaxError) as error:
        parse_format(line)
    assert message in error.value.message


def test_registering_twice_is_harmless_but_names_are_unique(monkeypatch: pytest.MonkeyPatch):
    assert register_level_kind(Runs) is Runs
    other = type("Other", (Runs,), {})
    with pytest.raises(FormatError, match="level kind 'runs' is already registered; give Other"):
        register_level_kind(other)
    monkeypatch.setattr(kinds, "_KINDS", {})  # before the first use of a built-in kind
    with pytest.raises(FormatError, match="level kind 'dense' is already registered"):
        register_level_kind(type("Other", (Runs,), {"name": "dense"}))


@pytest.mark.parametrize(
    "body, message",
    [
        ({"defaults": SPARSE}, "does not state its `name`"),
        ({"name": "other"}, "does not state its `defaults`"),
        ({"name": "two words", "defaults": SPARSE}, "'two words' is no name"),
        (
            {"name": "other", "defaults": SPARSE, "toggles": ("fast",)},
            r"toggles \['fast'\] are no level properties",
        ),
    ],
)
def test_declarations_are_checked(body: dict[str, object], message: str):
    with pytest.raises(FormatError, match=message):
        register_level_kind(type("Other", (LevelKind,), body))


def test_unknown_kinds():
    with pytest.raises(FormatError, match="unknown level kind 'nothing'; known kinds: .*dense"):
        level_kind("nothing")


class Installed(LevelKind):
    """What an installed package would bring."""

    name = "installed"
    defaults = SPARSE


def test_installed_packages_bring_kinds(monkeypatch: pytest.MonkeyPatch):
    bringing = ModuleType("tamale_levels_of_a_test")
    vars(bringing)["Installed"] = Installed
    monkeypatch.setitem(sys.modules, bringing.__name__, bringing)
    targets = {
        "installed": f"{bringing.__name__}:Installed",
        "broken": "no_such_module:X",
        "strange": "math:pi",
    }
    points = EntryPoints(
        EntryPoint(name, target, kinds.ENTRY_POINT_GROUP) for name, target in targets.items()
    )

    def entry_points(group: str) -> EntryPoints:
        return points.select(group=group)

    monkeypatch.setattr("importlib.metadata.entry_points", entry_points)
    entry_points_of.cache_clear()
    assert str(parse_format("(i) -> (i : installed)")) == "(i) -> (i : installed)"
    assert {"installed", "broken"} <= set(known_level_kinds())
    with pytest.raises(
        FormatError, match=r"level 1 \('i : broken'\): .*'broken' of an unnamed package .*no_such"
    ):
        parse_format("(i) -> (i : broken)")
    with pytest.raises(FormatError, match="what is registered as level kind 'strange' is no Level"):
        level_kind("strange")
    entry_points_of.cache_clear()
