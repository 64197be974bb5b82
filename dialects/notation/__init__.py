"""
Index notation as text and as a tree; no module here imports xDSL, NumPy or SciPy.

`parser` reads a statement, `ast` has its nodes and prints them back. The frontend reads users'
text with it, and cin and cfir their statements.
"""
