"""
What the algebra asks of a format's levels: names of their loops, modes told by them, bounds.

The functions are on formats and accesses alone, and live with the dialects that need them too.
"""

from tamale.dialects.format.folding import dimension
from tamale.dialects.format.relation import Relation, relation
from tamale.dialects.format.symbolic_bounds import (
    extent_of,
    level_extent,
    mode_sizes,
    symbolic_bounds,
)
from tamale.dialects.level_variables import (
    DerivedMode,
    derived_modes,
    expression_name,
    in_index_variables,
    level_variables,
)

__all__ = [
    "DerivedMode",
    "Relation",
    "derived_modes",
    "dimension",
    "expression_name",
    "extent_of",
    "in_index_variables",
    "level_extent",
    "level_variables",
    "mode_sizes",
    "relation",
    "symbolic_bounds",
]
