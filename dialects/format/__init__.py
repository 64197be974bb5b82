"""
The format language: how a tensor's modes become storage levels.

    expressions  level expressions (the coordinate remapping notation): tree, text, evaluation
    bounds       interval arithmetic: the smallest and largest coordinate of a level
    level        one storage level and its properties
    kinds        the open registry of level kinds
    spec         `Format`, the value that a format line denotes
    verify       what a format must obey, as messages that name the level
    notation     text -> `Format`
    named        csr, coo, csf, ...: the table of named formats
    invert       modes as expressions of level coordinates
    attribute    `#format.spec<...>`, the encoding of builtin tensor types

Only `attribute` imports xDSL; the Python API uses the rest on its hot path.
"""
