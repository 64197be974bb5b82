"""
The open registry of level kinds.

A level kind is one subclass of `LevelKind`. It is found by its name: among the kinds that
were registered, then in the table of built-in kinds, then among the Python entry points of
group `tamale.levels` of installed packages. Nothing is imported before it is asked for.

    @register_level_kind
    class Hashed(LevelKind):
        name = "hashed"
        defaults = LevelProperties(
            full=False, ordered=False, unique=True, branchless=False, compact=False
        )
        arrays = ("table",)
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple, TypeVar

from tamale.dialects.errors import FormatError
from tamale.dialects.format.level import (
    PROPERTY_NAMES,
    Level,
    LevelProperties,
    OptionValue,
    option_text,
)
from tamale.dialects.lazy import load
from tamale.dialects.plugins import load_plugin, offered

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINT_GROUP: Final = "tamale.levels"

BUILTIN_KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "dense": "tamale.passes.levels.dense:Dense",
        "compressed": "tamale.passes.levels.compressed:Compressed",
        "singleton": "tamale.passes.levels.singleton:Singleton",
        "squeezed": "tamale.passes.levels.squeezed:Squeezed",
        "range": "tamale.passes.levels.range:Range",
        "offset": "tamale.passes.levels.offset:Offset",
        "sliced": "tamale.passes.levels.sliced:Sliced",
        "ragged": "tamale.passes.levels.ragged:Ragged",
        "jagged": "tamale.passes.levels.jagged:Jagged",
        "banded": "tamale.passes.levels.banded:Banded",
        "hashed": "tamale.passes.levels.hashed:Hashed",
        "bitmap": "tamale.passes.levels.bitmap:Bitmap",
    }
)
"""Name -> `module:class`. The modules must not import xDSL at run time: tensors use them."""


class Option(NamedTuple):
    """
    Something other than a property that a format line may set, `per parent` or `width = 4`.

    The default gives the type; `choices`, if there are any, are all the values allowed.
    """

    default: OptionValue
    choices: tuple[OptionValue, ...] = ()

    def accepts(self, value: OptionValue) -> bool:
        return type(value) is type(self.default) and (not self.choices or value in self.choices)


class LevelKind:
    """
    How one level stores its coordinates.

    Subclasses state the row of the table of level kinds and add the level functions.
    """

    name: ClassVar[str]
    """The word of format lines."""
    defaults: ClassVar[LevelProperties]
    """The properties of a level whose line says nothing."""
    toggles: ClassVar[tuple[str, ...]] = ()
    """The properties that a line may switch on (`unique`) or off (`nonunique`)."""
    options: ClassVar[Mapping[str, Option]] = MappingProxyType({})
    """What else a line may set."""
    arrays: ClassVar[tuple[str, ...]] = ()
    """The level's arrays in storage order, such as `("pos", "crd")`."""

    def properties(self, level: Level, parent: LevelProperties | None) -> LevelProperties:
        """
        The properties of `level` below a parent with properties `parent` (None: the root).

        By default those of the kind, changed as the level says.
        """
        switched = {name: bool(value) for name, value in level.properties if name in self.toggles}
        return replace(self.defaults, **switched) if switched else self.defaults

    def verify(self, level: Level, depth: int) -> None:
        """
        Refuses a level that makes no sense at `depth` (0 is the outermost).

        Raises:
            FormatError: with a message that goes on from "level 1 ('i : singleton') ".
        """

    def verify_below(self, level: Level, above: Sequence[Level]) -> None:
        """
        Refuses a level that makes no sense below the levels `above`, outermost first.

        Raises:
            FormatError: as `verify`.
        """

    @property
    def settings(self) -> tuple[str, ...]:
        """The names of everything a line may set, in the order in which it is printed."""
        return (*self.toggles, *self.options)

    def option(self, level: Level, name: str) -> OptionValue:
        """The value of an option or toggle: what the level says, else the default."""
        return dict(level.properties).get(name, self.default(name))

    def default(self, name: str) -> OptionValue:
        """The default of an option or toggle of this kind."""
        if name in self.toggles:
            return bool(getattr(self.defaults, name))
        return self.options[name].default

    def accepts(self, name: str, value: OptionValue) -> bool:
        """Whether a line may set `name` to `value`."""
        if name in self.toggles:
            return isinstance(value, bool)
        return name in self.options and self.options[name].accepts(value)

    def spellings(self) -> tuple[str, ...]:
        """Everything that a line may say in the parentheses of this kind."""
        toggles = (option_text(name, value) for name in self.toggles for value in (False, True))
        return (
            *toggles,
            *(_option_spelling(name, option) for name, option in self.options.items()),
        )


def _option_spelling(name: str, option: Option) -> str:
    if option.choices:
        return " | ".join(option_text(name, choice) for choice in option.choices)
    match option.default:
        case bool():
            return name
        case int():
            return f"{name} = <integer>"
        case str():
            return f"{name} <word>"


_KINDS: dict[str, LevelKind] = {}

KindT = TypeVar("KindT", bound=LevelKind)


def register_level_kind(kind: type[KindT]) -> type[KindT]:
    """
    Makes `kind` known to every format line, kernel and conversion; usable as a decorator.

    Raises:
        FormatError: the name is taken, or the class does not say what a kind must say.
    """
    _check_declaration(kind)
    known = _KINDS.get(kind.name)
    if kind.name in BUILTIN_KINDS or (known is not None and type(known) is not kind):
        raise FormatError(
            f"format: level kind '{kind.name}' is already registered; "
            f"give {kind.__qualname__} another name."
        )
    _KINDS.setdefault(kind.name, kind())
    return kind


def _check_declaration(kind: type[LevelKind]) -> None:
    speaker = f"format: level kind {kind.__qualname__}"
    for attribute in ("name", "defaults"):
        if not hasattr(kind, attribute):
            raise FormatError(f"{speaker} does not state its `{attribute}`.")
    if not kind.name.isidentifier():
        raise FormatError(f"{speaker}: '{kind.name}' is no name; use letters, digits and '_'.")
    strangers = sorted(set(kind.toggles) - PROPERTY_NAMES)
    if strangers:
        raise FormatError(
            f"{speaker}: toggles {strangers} are no level properties; "
            f"those are {sorted(PROPERTY_NAMES)}. Other settings are `options`."
        )


def level_kind(name: str) -> LevelKind:
    """
    The level kind called `name`.

    Raises:
        FormatError: no kind has this name, or its entry point cannot be loaded.
    """
    if name not in _KINDS:
        _KINDS[name] = _load(name)
    return _KINDS[name]


def is_level_kind(name: str) -> bool:
    """Whether `level_kind(name)` finds something."""
    return name in _KINDS or name in BUILTIN_KINDS or name in _offered()


def known_level_kinds() -> tuple[str, ...]:
    """The names of all level kinds that can be found, sorted."""
    return tuple(sorted({*_KINDS, *BUILTIN_KINDS, *_offered()}))


def _offered() -> "Mapping[str, EntryPoint]":
    """What installed packages offer."""
    return offered(ENTRY_POINT_GROUP, BUILTIN_KINDS, FormatError)


def _load(name: str) -> LevelKind:
    if name in BUILTIN_KINDS:
        kind: object = load(BUILTIN_KINDS[name])
    elif point := _offered().get(name):
        kind = load_plugin(point, FormatError)
    else:
        raise FormatError(
            f"format: unknown level kind '{name}'; known kinds: {', '.join(known_level_kinds())}."
        )
    if not (isinstance(kind, type) and issubclass(kind, LevelKind)):
        raise FormatError(f"format: what is registered as level kind '{name}' is no LevelKind.")
    _check_declaration(kind)
    return kind()
