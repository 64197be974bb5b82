"""
The `-f` flag of the command line: `A=<format>`, or taco's spelling `A:<levels>[:<mode order>]`.

    -f A=csr                                    a named format
    -f 'A=(i, j) -> (j : dense, i : compressed)'    a format line
    -f A:ds:1,0                                 taco's for the line above

taco writes one letter a level: `d` dense, `s` compressed, `u` compressed and not unique, `q`
singleton, `c` singleton and not unique; then, if it is not 0,1,..., the mode each level stores.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import count, islice
from string import ascii_lowercase

from tamale.dialects.errors import FormatError
from tamale.dialects.notation.diagnostics import printable

TACO_LEVELS = {
    "d": "dense",
    "s": "compressed",
    "u": "compressed(nonunique)",
    "q": "singleton",
    "c": "singleton(nonunique)",
}
_FLAG = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*([=:])(.*)", re.DOTALL)
_NUMBER = re.compile(r"[0-9]{1,4}")


def parse_format_flag(text: str) -> tuple[str, str]:
    """
    Splits a flag into the tensor's name and its format: a name, or a format line.

    Raises:
        FormatError: the flag is not of either form, or taco's letters describe no format.

    >>> parse_format_flag("A:ds:1,0")
    ('A', '(i, j) -> (j : dense, i : compressed)')
    """
    found = _FLAG.fullmatch(text)
    if found is None or not found[3].strip():
        raise _error(text, "expected a tensor name, '=' and a format", "write A=csr or A:ds")
    name, separator, format = found[1], found[2], found[3].strip()
    return name, (format if separator == "=" else _taco_line(text, name, format))


def _taco_line(text: str, name: str, descriptor: str) -> str:
    letters, colon, order_text = descriptor.partition(":")
    letters = letters.strip()
    _check_levels(text, name, letters)
    order = _mode_order(text, order_text, len(letters)) if colon else range(len(letters))
    modes = list(islice(_mode_names(), len(letters)))
    levels = [
        f"{modes[m]} : {TACO_LEVELS[letter]}" for m, letter in zip(order, letters, strict=True)
    ]
    return f"({', '.join(modes)}) -> ({', '.join(levels)})"


def _check_levels(text: str, name: str, letters: str) -> None:
    meanings = ", ".join(f"{letter} {kind}" for letter, kind in TACO_LEVELS.items())
    help = f"after ':' come taco's levels ({meanings}); any other format is written {name}=..."
    if "p" in letters and set(letters) <= {*TACO_LEVELS, "p"}:
        raise _error(text, "taco's padded singleton 'p' has no equivalent", "for ELL write A=ell")
    for letter in letters:
        if letter not in TACO_LEVELS:
            raise _error(text, f"'{printable(letter)}' is no level of taco's", help)
    if letters[:1] in ("q", "c"):
        message = f"a singleton ('{letters[0]}') cannot be the first level: it has no parent"
        raise _error(text, message, help)
    if not letters:
        raise _error(text, "the levels are missing", help)


def _mode_order(text: str, order_text: str, order: int) -> Sequence[int]:
    """The modes that `order_text` lists, if they are 0 to `order` - 1 in some order."""
    words = [word.strip() for word in order_text.split(",")]
    modes = [int(word) for word in words if _NUMBER.fullmatch(word)]
    if len(modes) != len(words) or sorted(modes) != list(range(order)):
        given, expected = printable(order_text.strip()), ",".join(map(str, range(order)))
        message = f"the mode order '{given}' is no permutation of {expected}"
        raise _error(text, message, "list the mode that each level stores, once each")
    return modes


def _mode_names() -> Iterator[str]:
    """i, j, ..., z, i1, j1, ..."""
    for round in count():
        for letter in ascii_lowercase[ascii_lowercase.index("i") :]:
            yield f"{letter}{round or ''}"


def _error(text: str, message: str, help: str) -> FormatError:
    return FormatError(f"format flag: {message}, in  -f {printable(text)}\n  help: {help}")
