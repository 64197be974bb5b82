"""What the subcommands share about conversions: two formats, as `--convert csr:ell`."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from tamale.dialects.errors import FormatError
from tamale.frontend.converting import Conversion, conversion
from tamale.frontend.dtypes import element_type
from tamale.frontend.naming import resolve_pair


def add_pair(parser: ArgumentParser) -> None:
    """The arguments that ask about a conversion instead of a statement."""
    parser.add_argument(
        "--convert",
        metavar="FROM:TO",
        help="a conversion instead of a statement: two formats, names or lines, as csr:ell",
    )
    parser.add_argument(
        "--modes", type=int, help="of the tensors of --convert, where their formats fit several"
    )


def conversion_of(arguments: Namespace) -> Conversion:
    """
    The conversion that `--convert` names.

    Raises:
        TamaleError: a format cannot be read, or their orders differ.
    """
    source, target = split_pair(arguments.convert)
    dtype = element_type(arguments.dtype or "float64", "convert")
    pair = resolve_pair(source, target, arguments.modes)
    return conversion(*pair, dtype, None, arguments.threads)


def split_pair(text: str) -> tuple[str, str]:
    """
    Two formats with a colon in between; those inside of parentheses belong to format lines.

    Raises:
        FormatError: there is not exactly one such colon.

    >>> split_pair("csr:(i, j) -> (j : dense, i : compressed)")
    ('csr', '(i, j) -> (j : dense, i : compressed)')
    """
    depth, cuts = 0, list[int]()
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if letter == ":" and depth == 0:
            cuts.append(place)
    parts = [part.strip() for part in (text[: cuts[0]], text[cuts[0] + 1 :])] if cuts else []
    if len(cuts) != 1 or not all(parts):
        raise FormatError(
            f"convert: expected two formats with ':' in between, in  --convert {text}\n"
            "  help: write csr:ell, or put format lines in the place of names"
        )
    return parts[0], parts[1]
