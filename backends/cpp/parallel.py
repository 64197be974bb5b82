"""Parallel loops, as OpenMP. A compiler that is not asked for OpenMP makes serial loops of them."""

from xdsl.dialects import cf, memref, scf
from xdsl.utils.exceptions import DiagnosticException

from tamale.backends.cpp.body import Body
from tamale.backends.cpp.expressions import Expression
from tamale.backends.cpp.types import ctype_of
from tamale.dialects.memref import ReallocOp
from tamale.dialects.walking import walk_ops

_FAILING = (memref.AllocOp, ReallocOp, cf.AssertOp)


def print_parallel(body: Body, op: scf.ParallelOp) -> None:
    """
    `for (int64_t w = lower; w < upper; w++)` below a pragma: a thread for each iteration.

    Raises:
        DiagnosticException: there are several variables or a reduction, or something inside can
            fail: nothing jumps out of a parallel loop.
    """
    if len(op.body.block.args) != 1 or op.initVals:
        raise DiagnosticException(
            "cpp: 'scf.parallel' has a C++ form with one variable and without reductions.\n"
            "  help: nest loops, and combine partial results behind the loop."
        )
    failing = next((inner for inner in walk_ops(op.body) if isinstance(inner, _FAILING)), None)
    if failing is not None:
        raise DiagnosticException(
            f"cpp: '{failing.name}' in a parallel loop could fail there, and nothing leaves one.\n"
            "  help: allocate and check in front of the loop."
        )
    (counter,) = op.body.block.args
    lower, upper, step = (body.values.atom(v) for v in op.operands)
    body.values.settle(body.places.writes(op))
    with body.scopes.nested():
        name = body.scopes.declare(counter.name_hint or "worker")
        ctype = ctype_of(counter.type)
        body.values.set(counter, Expression(name, ctype))
        lines = body.region_lines(op.body.block, {})
    advance = f"{name}++" if step.text == "1" else f"{name} += {step.text}"
    count = upper.text if lower.text == "0" and step.text == "1" else None
    threads = f" num_threads({count})" if count else ""
    body.lines.add(f"#pragma omp parallel for{threads} schedule(static, 1)")
    start = f"{ctype.declare(name)} = {lower.text}"
    body.lines.add_block(f"for ({start}; {name} < {upper.text}; {advance}) {{", lines)
