"""Format lines with placeholders for integers, such as `(i, j) -> (i / m : dense, ...)`."""

from collections.abc import Mapping
from dataclasses import replace

from tamale.dialects.format.expressions import Binary, Const, Expr, Let, Var
from tamale.dialects.format.spec import Format
from tamale.dialects.format.substitution import substitute


def with_placeholders(line: Format, parameters: tuple[str, ...]) -> Format:
    """`line` with each parameter as a variable whose name no mode can have."""
    return _substituted(line, {name: Var(f"?{name}") for name in parameters})


def fill(template: Format, arguments: Mapping[str, int]) -> Format:
    """`template` with an integer for each parameter."""
    return _substituted(template, {f"?{name}": Const(n) for name, n in arguments.items()})


def _substituted(format: Format, replacements: Mapping[str, Expr]) -> Format:
    levels = (
        replace(level, expression=substitute(level.expression, replacements))
        for level in format.levels
    )
    return replace(format, levels=tuple(levels))


def match(template: Format, format: Format) -> dict[str, int] | None:
    """
    The arguments that make `template` equal to `format` up to names and index widths.

    None if there are none. The inverse of `fill`.
    """
    shapes = [
        (x.order, tuple((level.kind, level.properties) for level in x.levels))
        for x in (template, format)
    ]
    if shapes[0] != shapes[1]:
        return None
    arguments: dict[str, int] = {}
    pairs = zip(template.canonical().levels, format.canonical().levels, strict=True)
    if all(_unify(ours.expression, theirs.expression, arguments) for ours, theirs in pairs):
        return arguments
    return None


def _unify(pattern: Expr, expr: Expr, arguments: dict[str, int]) -> bool:
    match pattern, expr:
        case Var(name), Const(value) if name.startswith("?"):
            return arguments.setdefault(name[1:], value) == value
        case Binary(op, a, b), Binary(other, c, d):
            return op == other and _unify(a, c, arguments) and _unify(b, d, arguments)
        case Let(name, a, b), Let(other, c, d):
            return name == other and _unify(a, c, arguments) and _unify(b, d, arguments)
        case _:
            return pattern == expr
