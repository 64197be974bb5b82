"""xDSL's lexer, in time that is linear in the text."""

from __future__ import annotations

import re

from xdsl.utils.mlir_lexer import MLIRLexer


class LinearLexer(MLIRLexer):
    """
    Never tries a second time to cut a string literal into pieces.

    xDSL's expression has a `+` inside of a `*`: where a closing quote is missing, the time that it
    takes to find out doubles with every letter.
    """

    _unescaped_characters_regex = re.compile(
        r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"'
    )
