"""
What generated C++ asks of a compiler. Importable without xDSL.

`-fwrapv`: integer arithmetic in the last form wraps around, as upstream MLIR defines it; C++ needs
to be told. `-fopenmp-simd`: sums that may be taken in any order are; it links nothing.
"""

REQUIRED_FLAGS = ("-std=c++17", "-fwrapv", "-fopenmp-simd")

OPENMP = ("-fopenmp",)
"""What makes parallel loops parallel; without it they are serial."""
