"""The functions of the Python interface: parse, compile, evaluate, einsum."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from tamale.dialects.errors import FormatError
from tamale.dialects.format.hybrid import HybridFormat
from tamale.dialects.format.named import dense_format
from tamale.dialects.format.spec import Format
from tamale.dialects.lazy import load
from tamale.dialects.notation.ast import to_text
from tamale.dialects.notation.parser import parse_notation
from tamale.frontend.arguments import check_subscripts, numbers_by_name
from tamale.frontend.conversion_api import format_of
from tamale.frontend.dtypes import C_TYPES, is_array
from tamale.frontend.hybrid import HybridTensor
from tamale.frontend.interop import tensor
from tamale.frontend.kernel import Kernel
from tamale.frontend.naming import shown
from tamale.frontend.notation.einsum import einsum_to_assignment
from tamale.frontend.notation.reductions import accesses
from tamale.frontend.request import make_request
from tamale.frontend.schedule import UNASKED, Schedule, scheduled_in, worker_count
from tamale.frontend.statistics import with_statistics
from tamale.frontend.tensor import Tensor

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

_kernels: dict[Any, Kernel] = {}
_evaluated: dict[Any, Kernel] = {}
_lock = threading.Lock()
_DTYPES = frozenset(map(np.dtype, C_TYPES))


def compile(
    expression: str,
    *,
    dtype: object = None,
    threads: int = 1,
    name: str = "kernel",
    conversions: bool = True,
    order: Sequence[str] | str | None = None,
    schedule: Schedule | None = None,
    sizes: Mapping[str, int] | None = None,
    entries: Mapping[str, int] | None = None,
    assembly: str | None = None,
    **formats: str | Format | Tensor,
) -> Kernel:
    """
    Compiles a statement of index notation.

    Args:
        expression: such as `"y(i) = A(i,j) * x(j)"`.
        dtype: element type of every operand and of the result, float64 by default.
        threads: how many workers share the loops, where they can; see `docs/partitioning.md`.
        name: of the generated function.
        conversions: whether the kernel may convert operands that do not fit together, and its
            result; else such statements are refused.
        order: the loops to run, outermost first: `"i,k,j"` or `("i", "k", "j")`; by default the
            rules of `tamale explain` choose.
        schedule: what else is asked for, `Schedule().precompute("T(i,l) = A(i,k) * B(k,l)")`.
        sizes: index variable -> about how many coordinates it will have.
        entries: operand -> about how many entries it will have. With these or `sizes` the kernel
            is made for such operands; without, it looks at the operands when it is called.
        assembly: how the entries of sparse results get their places: `append`, one pass whose
            arrays grow; `count`, a pass that counts them first, and one that fills exact room; by
            default whichever is faster by the rule that `tamale explain` tells.
        formats: tensor -> named format, format line or `Format`; dense where missing.

    Raises:
        TamaleError: the statement, a format or the combination is refused; the message says why.
    """
    dtypes: dict[str, object] = {}
    if dtype is not None:
        parsed = make_request(expression, {}, {})
        dtypes = {operand.name: dtype for operand in parsed.operands}
    return compile_typed(
        expression,
        _lines(formats),
        dtypes,
        dtype=dtype,
        threads=threads,
        name=name,
        conversions=conversions,
        schedule=scheduled_in(order, schedule),
        sizes=sizes,
        entries=entries,
        assembly=assembly,
    )


def compile_typed(
    expression: str,
    formats: Mapping[str, str | Format],
    dtypes: Mapping[str, object],
    *,
    dtype: object = None,
    threads: int = 1,
    name: str = "kernel",
    accumulate: bool = True,
    conversions: bool = True,
    schedule: Schedule = UNASKED,
    sizes: Mapping[str, int] | None = None,
    entries: Mapping[str, int] | None = None,
    ahead: bool = True,
    assembly: str | None = None,
) -> Kernel:
    """
    As `compile`, with an element type per operand; `accumulate` as in `make_request`. Unless
    `ahead`, what does not depend on sizes of operands is compiled too when it is first called.
    """
    threads = worker_count(threads)  # 2.0 would be found where 2 is kept.
    known_sizes = numbers_by_name({} if sizes is None else sizes, "sizes")
    known_entries = numbers_by_name({} if entries is None else entries, "entries")
    key = (
        expression,
        tuple(sorted(formats.items(), key=lambda item: item[0])),
        tuple(sorted((tensor, str(kind)) for tensor, kind in dtypes.items())),
        str(dtype),
        name,
        accumulate,
        conversions,
        schedule,
        tuple(sorted(known_sizes.items())),
        tuple(sorted(known_entries.items())),
        assembly,
        threads,
    )
    kernel = _kernels.get(key)
    if kernel is None:
        request = make_request(
            expression,
            formats,
            dtypes,
            dtype=dtype,
            name=name,
            accumulate=accumulate,
            conversions=conversions,
            schedule=schedule,
            assembly=assembly,
            threads=threads,
        )
        kernel = Kernel(with_statistics(request, known_sizes, known_entries))
        with _lock:
            kernel = _kernels.setdefault(key, kernel)
    if ahead:
        _ = kernel.native
    return kernel


def _lines(formats: Mapping[str, str | Format | Tensor]) -> dict[str, str | Format]:
    return {name: format_of(format) for name, format in formats.items()}


def parse(expression: str, **formats: str | Format) -> ModuleOp:
    """
    The statement as a module of tin, to run passes on.

    Raises:
        TamaleError: the statement or a format is refused.
    """
    build_module = load("tamale.frontend.building:build_module")
    return build_module(make_request(expression, _lines(formats), {}))


def evaluate(
    expression: str,
    *,
    out: Any = "dense",
    dtype: object = None,
    threads: int = 1,
    conversions: bool = True,
    order: Sequence[str] | str | None = None,
    schedule: Schedule | None = None,
    check_finite: bool = False,
    **operands: Any,
) -> Any:
    """
    Computes a statement; the kernel is compiled on first use and kept.

    Args:
        expression: such as `"y(i) = A(i,j) * x(j)"`.
        out: the result's format, or a NumPy array to write a dense result into.
        dtype: the type to compute in; NumPy's promotion of the operands by default.
        threads: how many workers share the loops, where they can; see `docs/partitioning.md`.
        conversions: whether tensors may be converted inside of the kernel; else such statements
            are refused.
        order, schedule: as of `compile`; `check_finite`: as of a call of `Kernel`.
        operands: the tensors on the right: tensors, numbers, or arrays of any library that
            `tensor` knows. For `op=` the result's old value may be among them; without it the
            result starts from nothing.

    Returns:
        A NumPy array (a number for order 0) where `out` is dense, else a `Tensor`.

    Raises:
        TamaleError: the statement, an operand or the combination is refused.
    """
    options = (dtype, threads, conversions, order, schedule, check_finite)
    return evaluated(expression, operands, out, *options)


def evaluated(
    expression: str,
    operands: Mapping[str, Any],
    out: Any,
    dtype: object = None,
    threads: int = 1,
    conversions: bool = True,
    order: Sequence[str] | str | None = None,
    schedule: Schedule | None = None,
    check_finite: bool = False,
) -> Any:
    """As `evaluate`, with the operands in a mapping."""
    given: dict[str, Any] = {}
    kinds: list[Any] = []
    for name, value in operands.items():
        if type(value) is Tensor:
            kinds += (name, value.type)
        else:
            value = _operand(value)
            if isinstance(value, HybridTensor):
                options = {"threads": threads, "conversions": conversions, "order": order}
                each = partial(evaluate, **options, schedule=schedule, check_finite=check_finite)
                return _evaluate_hybrids(each, expression, out, dtype, operands)
            kinds += (name, *_kind(value))
        given[name] = value
    array, target = None, out
    if not isinstance(out, (str, Format)):
        array, target = (out, None) if is_array(out) else (None, _format_out(out))
        out = array if target is None else target
    if type(threads) is not int:  # 2.0 would be found where 2 is kept.
        threads = worker_count(threads)
    asked = None if order is None and schedule is None else scheduled_in(order, schedule)
    kind = None if dtype is None else str(dtype)
    key = (expression, target, kind, threads, conversions, asked, *kinds)
    kernel = _evaluated.get(key)
    if kernel is None:
        options = {"threads": threads, "conversions": conversions, "schedule": asked or UNASKED}
        kernel = _compile_for(expression, out, given, dtype=dtype, **options)
        _evaluated[key] = kernel
    return kernel.run(given, array, check_finite=check_finite)


def _kind(value: Any) -> tuple[Any, ...]:
    """What of an operand decides which kernel computes with it."""
    return (value.type,) if isinstance(value, Tensor) else (value.ndim, value.dtype)


def _format_out(out: object) -> str | Format:
    """
    The format that `out` says as None, for dense, or as a hybrid's, which refuses itself by name.

    Raises:
        FormatError: it says none.
    """
    if isinstance(out, HybridFormat):
        return shown(out)
    if out is None:
        return "dense"
    raise FormatError(
        f"evaluate: out= is a format or a NumPy array to write into, got {type(out).__name__}"
    )


def _evaluate_hybrids(
    each: Callable[..., Any], expression: str, out: Any, dtype: object, operands: Mapping[str, Any]
) -> Any:
    """As `each`, where an operand is in parts."""
    evaluate_hybrids = load("tamale.frontend.hybrid_kernels:evaluate_hybrids")
    given = {name: _operand(value) for name, value in operands.items()}
    return evaluate_hybrids(each, expression, out, dtype, given)


def _compile_for(
    expression: str, out: Any, given: Mapping[str, Any], **options: Any
) -> Kernel:
    """The kernel for these operands, stored as they are."""
    formats: dict[str, str | Format] = {
        name: value.format if isinstance(value, Tensor) else dense_format(value.ndim)
        for name, value in given.items()
    }
    dtypes = {name: value.dtype.name for name, value in given.items()}
    target = parse_notation(expression).result.tensor
    if not is_array(out) and (target not in given or out != "dense"):
        formats[target] = format_of(out)
    accumulate = target in given
    return compile_typed(expression, formats, dtypes, accumulate=accumulate, ahead=False, **options)


def _is_plain(value: Any) -> bool:
    """Whether `value` is a NumPy array whose type kernels take as it is."""
    return type(value) is np.ndarray and value.dtype in _DTYPES


def _operand(value: Any) -> Any:
    """A tensor, or a NumPy array as it is."""
    if type(value) is Tensor or _is_plain(value):
        return value
    return value if isinstance(value, Tensor | HybridTensor) else tensor(value)


def einsum(
    subscripts: str,
    *operands: Any,
    out: Any = "dense",
    dtype: object = None,
    threads: int = 1,
    conversions: bool = True,
    order: Sequence[str] | str | None = None,
    schedule: Schedule | None = None,
    check_finite: bool = False,
) -> Any:
    """
    NumPy's einsum on tensors of any format: `einsum("ij,j->i", A, x)`; options as of `evaluate`.

    Raises:
        TamaleError: the subscripts cannot be read or do not fit the operands.
    """
    check_subscripts(subscripts)
    tensors = [_operand(value) for value in operands]
    statement, names = _einsum_statement(subscripts, tuple([t.ndim for t in tensors]))
    named = dict(zip(names, tensors, strict=True))
    options = (dtype, threads, conversions, order, schedule, check_finite)
    return evaluated(statement, named, out, *options)


@lru_cache(maxsize=4096)
def _einsum_statement(subscripts: str, orders: tuple[int, ...]) -> tuple[str, tuple[str, ...]]:
    """The statement that subscripts stand for, and its operands in the order given."""
    assignment = einsum_to_assignment(subscripts, orders)
    names = tuple(access.tensor for access in accesses(assignment.expression))
    return to_text(assignment), names
