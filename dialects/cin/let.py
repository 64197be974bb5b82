"""`let`, which binds an index variable to an expression; cin and cfir each have theirs."""

from __future__ import annotations

import re
from abc import ABC
from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.ir import Attribute, Block, Operation, Region
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    region_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import NoTerminator
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.cin.attributes import ExpressionAttr, SetAttr
from tamale.dialects.cin.inside import InsideKernel
from tamale.dialects.cin.scope import Scope, verify_located, wrong
from tamale.dialects.cin.sets import Stored
from tamale.dialects.cin.text import parse_body, print_body, text_after_keyword
from tamale.dialects.cin.walks import leaves_attribute, located_text, parse_clauses
from tamale.dialects.format.expression_parser import parse_expression
from tamale.dialects.format.expressions import Expr, free_variables, to_text
from tamale.dialects.format.folding import DIMENSION
from tamale.dialects.raw_text import read

_BOUND = re.compile(r"(.*\S)\s+(within|below)\s+(\S.*)", re.DOTALL)
_CLAUSES = re.compile(r"(.*\S)\s+with\s+(\S.*)", re.DOTALL)
_BODY = r"(?<!#)\{"
"""`#{` belongs to a counter."""


class LetLike(IRDLOperation, ABC):
    """
    Binds `index_var` to the value of an expression over coordinates and sizes of dimensions.

        cin.let i = i_div_2 * 2 + i_mod_2 within dim_i with x.i = i { ... }

    `dim_i` is the size of the dimension of i. With `within e` the body is skipped unless
    `0 <= value < e`; with `below e` the value is known to lie there. A counter, `#i`, is how many
    times the let was reached before with the same value of i. A level in `with` has its position
    computed from the value.
    """

    index_var = prop_def(StringAttr)
    value = prop_def(ExpressionAttr)
    within = opt_prop_def(ExpressionAttr)
    below = opt_prop_def(ExpressionAttr)
    located = prop_def(ArrayAttr[SetAttr])
    body = region_def("single_block")
    traits = traits_def(NoTerminator(), InsideKernel())

    def __init__(
        self,
        index_var: str,
        value: Expr,
        body: Region | Sequence[Operation],
        *,
        within: Expr | None = None,
        below: Expr | None = None,
        located: Sequence[Stored] = (),
    ) -> None:
        properties: dict[str, Attribute] = {
            "index_var": StringAttr(index_var),
            "value": ExpressionAttr(value),
            "located": leaves_attribute(located),
        }
        if within is not None:
            properties["within"] = ExpressionAttr(within)
        if below is not None:
            properties["below"] = ExpressionAttr(below)
        region = body if isinstance(body, Region) else Region(Block(body))
        super().__init__(properties=properties, regions=[region])

    @property
    def bound(self) -> Expr | None:
        """What the value is below: `within` or `below`, whichever there is."""
        given = self.within or self.below
        return None if given is None else given.data

    @property
    def located_leaves(self) -> tuple[Stored, ...]:
        return tuple(cast(Stored, attribute.data) for attribute in self.located)

    @classmethod
    def parse(cls, parser: Parser):
        variable = parser.parse_identifier(context_msg="an index variable")
        start = parser.pos
        text = text_after_keyword(parser, "=", _BODY)
        if text is None:
            parser.raise_error("expected '=' and an expression")
        value, bounds, located = read(parser, start, text, _parts)
        body = parse_body(parser)
        return cls(variable, value, body, **bounds, located=located)

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.index_var.data} = {to_text(self.value.data)}")
        for keyword, bound in (("within", self.within), ("below", self.below)):
            if bound is not None:
                printer.print_string(f" {keyword} {to_text(bound.data)}")
        clauses = located_text(self.located_leaves)
        printer.print_string(f" with {clauses} " if clauses else " ")
        print_body(printer, self.body)

    def verify_(self) -> None:
        if self.within is not None and self.below is not None:
            raise VerifyException(f"{self.name}: either `within` or `below`, not both")
        for attribute in self.located:
            if not isinstance(attribute.data, Stored):
                raise VerifyException(f"{self.name}: only a stored level can be located")


def _parts(text: str) -> tuple[Expr, dict[str, Expr], list[Stored]]:
    """`value`, perhaps `within bound` or `below bound`, perhaps `with` clauses."""
    clauses = _CLAUSES.fullmatch(text.strip())
    located = parse_clauses(clauses[2]) if clauses else []
    rest = clauses[1] if clauses else text
    bound = _BOUND.fullmatch(rest.strip())
    if bound is None:
        return parse_expression(rest), {}, located
    return parse_expression(bound[1]), {bound[2]: parse_expression(bound[3])}, located


@irdl_op_definition
class LetOp(LetLike):
    """
    Binds an index variable to an expression.

        cin.let i = i_div_2 * 2 + i_mod_2 within dim_i { ... }

    Formats whose levels store expressions get their modes back so. Source: Chou et al., PLDI 2020,
    sec. 4.
    """

    name = "cin.let"


def verify_let(op: LetLike, scope: Scope) -> Scope:
    """The scope inside; every name in the expressions is bound outside, or a dimension's size."""
    expressions = [op.value.data, *([] if op.bound is None else [op.bound])]
    for name in sorted(frozenset[str]().union(*map(free_variables, expressions))):
        if name not in scope.bound and not is_dimension(name, scope):
            raise wrong(
                op,
                f"'{name}' in '{to_text(op.value.data)}' is neither bound by a loop or let around "
                "it nor the size of a dimension",
            )
    inside = scope.binding(op, op.index_var.data)
    verify_located(op, op.index_var.data, op.located_leaves, inside)
    return inside


def is_dimension(name: str, scope: Scope) -> bool:
    """Whether `dim_i` names the dimension of an index variable of some access."""
    variable = name.removeprefix(DIMENSION)
    return variable != name and any(variable in a.indices for a in scope.accesses.values())
