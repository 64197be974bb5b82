"""
MLIR's encodings as formats, and formats as encodings, where one can say what the other says.

Level types and kinds of one name mean the same: `dense`, `compressed` and `singleton`. MLIR keeps
coordinates of `singleton` levels in an array of their own only with `soa`; here they always are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NoReturn

from tamale.dialects.errors import FormatError
from tamale.dialects.format.expressions import Binary, Const, Expr, Var
from tamale.dialects.format.level import Level, OptionValue
from tamale.dialects.format.normal import normal_form
from tamale.dialects.format.spec import Format, Width, mode_names
from tamale.dialects.format.substitution import substitute
from tamale.dialects.format.verify import verify_format, with_defaults_omitted
from tamale.dialects.sparse_tensor.encoding import EncodedLevel, Encoding, dimension

SHARED: Final = ("dense", "compressed", "singleton")
"""Level types of MLIR that are level kinds."""

_OPTIONS: Final[dict[str, tuple[str, OptionValue]]] = {
    "nonunique": ("unique", False),
    "nonordered": ("ordered", False),
}
_WIDTHS: Final[dict[int, Width]] = {0: "i64", 32: "i32", 64: "i64"}


def format_of_encoding(encoding: Encoding) -> Format:
    """
    The format that stores what an encoding stores.

    Raises:
        FormatError: there is none.
    """
    modes = mode_names(encoding.order)
    names: dict[str, Expr] = {dimension(k): Var(mode) for k, mode in enumerate(modes)}
    levels = tuple(_level(level, names, encoding) for level in encoding.levels)
    format = Format(modes, levels, pos=_width(encoding.pos_width), crd=_width(encoding.crd_width))
    try:
        verify_format(format)
    except FormatError as error:
        raise FormatError(f"sparse_tensor: {encoding} is no format: {error}") from None
    return with_defaults_omitted(format)


def _level(level: EncodedLevel, names: dict[str, Expr], encoding: Encoding) -> Level:
    if level.type not in SHARED:
        raise FormatError(
            f"sparse_tensor: no level kind stores '{level}' of {encoding}\n"
            f"  help: formats have {', '.join(SHARED)} levels of encodings"
        )
    options = tuple(_OPTIONS[name] for name in level.properties if name in _OPTIONS)
    return Level(substitute(level.expression, names), level.type, options)


def _width(bits: int) -> Width:
    if bits not in _WIDTHS:
        raise FormatError(
            f"sparse_tensor: positions and coordinates of {bits} bits are not supported\n"
            "  help: 32 and 64 are; 0 stands for 64"
        )
    return _WIDTHS[bits]


def encoding_of_format(format: Format) -> Encoding:
    """
    The encoding that stores what a format stores.

    Raises:
        FormatError: MLIR cannot say it, with the reason.
    """
    names: dict[str, Expr] = {m: Var(dimension(k)) for k, m in enumerate(format.modes)}
    plain = [normal_form(level.expression) for level in format.levels]
    _check_invertible(format, plain)
    levels = [
        EncodedLevel(substitute(expression, names), level.kind, (), _properties(format, k, level))
        for k, (level, expression) in enumerate(zip(format.levels, plain, strict=True))
    ]
    widths = {"i32": 32, "i64": 64}
    return Encoding(format.order, tuple(levels), widths[format.pos], widths[format.crd])


def _properties(format: Format, k: int, level: Level) -> tuple[str, ...]:
    if level.kind not in SHARED:
        _refuse(format, k, f"MLIR has no level type like '{level.kind}'")
    given = [name for name, option in _OPTIONS.items() if option in level.properties]
    if level.kind == "singleton":
        above = [each.kind for each in format.levels[:k]]
        while above and above[-1] == "singleton":
            above.pop()
        if not above or above[-1] != "compressed":
            _refuse(format, k, "MLIR has singleton levels only below compressed ones")
        given.append("soa")
    return tuple(given)


def _check_invertible(format: Format, expressions: Sequence[Expr]) -> None:
    """
    MLIR computes modes back from levels that store a mode, or its quotient by a number and below
    that the remainder.
    """
    quotients: dict[str, int] = {}
    done: set[str] = set()
    for k, expression in enumerate(expressions):
        match expression:
            case Var(name) if name not in done | quotients.keys():
                done.add(name)
            case Binary("/", Var(name), Const(size)) if name not in done | quotients.keys():
                quotients[name] = size
            case Binary("%", Var(name), Const(size)) if quotients.get(name) == size:
                done.add(name)
                del quotients[name]
            case _:
                _refuse(format, k, "MLIR does not find the modes again")
    if quotients or len(done) < format.order:
        missing = next(m for m in format.modes if m not in done)
        raise FormatError(
            f"sparse_tensor: '{format}' has no encoding: MLIR does not find mode '{missing}' again"
        )


def _refuse(format: Format, k: int, why: str) -> NoReturn:
    level = f"level {k + 1} ('{format.levels[k]}')"
    raise FormatError(f"sparse_tensor: '{format}' has no encoding: {why}, for {level}")
