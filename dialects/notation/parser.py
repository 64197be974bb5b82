"""
Text -> `Assignment`.

    statement  = access ('=' | '+=' | '*=' | '|=' | '&=' | operator '=') expression
    expression = operand { ('+' | '-' | '*' | '/') operand }   * and / bind tighter; left to right
    operand    = '-' operand | '(' expression ')' | number | constant | reduction | call | access
    constant   = 'true' | 'false' | 'inf' | 'nan'
    reduction  = 'sum' '(' variables ',' expression ')'
               | 'reduce' '(' operator ',' variables ',' expression ')'
    variables  = name { ',' name } | '(' name { ',' name } ')'
    call       = operator '(' [ expression { ',' expression } ] ')'
    access     = name [ '(' [ name { ',' name } ] ')' ]           or with [ ]

A name of the operator table is always an operator; any other name that is no keyword is a tensor
(or, between the brackets of an access, an index variable). So `max(a, b)` is a call and `A(i,j)`
an access, whatever stands between the brackets. A minus before a number belongs to the literal:
`-2` is `Literal(-2)`, `-(2)` is `Call("neg", ...)`.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import NoReturn

from tamale.dialects.errors import NotationError
from tamale.dialects.notation.access_parser import AccessParser
from tamale.dialects.notation.ast import (
    ASSIGNMENT_SYMBOLS,
    INFIX,
    PRECEDENCE,
    Access,
    Assignment,
    Call,
    Expr,
    Literal,
    Reduce,
    Span,
    children,
    to_text,
)
from tamale.dialects.notation.keywords import CONSTANTS, KEYWORDS
from tamale.dialects.notation.lexer import Token
from tamale.dialects.notation.numbers import number_value
from tamale.dialects.operators import declared_operators

MAX_DEPTH = 100
"""Deepest nesting of brackets, and of operations; `a + b + c + d` is three operations deep."""

_OPERATOR_OF = {symbol: operator for operator, symbol in INFIX.items()}
_REDUCTION_OF = {symbol: operator for operator, symbol in ASSIGNMENT_SYMBOLS.items()}
_USAGE = {"sum": "sum(j, ...)", "reduce": "reduce(max, j, ...)"}


def parse_notation(text: str, operators: Mapping[str, int] | None = None) -> Assignment:
    """
    Reads one index notation statement.

    Args:
        text: the statement, at most 65,536 characters; white space is free.
        operators: the operators that may be called, name -> number of arguments; None for every
            operator that is declared.

    Raises:
        NotationError: `text` is no statement; the message points at the place.

    >>> to_text(parse_notation("y[i]=A(i,j)*x(j)"))
    'y(i) = A(i,j) * x(j)'
    """
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise NotationError(f"notation: expected a string, got a {type(text).__name__}")
    known = declared_operators() if operators is None else operators
    return _Parser(text, known).statement()


class _Parser(AccessParser):
    """One method per rule of the grammar."""

    def __init__(self, text: str, operators: Mapping[str, int]):
        super().__init__(text, operators)
        self.nesting = 0

    def statement(self) -> Assignment:
        result = self.result()
        operator = self.assignment_operator(result)
        expression = self.expression()
        self.finish()
        self.check_depth(expression)
        span = (result.span[0], expression.span[1])
        return Assignment(result, operator, expression, span=span)

    def result(self) -> Access:
        token = self.take()
        if token.kind == "end":
            self.fail(token.span, "the statement is empty", "write  y(i) = A(i,j) * x(j)")
        if token.kind != "name":
            self.fail(token.span, f"expected the name of the result, got {token}")
        return self.access(token)

    def assignment_operator(self, result: Access) -> str | None:
        token = self.take()
        if token.kind == "name" and self.accept("="):
            return self.reduction_operator(token)
        if token.text in ("-=", "/="):
            help = f"write  {to_text(result)} = {to_text(result)} {token.text[0]} (...)"
            self.fail(token.span, f"{token} is no reduction", help)
        if token.kind != "assign":
            help = "the left side is one access; write the expression after '='"
            self.fail(token.span, f"expected '=' after '{to_text(result)}', got {token}", help)
        return _REDUCTION_OF[token.text]

    def expression(self, above: int = 0) -> Expr:
        """Operands joined by operators that bind tighter than `above`."""
        left = self.operand()
        while operator := _OPERATOR_OF.get(self.token.text):
            binding = PRECEDENCE[operator]
            if binding <= above:
                break
            self.take()
            right = self.expression(binding)
            left = Call(operator, (left, right), span=(left.span[0], right.span[1]))
        return left

    def operand(self) -> Expr:
        self.nesting += 1
        if self.nesting > MAX_DEPTH:
            self.fail_too_deep(self.token.span)
        if self.token.kind not in ("name", "number") and self.token.text not in ("-", "("):
            self.fail_without_operand()
        token = self.take()
        if token.kind == "number":
            operand = Literal(number_value(self.text, token), span=token.span)
        elif token.kind == "name":
            operand = self.named(token)
        else:
            operand = self.negation(token) if token.text == "-" else self.group(token)
        self.nesting -= 1
        return operand

    def negation(self, minus: Token) -> Expr:
        number = self.token
        if number.kind == "number":
            value = number_value(self.text, self.take(), sign=-1)
            return Literal(value, span=(minus.span[0], number.span[1]))
        operand = self.operand()
        span = (minus.span[0], operand.span[1])
        if number.text == "inf":
            return Literal(-CONSTANTS["inf"], span=span)
        return Call("neg", (operand,), span=span)

    def group(self, opening: Token) -> Expr:
        inner = self.expression()
        closing = self.close(opening, separator="an operator")
        return replace(inner, span=(opening.span[0], closing.span[1]))

    def named(self, name: Token) -> Expr:
        if name.text in CONSTANTS:
            return Literal(CONSTANTS[name.text], span=name.span)
        if name.text in KEYWORDS:
            return self.reduction(name)
        if name.text in self.operators:
            return self.call(name)
        return self.access(name)

    def call(self, name: Token) -> Call:
        arity = self.operators[name.text]
        usage = f"{name.text}({', '.join('abcdefgh'[:arity])})"
        opening = self.opening(name, usage)
        arguments: list[Expr] = []
        if self.token.text != ")":
            arguments.append(self.expression())
            while self.accept(","):
                arguments.append(self.expression())
        span = (name.span[0], self.close(opening, separator="an operator, ','").span[1])
        if len(arguments) != arity:
            expected = f"{arity} argument" if arity == 1 else f"{arity} arguments"
            message = f"operator {name} takes {expected}, got {len(arguments)}"
            self.fail(span, message, f"write {usage}")
        return Call(name.text, tuple(arguments), span=span)

    def reduction(self, keyword: Token) -> Reduce:
        opening = self.opening(keyword, _USAGE[keyword.text])
        operator = "add"
        if keyword.text == "reduce":
            operator = self.reduction_operator(self.take())
            self.accept_comma_of(keyword)
        variables = self.reduction_variables(keyword)
        body = self.expression()
        closing = self.close(opening, separator="an operator")
        return Reduce(operator, variables, body, span=(keyword.span[0], closing.span[1]))

    def reduction_variables(self, keyword: Token) -> tuple[str, ...]:
        """The variables and the comma after them; the last item of a reduction is its body."""
        opening = self.token
        if self.accept("("):
            names = self.index_variables(keyword)
            self.close(opening, separator="','")
            self.accept_comma_of(keyword)
            return names
        found: list[str] = []
        while self.token.kind == "name" and self.ahead(1).text == ",":
            found.append(self.index_variable(keyword))
            self.take()
        if not found:
            message = f"{keyword} needs its index variables before its body"
            self.fail(self.token.span, message, f"write {_USAGE[keyword.text]}")
        return tuple(found)

    def accept_comma_of(self, keyword: Token) -> None:
        if not self.accept(","):
            message = f"expected ',' after {self.previous}, got {self.token}"
            self.fail(self.token.span, message, f"write {_USAGE[keyword.text]}")

    def opening(self, name: Token, usage: str) -> Token:
        """The parenthesis after an operator or a keyword."""
        if self.token.text != "(":
            help = f"write {usage}; a tensor needs another name"
            self.fail(name.span, f"{name} needs its arguments in parentheses", help)
        return self.take()

    def fail_without_operand(self) -> NoReturn:
        token, previous = self.token, self.previous
        if token.kind == "assign":
            self.fail_second_assignment()
        help = ""
        if token.text == "[":
            help = "group with parentheses"
        if token.text == previous.text == "*":
            help = "a power is written as a product, a * a"
        self.fail(token.span, f"expected an operand after {previous}, got {token}", help)

    def check_depth(self, expression: Expr) -> None:
        """Later stages recurse over the tree; none may meet Python's recursion limit."""
        pending = [(expression, 1)]
        while pending:
            node, depth = pending.pop()
            if depth > MAX_DEPTH:
                self.fail_too_deep(node.span)
            pending += [(child, depth + 1) for child in children(node)]

    def fail_too_deep(self, where: Span) -> NoReturn:
        message = f"more than {MAX_DEPTH} operations or brackets are nested in each other here"
        self.fail(where, message, "split the statement into several")
