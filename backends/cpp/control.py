"""Loops and choices."""

from collections.abc import Iterator

from xdsl.dialects import arith, memref, scf
from xdsl.ir import Block, BlockArgument, SSAValue

from tamale.backends.cpp.body import Body
from tamale.backends.cpp.expressions import Expression, Place, Precedence, Variable, negation
from tamale.backends.cpp.forms.constants import literal_value
from tamale.backends.cpp.lines import indented
from tamale.backends.cpp.types import Kind, as_memref, ctype_of, element_ctype
from tamale.dialects.reductions import reductions_of

_ACCUMULATIONS = {arith.AddfOp: "+", arith.MulfOp: "*"}


def print_if(body: Body, op: scf.IfOp) -> None:
    """`if`, `else if` and `else`; results are variables that both sides assign."""
    condition = body.values.operand(op.cond)
    receivers: dict[int, Expression] = {}
    for number in body.liveness.results(op):
        result = op.output[number]
        receiver = body.receiver_of(result, op) or body.variable(result)
        receivers[number] = receiver
    body.values.settle(_changes(body, op, receivers))
    then_lines = body.region_lines(op.true_region.block, receivers)
    else_lines: list[str] = []
    if op.false_region.blocks:
        else_lines = body.region_lines(op.false_region.block, receivers)
    body.lines.add(*_if_lines(condition, then_lines, else_lines))
    for number, receiver in receivers.items():
        body.values.set(op.output[number], receiver)


def _if_lines(condition: Expression, then_lines: list[str], else_lines: list[str]) -> list[str]:
    if not then_lines:
        condition, then_lines, else_lines = negation(condition), else_lines, []
    if not then_lines:
        # Nothing to choose between; but the condition may be all that reads a variable.
        return [f"(void){condition.within(Precedence.UNARY)};"]
    lines = [f"if ({condition.text}) {{", *indented(then_lines)]
    if not else_lines:
        return [*lines, "}"]
    if _is_one_choice(else_lines):
        return [*lines, f"}} else {else_lines[0]}", *else_lines[1:]]
    return [*lines, "} else {", *indented(else_lines), "}"]


def _is_one_choice(lines: list[str]) -> bool:
    """Whether `lines` are one `if` statement with all its branches."""
    outermost = [line for line in lines if not line.startswith(" ")]
    first, *middle, last = outermost if len(outermost) > 1 else ["", ""]
    return (
        first.startswith("if (")
        and first.endswith("{")
        and all(line.startswith("} else") for line in middle)
        and last == "}"
        and lines[-1] == last
    )


def print_for(body: Body, op: scf.ForOp) -> None:
    """`for (int64_t i = lower; i < upper; i++)`; carried values are variables around it."""
    counter, *arguments = op.body.block.args
    variables: dict[int, Expression] = {}
    for number in body.liveness.carried(op):
        variables[number] = _carry(body, op, op.iter_args[number], arguments[number], variables)
        body.values.set(arguments[number], variables[number])
    changed = _changes(body, op, variables)
    lower = body.values.operand(op.lb)
    upper, step = (_bound(body, value, changed) for value in (op.ub, op.step))
    body.values.settle(changed)
    with body.scopes.nested():
        name = body.scopes.declare(counter.name_hint or "i")
        ctype = ctype_of(counter.type)
        body.values.set(counter, Expression(name, ctype))
        advance = f"{name}++" if step.text == "1" else f"{name} += {step.text}"
        start = f"{ctype.declare(name)} = {lower.text}"
        limit = f"{name} < {upper.within(Precedence.ADDITIVE)}"
        lines = body.region_lines(op.body.block, variables)
    body.lines.add(*_in_any_order(body, op), *_unrolled(op, literal_value(upper)))
    body.lines.add_block(f"for ({start}; {limit}; {advance}) {{", lines)
    for number, variable in variables.items():
        body.values.set(op.res[number], variable)


def _in_any_order(body: Body, op: scf.ForOp) -> Iterator[str]:
    """Lets the compiler take several steps at a time, if all reductions may be reordered."""
    reductions = reductions_of(op)
    if reductions and all(each.in_any_order for each in reductions):
        clauses: list[str] = []
        for each in reductions:
            variable = body.values.consume(each.variable).text
            clauses.append(f"reduction({_ACCUMULATIONS[type(each.op)]} : {variable})")
        yield f"#pragma omp simd {' '.join(clauses)}"


def _unrolled(op: scf.ForOp, steps: int | None) -> Iterator[str]:
    """Has a loop over a whole local array of numbers taken apart: they are variables then."""
    accesses = (use.operation for use in op.body.block.args[0].uses)
    for access in accesses:
        if isinstance(access, memref.LoadOp | memref.StoreOp):
            array = access.memref
            is_local = isinstance(array.owner, memref.AllocaOp)
            is_whole = as_memref(array.type).get_shape() == (steps,)
            if is_local and is_whole and element_ctype(array.type).kind is not Kind.POINTER:
                yield f"#pragma GCC unroll {steps}"
                return


def _bound(body: Body, value: SSAValue, changed: set[Place]) -> Expression:
    """The text of a bound that the loop evaluates again and again: constant and cheap."""
    bound = body.values.operand(value)
    is_element = bound.precedence is Precedence.POSTFIX and bound.text.endswith("]")
    if (bound.is_atom or is_element) and not bound.reads & changed:
        return bound
    return body.values.name(value, bound)


def print_while(body: Body, op: scf.WhileOp) -> None:
    """`while (condition)`, or a loop with a `break` if the condition takes statements."""
    before, after = op.before_region.block, op.after_region.block
    condition = before.last_op
    assert isinstance(condition, scf.ConditionOp)
    variables: dict[int, Expression] = {}
    for number in body.liveness.carried_before(op):
        variables[number] = _carry(body, op, op.arguments[number], before.args[number], variables)
        body.values.set(before.args[number], variables[number])
    passed_on = {
        number: body.variable(op.res[number])
        for number in body.liveness.forwarded(op)
        if not _has_name(body, condition.args[number], before)
    }
    body.values.settle(_changes(body, op, variables))
    with body.scopes.nested():
        with body.lines.captured() as test_lines:
            body.print_ops(before)
            test = body.values.operand(condition.condition)
            body.assign_all(passed_on, condition.args)
        for number in body.liveness.forwarded(op):
            text = passed_on.get(number) or body.values.consume(condition.args[number])
            body.values.set(after.args[number], text)
            body.values.set(op.res[number], text)
        lines = body.region_lines(after, variables)
    if test_lines:
        leave = f"if ({negation(test).text}) break;"
        body.lines.add_block("for (;;) {", [*test_lines, leave, *lines])
    else:
        body.lines.add_block(f"while ({test.text}) {{", lines)


def _has_name(body: Body, value: SSAValue, before: Block) -> bool:
    """
    Whether a value forwarded by a loop's condition needs no variable of its own.

    It is a variable of the loop, or is fixed before it. A variable from outside is neither: inside
    the loop, it must not be taken for one that may change.
    """
    if isinstance(value, BlockArgument):
        is_outside = value.owner is not before
    else:
        is_outside = value.owner.parent is not before
    if is_outside:
        return not body.values.consume(value).reads
    return isinstance(value, BlockArgument)


def _carry(
    body: Body,
    op: scf.ForOp | scf.WhileOp,
    initial: SSAValue,
    argument: SSAValue,
    taken: dict[int, Expression],
) -> Expression:
    """
    The variable for a value carried around a loop.

    If the initial value is in a variable that nobody needs any more, that variable goes on.
    """
    value = body.values.consume(initial)
    is_variable = value.is_atom and any(isinstance(place, Variable) for place in value.reads)
    if (
        is_variable
        and value.ctype == ctype_of(initial.type)
        and value not in taken.values()
        and body.values.is_single_use(initial)
        and not body.is_read_after(value, op, or_inside=True)
    ):
        return value
    return body.variable(argument, value)


def _changes(
    body: Body, op: scf.IfOp | scf.ForOp | scf.WhileOp, assigned: dict[int, Expression]
) -> set[Place]:
    """Everything that `op` changes: places it writes, and variables it assigns."""
    return set(body.places.writes(op)).union(*(variable.reads for variable in assigned.values()))
