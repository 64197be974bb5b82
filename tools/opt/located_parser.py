"""A parser that tells every op, and every error, where in the file it comes from."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import (
    UNKNOWN_LOC,
    FileLineColLoc,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    ModuleOp,
    StringAttr,
)
from xdsl.frontend.mlir import MLIRFrontend
from xdsl.ir import AttributeInvT, Operation, SSAValue
from xdsl.parser import Parser, ParserState, UnresolvedOperand
from xdsl.utils.exceptions import DiagnosticException, ParseError, VerifyException
from xdsl.utils.lexer import Input, Span
from xdsl.utils.mlir_lexer import MLIRToken, MLIRTokenKind

from tamale.dialects.locations import locate
from tamale.tools.opt.lexer import LinearLexer
from tamale.tools.opt.literals import LiteralElement


class LineTable:
    """Turns positions in a text into lines and columns, in the logarithm of the line count."""

    def __init__(self, text: str):
        self._starts = [0]
        self._starts += [i + 1 for i, letter in enumerate(text) if letter == "\n"]

    def line_and_column(self, position: int) -> tuple[int, int]:
        """
        The place of a position; both numbers count from one, as editors do.

        >>> LineTable("ab\\ncd").line_and_column(4)
        (2, 2)
        """
        line = bisect_right(self._starts, position)
        return line, position - self._starts[line - 1] + 1


class LocatedParser(Parser):
    """Gives every op without an explicit `loc(...)` the location of its first token."""

    def __init__(self, ctx: Context, text: str, name: str):
        super().__init__(ctx, "", name)
        self._parser_state = ParserState(LinearLexer(Input(text, name)))
        self._file = StringAttr(name)
        self._lines = LineTable(text)
        self._last_token = self._current_token.span
        self._first_uses: dict[str, Span] = {}

    def _location(self, position: int) -> FileLineColLoc:
        line, column = self._lines.line_and_column(position)
        return FileLineColLoc(self._file, IntAttr(line), IntAttr(column))

    def _here(self, error: Exception) -> Exception:
        """`error`, about an attribute that ends with the token consumed last."""
        return locate(error, self._location(self._last_token.start))

    def parse_module(self, allow_implicit_module: bool = True) -> ModuleOp:
        if allow_implicit_module and self._current_token.kind == MLIRTokenKind.EOF:
            return ModuleOp([])  # An empty file is an empty module, as it is for mlir-opt.
        try:
            return super().parse_module(allow_implicit_module)
        except (VerifyException, ValueError) as error:
            raise self._here(error) from None
        except RecursionError:
            raise ParseError(self._current_token.span, "too much is nested here") from None
        except ParseError as error:
            if self.forward_ssa_references and "not defined" in error.msg:
                # xDSL points at the end of the file; the first use is what a reader looks for.
                name = next(iter(self.forward_ssa_references))
                error.span = self._first_uses.get(name, error.span)
            raise

    def parse_operation(self) -> Operation:
        first = self._current_token.span
        try:
            op = super().parse_operation()
        except IndexError:
            # xDSL makes the bodies of linalg's named ops from their operands, and takes the first.
            raise ParseError(first, "operands of this op are missing") from None
        except NotImplementedError:
            # xDSL has types of floats, f80 and f128, whose numbers it cannot hold.
            raise ParseError(self._last_token, "literals of this type are not read") from None
        except (VerifyException, ValueError) as error:
            raise self._here(error) from None
        if op.location == UNKNOWN_LOC:
            op.location = self._location(first.start)
        return op

    def parse_optional_builtin_int_or_float_attr(self) -> IntegerAttr | FloatAttr | None:
        found = super().parse_optional_builtin_int_or_float_attr()
        if isinstance(found, FloatAttr):
            found.type.pack((0.0,))  # Raises where xDSL could not print the number either.
        return found

    def _parse_tensor_literal_element(self) -> LiteralElement:
        element = super()._parse_tensor_literal_element()
        return LiteralElement(element.is_negative, element.value, element.span)

    def _consume_token(self, expected_kind: MLIRTokenKind | None = None) -> MLIRToken:
        self._last_token = self._current_token.span
        return super()._consume_token(expected_kind)

    def resolve_operand(
        self, operand: UnresolvedOperand, type: AttributeInvT
    ) -> SSAValue[AttributeInvT]:
        self._first_uses.setdefault(operand.operand_name, operand.span)
        return super().resolve_operand(operand, type)


@dataclass(frozen=True)
class LocatedFrontend(MLIRFrontend):
    """MLIR text, read by the located parser."""

    def parse(self, ctx: Context, input: IO[bytes], input_name: str = "input") -> ModuleOp:
        try:
            text = input.read().decode("utf-8")
        except UnicodeDecodeError as error:
            raise DiagnosticException(f"the file is not UTF-8: {error}") from None
        parser = LocatedParser(ctx, text, input_name)
        return parser.parse_module(not self.no_implicit_module)
