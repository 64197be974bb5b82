"""The mathematics of the compiler, as pure functions on expressions, sets and formats."""
