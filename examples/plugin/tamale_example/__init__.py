"""Everything here is found by name through the entry points in pyproject.toml."""
