"""Parallel loops, as OpenMP. A compiler that is not asked for OpenMP makes serial loops of them."""

from xdsl.dialects import scf
from xdsl.utils.exceptions import DiagnosticException

from tamale.backends.cpp.body import Body
from tamale.backends.cpp.exits import open_exit
from tamale.backends.cpp.expressions import Expression
from tamale.backends.cpp.types import ctype_of


def print_parallel(body: Body, op: scf.ParallelOp) -> None:
    """
    `for (int64_t w = lower; w < upper; w++)` below a pragma: a thread for each iteration.

    Nothing jumps out of a parallel loop: what fails inside ends its own iteration, and the function
    is left behind the loop.

    Raises:
        DiagnosticException: there are several variables or a reduction.
    """
    if len(op.body.block.args) != 1 or op.initVals:
        raise DiagnosticException(
            "cpp: 'scf.parallel' has a C++ form with one variable and without reductions.\n"
            "  help: nest loops, and combine partial results behind the loop."
        )
    (counter,) = op.body.block.args
    lower, upper, step = (body.values.atom(v) for v in op.operands)
    body.values.settle(body.places.writes(op))
    failed = None
    if body.ownership.can_fail(op):
        failed = body.scopes.declare("failed")
        body.lines.add(f"int32_t {failed} = 0;")
    with body.scopes.nested():
        name = body.scopes.declare(counter.name_hint or "worker")
        ctype = ctype_of(counter.type)
        body.values.set(counter, Expression(name, ctype))
        lines = _iteration(body, op, failed)
    advance = f"{name}++" if step.text == "1" else f"{name} += {step.text}"
    count = upper.text if lower.text == "0" and step.text == "1" else None
    threads = f" num_threads({count})" if count else ""
    body.lines.add(f"#pragma omp parallel for{threads} schedule(static, 1)")
    start = f"{ctype.declare(name)} = {lower.text}"
    body.lines.add_block(f"for ({start}; {name} < {upper.text}; {advance}) {{", lines)
    if failed is not None:
        body.lines.add(f"if ({failed}) {body.exit.passed_on(failed)}")


def _iteration(body: Body, op: scf.ParallelOp, failed: str | None) -> list[str]:
    """
    What an iteration runs; if it can fail, with the variable that is told its status, and a place
    behind all where it frees what it owns.
    """
    if failed is None:
        return body.region_lines(op.body.block, {})
    outer = body.exit
    body.exit = own = open_exit(body, op, body.scopes.label("stop"), body.scopes.label("cause"))
    lines = [*body.region_lines(op.body.block, {}), "continue;"]
    body.exit = outer
    told = ["#pragma omp atomic write", f"{failed} = {own.code};"]
    return [*own.declarations, *own.guarded(lines), f"{own.label}:", *own.frees, *told]
