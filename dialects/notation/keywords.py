"""The names that notation reserves: keywords, and the operators that may reduce."""

from collections.abc import Mapping
from types import MappingProxyType

from tamale.dialects.operators import declared_operators, operator_named

CONSTANTS: Mapping[str, bool | float] = MappingProxyType(
    {"true": True, "false": False, "inf": float("inf"), "nan": float("nan")}
)
KEYWORDS = frozenset({"sum", "reduce", *CONSTANTS})


def can_reduce(name: str, arity: int) -> bool:
    """
    Whether operator `name` may combine values in any order.

    An operator that the caller lists but never declared is trusted to.
    """
    if arity != 2:
        return False
    return name not in declared_operators() or operator_named(name).reduction_identity is not None
