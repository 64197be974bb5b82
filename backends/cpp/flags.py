"""
What generated C++ asks of a compiler. Importable without xDSL.

`-fwrapv`: integer arithmetic in the last form wraps around, as upstream MLIR defines it; C++ needs
to be told.
"""

REQUIRED_FLAGS = ("-std=c++17", "-fwrapv")

OPENMP = ("-fopenmp",)
"""What makes parallel loops parallel; without it they are serial."""
