"""
Kernels over hybrid tensors: a statement that is linear in one is computed part by part.

    y(i) = A(i,j) * x(j)               y(i) = A1(i,j) * x(j);  y(i) += A2(i,j) * x(j)
    Z(i,j) = A(i,j) + B(i,j)           Z(i,j) = A1(i,j) + B(i,j);  Z(i,j) += A2(i,j)

The first statement is the whole one with the first part in the hybrid's place; those that follow
add the terms of the hybrid. Where the statement is not linear, or the result is sparse and cannot
be added to, the hybrid is converted to a single format first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from tamale.dialects.errors import NotationError
from tamale.dialects.format.hybrid import HybridFormat
from tamale.dialects.format.named import resolve_format
from tamale.dialects.notation.ast import Access, Assignment, Call, Expr, Literal, Reduce, to_text
from tamale.dialects.notation.parser import parse_notation
from tamale.frontend.dtypes import is_array
from tamale.frontend.hybrid import HybridTensor
from tamale.frontend.naming import shown
from tamale.frontend.notation.check import check_notation
from tamale.frontend.notation.reductions import accesses, explicit_reductions


class _NotLinear(Exception):
    """Why a statement cannot be computed part by part."""


def evaluate_hybrids(
    evaluate: Callable[..., Any],
    expression: str,
    out: Any,
    dtype: object,
    operands: Mapping[str, Any],
) -> Any:
    """
    Computes a statement with hybrid tensors among its operands.

    Args:
        evaluate: computes statements, as `tm.evaluate` does.
        expression: the statement.
        out: as for `tm.evaluate`.
        dtype: likewise.
        operands: likewise; at least one is a hybrid.
    """
    name = next(n for n, value in operands.items() if isinstance(value, HybridTensor))
    value: HybridTensor = operands[name]
    try:
        more = terms_of(expression, name, out)
    except _NotLinear:
        plain = value.to_format(value.plain_format)
        return evaluate(expression, out=out, dtype=dtype, **{**operands, name: plain})
    steps = [expression, *[to_text(more)] * (len(value.parts) - 1)]
    used = {access.tensor for access in accesses(more.expression)}
    given: dict[str, Any] = dict(operands)
    result: Any = None
    for number, (step, part) in enumerate(zip(steps, value.parts, strict=True)):
        given[name] = part
        if number == 1:
            given = {n: operand for n, operand in given.items() if n in used}
        if number:
            given[more.result.tensor] = result
            dtype = dtype or result.dtype
        last = number == len(steps) - 1
        result = evaluate(
            step, out="dense" if is_array(out) and not last else out, dtype=dtype, **given
        )
    return result


def explain(expression: str, name: str, value: HybridTensor, out: Any = "dense") -> str:
    """How a statement in which `name` is a hybrid is computed, and why."""
    try:
        more = terms_of(expression, name, out)
    except _NotLinear as reason:
        return f"{name} is converted to {shown(value.plain_format)} first: {reason}"
    lines = [f"a kernel for each part of {name}:"]
    steps = [expression, *[to_text(more)] * (len(value.parts) - 1)]
    for step, part in zip(steps, value.parts, strict=True):
        lines.append(f"  {step}   with {name} in {shown(part.format)}")
    return "\n".join(lines)


def terms_of(expression: str, name: str, out: Any = "dense") -> Assignment:
    """
    What every further part of the tensor `name` adds to the result, as a statement.

    Raises:
        NotationError: the statement cannot be read or has no meaning, or has no such tensor.
        _NotLinear: it cannot be computed part by part.
    """
    parsed = parse_notation(expression)
    check_notation(parsed, expression)
    statement = explicit_reductions(parsed)
    if name not in {access.tensor for access in accesses(statement.expression)}:
        raise NotationError(f"evaluate: '{name}' names no operand of  {expression}")
    result = statement.result
    if isinstance(out, HybridFormat):
        out = shown(out)
    if isinstance(out, str):
        out = resolve_format(out, len(result.indices))
    if not is_array(out) and not out.all_dense:
        raise _NotLinear(f"a result in {shown(out)} is not added to part by part")
    terms = _terms(statement.expression, name)
    assert terms is not None
    if result.tensor in {access.tensor for access in accesses(terms)}:
        raise _NotLinear(f"'{to_text(terms)}' reads the result")
    return Assignment(result, "add", terms)


def _terms(expr: Expr, name: str) -> Expr | None:
    """The terms of an expression with the tensor in them; None if there are none."""
    if all(access.tensor != name for access in accesses(expr)):
        return None
    match expr:
        case Access() | Literal():
            return expr
        case Reduce(operator="add"):
            body = _terms(expr.body, name)
            assert body is not None
            return replace(expr, body=body)
        case Call(operator="add" | "sub" | "neg"):
            return _sum_of_terms(expr, name)
        case Call(operator="mul" | "div"):
            return _scaled_terms(expr, name)
        case _:
            raise _NotLinear(f"'{to_text(expr)}' is not linear in {name}")


def _sum_of_terms(expr: Call, name: str) -> Expr:
    first, *second = (_terms(argument, name) for argument in expr.arguments)
    if not second:
        assert first is not None
        return Call("neg", (first,))
    if first is None:
        assert second[0] is not None
        return second[0] if expr.operator == "add" else Call("neg", (second[0],))
    return first if second[0] is None else Call(expr.operator, (first, second[0]))


def _scaled_terms(expr: Call, name: str) -> Expr:
    """A product of terms and a factor without the tensor, or terms divided by a number."""
    lhs, rhs = expr.arguments
    left, right = _terms(lhs, name), _terms(rhs, name)
    if right is None and left is not None:
        if expr.operator == "mul" or isinstance(rhs, Literal):
            return Call(expr.operator, (left, rhs))
    elif left is None and right is not None and expr.operator == "mul":
        return Call("mul", (lhs, right))
    raise _NotLinear(f"'{to_text(expr)}' is not linear in {name}")
