"""All coordinates that a variable can have: dimensions, and levels that store expressions."""

from __future__ import annotations

from collections.abc import Mapping

from xdsl.ir import SSAValue
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects.cfir.storage import DimOp
from tamale.dialects.format.expressions import Expr, free_variables
from tamale.dialects.format.folding import DIMENSION, add, known
from tamale.dialects.format.symbolic_bounds import level_extent
from tamale.dialects.level_variables import level_variables
from tamale.passes.lowering.coordinates import Extent, emit_level_expression
from tamale.passes.lowering.scope import KernelContext


def universe_size(kernel: KernelContext, variable: str) -> SSAValue:
    """
    The dimension size of an index variable, from the first access that has it.

    Raises:
        PassFailedException: no tensor that there is has the variable.
    """
    for access in (*kernel.accesses.values(), kernel.result):
        is_there = access.tensor in kernel.tensors and access.tensor not in kernel.vectors
        if variable in access.indices and is_there:
            mode = access.indices.index(variable)
            size = kernel.emit.insert(DimOp(kernel.tensors[access.tensor], mode)).result
            return kernel.emit.named(size, f"{access.tensor}_dim{mode + 1}")
    raise PassFailedException(f"lower-lattices: no operand tells how large '{variable}' is")


def universe(kernel: KernelContext, variable: str) -> Extent:
    """The coordinates of a loop over everything."""
    if is_index_variable(kernel, variable):
        return Extent(None, universe_size(kernel, variable))
    name, level = level_with(kernel, variable)
    low, size = level_extent(kernel.formats[name], level)
    return Extent(_over_dimensions(kernel, name, low), _over_dimensions(kernel, name, size))


def universe_bounds(kernel: KernelContext, variable: str) -> tuple[SSAValue, SSAValue]:
    """From where up to where a loop over everything runs."""
    if is_index_variable(kernel, variable):
        return kernel.emit.constant(0), universe_size(kernel, variable)
    name, level = level_with(kernel, variable)
    low, size = level_extent(kernel.formats[name], level)
    high = add(low, size)
    return _over_dimensions(kernel, name, low), _over_dimensions(kernel, name, high)


def _over_dimensions(kernel: KernelContext, access: str, expression: Expr) -> SSAValue:
    """The value of an expression over the dimension sizes of an access."""
    modes = zip(kernel.formats[access].modes, kernel.accesses[access].indices, strict=True)
    sizes = {
        f"{DIMENSION}{mode}": universe_size(kernel, index)
        for mode, index in modes
        if f"{DIMENSION}{mode}" in free_variables(expression)
    }
    return emit_level_expression(kernel.emit, expression, sizes)


def is_index_variable(kernel: KernelContext, variable: str) -> bool:
    """Whether some access names the variable, so that it runs over a dimension."""
    return any(variable in a.indices for a in (*kernel.accesses.values(), kernel.result))


def level_with(kernel: KernelContext, variable: str) -> tuple[str, int]:
    """An access and its level with this level variable."""
    for name, access in kernel.accesses.items():
        variables = level_variables(access, kernel.formats[name])
        if variable in variables:
            return name, variables.index(variable)
    raise PassFailedException(f"lower-lattices: no operand tells how large '{variable}' is")


def is_nonnegative_loop(kernel: KernelContext, variable: str) -> bool:
    """Whether no coordinate of a loop's variable is negative."""
    if is_index_variable(kernel, variable):
        return True
    name, level = level_with(kernel, variable)
    least, _ = known(level_extent(kernel.formats[name], level)[0])
    return least is not None and least >= 0


def dimension_sizes(kernel: KernelContext, *expressions: Expr) -> Mapping[str, SSAValue]:
    """The sizes `dim_i` of dimensions of index variables that expressions name."""
    names = frozenset[str]().union(*map(free_variables, expressions))
    return {
        name: universe_size(kernel, name.removeprefix(DIMENSION))
        for name in sorted(names)
        if name.startswith(DIMENSION)
    }
