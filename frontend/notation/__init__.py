"""
What index notation means beyond its syntax. No module here imports xDSL, NumPy or SciPy.

    parse_notation -> check_notation -> explicit_reductions

`check` refuses what has no meaning, `reductions` writes the implicit sums out. `einsum` makes the
same tree from NumPy's subscripts; `formats` reads `-f` flags.
"""
