"""
The query dialect: statistics of a tensor that its assembly in another format needs.

    %nir = query.select "select [i] -> count(j) as nir" of %A remapped (i, j) -> (i, j)
        : tensor<?x?xf64, #csr> -> tensor<?xi64>

Source: Chou et al., PLDI 2020, sec. 5. The values (`select`, `remapping`) and their parsers import
no xDSL, and neither does this package: level kinds state their queries with them. The dialect
itself is in `tamale.dialects.query.ops`.
"""
