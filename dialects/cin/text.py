"""
Reading our own notation inside MLIR text.

xDSL's lexer knows neither `&` nor `~`, so set expressions and statements are taken as raw source
from the parser's position and read by their own parsers; the lexer resumes behind them.
"""

from __future__ import annotations

import re

from xdsl.ir import Block, Region
from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer

from tamale.dialects.raw_text import take_until

_END_OF_STATEMENT = re.compile(r"\n|\}|//")


def text_after_keyword(parser: AttrParser, keyword: str, stop: str) -> str | None:
    """
    The source between the keyword at the current token and the first match of `stop`.

    None, with nothing consumed, if the current token is not `keyword`.
    """
    token = parser._current_token  # pyright: ignore[reportPrivateUsage]
    if token.text != keyword:
        return None
    return take_until(parser, re.compile(stop)).text


def rest_of_line(parser: AttrParser) -> str:
    """The source from the current token to the end of its line or an enclosing region."""
    token = parser._current_token  # pyright: ignore[reportPrivateUsage]
    content, start = parser.lexer.input.content, token.span.start
    match = _END_OF_STATEMENT.search(content, start)
    end = match.start() if match else len(content)
    parser._resume_from(end)  # pyright: ignore[reportPrivateUsage]
    return content[start:end]


def parse_body(parser: Parser) -> Region:
    """Statements in braces; there may be none."""
    region = parser.parse_region()
    return region if region.blocks else Region(Block())


def print_body(printer: Printer, region: Region) -> None:
    """Statements in braces, nothing between them if there are none."""
    printer.print_region(region, print_empty_block=False)
