"""xDSL's lexer, in time that is linear in the text."""

from __future__ import annotations

import re

from xdsl.utils.exceptions import ParseError
from xdsl.utils.lexer import Position, Span
from xdsl.utils.mlir_lexer import MLIRLexer, MLIRToken


class LinearLexer(MLIRLexer):
    """
    Never tries a second time to cut a string literal into pieces.

    xDSL's expression has a `+` inside of a `*`: where a closing quote is missing, the time that it
    takes to find out doubles with every letter.
    """

    _unescaped_characters_regex = re.compile(
        r'"(?:[^"\\\n\v\f]++|\\(?:["nt\\]|[0-9A-Fa-f]{2}))*+"'
    )

    def _lex_prefixed_ident(self, start_pos: Position) -> MLIRToken:
        """As xDSL, whose message does not say which letter it means."""
        if self._suffix_id.match(self.input.content, self.pos) is None:
            letter = self.input.content[start_pos]
            span = Span(start_pos, self.pos, self.input)
            raise ParseError(span, f"expected a name after '{letter}'")
        return super()._lex_prefixed_ident(start_pos)
