"""
Index notation: text -> checked AST. No module here imports xDSL, NumPy or SciPy.

    parse_notation -> check_notation -> explicit_reductions

`parser` reads a statement, `check` refuses what has no meaning, `reductions` writes the implicit
sums out. `einsum` makes the same AST from NumPy's subscripts; `formats` reads `-f` flags.
"""
