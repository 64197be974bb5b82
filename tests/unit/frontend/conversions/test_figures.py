"""The figures of Chou et al., PLDI 2020: Figure 2's arrays and Figure 10's tables."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from conversion_batches import compile_conversions
from entry_lists import EntryList, any_list
from xdsl.parser import Parser

from tamale.backends.cpp.flags import REQUIRED_FLAGS
from tamale.backends.cpp.printer import print_cpp
from tamale.backends.jit.compiler import find_compiler
from tamale.backends.jit.library import load, pointer
from tamale.dialects import tamale_context
from tamale.dialects.format.named import resolve_format
from tamale.frontend.tensor import Tensor
from tamale.passes import Pipeline

ROWS = [0, 0, 1, 1, 2, 2, 2, 3, 3]
COLUMNS = [0, 1, 1, 2, 0, 2, 3, 1, 4]
VALUES = [5, 1, 7, 3, 8, 2, 4, 6, 9]
FIGURE_1 = EntryList("Figure 1", (4, 6), np.array([ROWS, COLUMNS]).T, np.array(VALUES, float))

FIGURE_2: Mapping[str, tuple[list[dict[str, list[int]]], list[int]]] = {
    "coo": ([{"pos": [0, 9], "crd": ROWS}, {"crd": COLUMNS}], VALUES),
    "csr": ([{}, {"pos": [0, 2, 4, 7, 9], "crd": COLUMNS}], VALUES),
    "dia": (
        [{"size": [3], "perm": [-2, 0, 1]}, {}, {}],
        [0, 0, 8, 6, 5, 7, 2, 0, 1, 3, 4, 9],
    ),
    "ell": (
        [{"size": [3]}, {}, {"crd": [0, 1, 0, 1, 1, 2, 2, 4, 0, 0, 3, 0]}],
        [5, 7, 8, 6, 1, 3, 2, 9, 0, 0, 4, 0],
    ),
}
"""Format -> the arrays of its levels, and the values."""


def test_figure_2(tmp_path: Path):
    """From each of the four formats to each."""
    known = {name: resolve_format(name, 2) for name in FIGURE_2}
    pairs = [
        (source, target) for source in [any_list(2), *known.values()] for target in known.values()
    ]
    made: dict[str, Tensor] = {}
    for conversion in compile_conversions(pairs, tmp_path):
        (target,) = (name for name in known if known[name] is conversion.target)
        given = (tensor for tensor in made.values() if tensor.format is conversion.source)
        result = conversion(next(given, FIGURE_1.as_list()))
        made.setdefault(target, result)
        levels, values = FIGURE_2[target]
        found = [{name: array.tolist() for name, array in level.items()} for level in result.levels]
        assert (found, result.vals.tolist()) == (levels, values), str(conversion)


QUERIES = {
    "select [i] -> count(j) as nir": {"nir": [2, 2, 3, 2]},
    "select [i] -> min(j) as minir, max(j) as maxir": {
        # As stored: the last column's distance, and the column itself, plus 1; 0 is "none".
        "minir": [6 - 0, 6 - 1, 6 - 0, 6 - 1],
        "maxir": [1 + 1, 2 + 1, 3 + 1, 4 + 1],
    },
    "select [j] -> id() as ne": {"ne": [1, 1, 1, 1, 1, 0]},
}
"""Figure 10: query -> label -> table."""


@pytest.mark.parametrize("source", ["coo", "csr", "csc", "ell"])
def test_figure_10(source: str, tmp_path: Path):
    format = resolve_format(source, 2)
    (convert,) = compile_conversions([(any_list(2), format)], tmp_path)
    tensor = convert(FIGURE_1.as_list())
    for number, (query, tables) in enumerate(QUERIES.items()):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert run_query(query, tensor, tables, folder) == tables


def run_query(
    query: str, tensor: Tensor, tables: Mapping[str, list[int]], folder: Path
) -> dict[str, list[int]]:
    """The tables that the compiled query kernels fill."""
    results = ", ".join("%" + label for label in tables)
    types = ", ".join(["tensor<?xi64>"] * len(tables))
    text = f"""
    !A = tensor<?x?xf64, #format.spec<{tensor.format}>>
    func.func @query(%A: !A) -> ({types}) {{
      {results} = query.select "{query}" of %A remapped (i, j) -> (i, j) : !A -> {types}
      func.return {results} : {types}
    }}
    """
    module = Pipeline("compute").run(Parser(tamale_context(), text).parse_module())
    library = folder / "query.so"
    find_compiler().compile(print_cpp(module), library, (*REQUIRED_FLAGS, "-fPIC", "-shared"))
    filled = {label: np.full(len(table), -1) for label, table in tables.items()}
    arrays = [array for level in tensor.levels for array in level.values()]
    parameters = [
        *["int64_t"] * 2,
        *["const int32_t *"] * len(arrays),
        "const double *",
        *["int64_t", "int64_t *"] * len(tables),
    ]
    given = [*(pointer(array, "const int32_t *") for array in arrays)]
    outs = [x for table in filled.values() for x in (len(table), pointer(table, "int64_t *"))]
    kernel = load(library, "query", parameters)
    status = kernel.call(*tensor.shape, *given, pointer(tensor.vals, "const double *"), *outs)
    assert status == 0
    return {label: table.tolist() for label, table in filled.items()}
