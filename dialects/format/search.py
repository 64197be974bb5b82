"""How the entries of a list are found again."""

from typing import Literal, TypeAlias

Search: TypeAlias = Literal["dense", "hash"]
"""By an array over the mode, or by a hash table."""
