"""The loops over all entries of one operand, in the order in which it stores them."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Operation

from tamale.dialects import cin
from tamale.dialects.cin.sets import Stored
from tamale.dialects.format.folding import dimension
from tamale.dialects.format.spec import Format
from tamale.dialects.level_variables import derived_modes, level_variables
from tamale.dialects.notation.ast import Access


def query_nest(
    access: Access, format: Format, body: Sequence[Operation], *, padded: bool
) -> Operation:
    """
    The loops of `access` over its levels, with its modes bound as far out as they are known.

        forall i_div_2 in A.i_div_2 { forall i_mod_2 in A.i_mod_2 {
            let i = i_div_2 * 2 + i_mod_2 within dim_i { body } } }

    Args:
        access: the operand's.
        format: the operand's; with at least one level.
        body: what to do at each entry.
        padded: whether the format has positions without an entry, outside of the dimensions too.
    """
    variables, derived = level_variables(access, format), derived_modes(access, format)
    for k in reversed(range(len(variables))):
        for mode in reversed([mode for mode in derived if mode.level == k]):
            size = dimension(mode.variable)
            within, below = (size, None) if padded else (None, size)
            body = [cin.LetOp(mode.variable, mode.value, body, within=within, below=below)]
        body = [cin.ForallOp(variables[k], Stored(access.tensor, variables[k]), body)]
    return body[0]
