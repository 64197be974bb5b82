"""
Pictures of what the compiler decided, in the DOT language of Graphviz.

`index_graphs.py` draws what constrains the order of the loops, `lattices.py` how a loop's operands
run out; both look like the figures of the guide. `target.py` is the xDSL target `dot`.
"""
