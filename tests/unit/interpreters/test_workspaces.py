"""Workspaces notice entries twice, entries out of their time, and positions that they lack."""

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import tamale as tm
from tamale.dialects.format.named import resolve_format
from tamale.interpreters.appended import AppendedResult
from tamale.interpreters.checking import PassChecker
from tamale.interpreters.memory import InterpretationFailure
from tamale.interpreters.workspaces import EntryList, ResultEnd
from tamale.passes import Pipeline


def filled(*, ordered: bool = True) -> EntryList:
    made = EntryList(resolve_format("csf", 1), 5, ordered=ordered)
    for coordinate, value in ((3, 1.0), (0, 2.0)):
        assert made.find(coordinate) == (-1, False)
        made.insert(value, coordinate, coordinate)
    return made


def test_entries_are_found_and_sorted():
    made = filled()
    assert made.find(0) == (1, True)
    made.sort()
    assert made.coordinates == [0, 3]
    assert made.values == [2.0, 1.0]
    made.clear()
    assert made.find(0) == (-1, False)


def test_what_must_not_be_done():
    made = filled()
    with pytest.raises(InterpretationFailure, match="ended at 0 and found it"):
        made.insert(1.0, 0, 0)
    with pytest.raises(InterpretationFailure, match="at 1 .* after a search that ended at 2"):
        made.insert(1.0, 1, 2)
    with pytest.raises(InterpretationFailure, match="coordinate 5 of a workspace of 5"):
        made.find(5)
    with pytest.raises(InterpretationFailure, match="position 2 of a workspace of 2"):
        made.load(2)
    made.sort()
    with pytest.raises(InterpretationFailure, match="searched after it was sorted"):
        made.find(1)
    with pytest.raises(InterpretationFailure, match="keeps no order"):
        filled(ordered=False).sort()


def append(result: AppendedResult, coordinate: int, value: float) -> None:
    position = result.position(0)
    result.append_coord(0, position, coordinate)
    result.store(position, value)
    result.advance(0)


def at_the_end(*, ordered: bool = True) -> ResultEnd:
    """Two entries of a result behind one that was there before."""
    format = resolve_format("csf", 1)
    result = AppendedResult(format, (5,), np.dtype(np.float64), [9], counted=False)
    append(result, 4, 5.0)
    made = ResultEnd(result, 5, ordered=ordered)
    made.clear()
    for coordinate, value in ((3, 1.0), (0, 2.0)):
        assert made.find(coordinate) == (-1, False)
        made.mark(coordinate)
        append(result, coordinate, value)
    return made


def test_entries_at_the_end_of_a_result_are_found_and_sorted():
    made = at_the_end()
    assert made.find(0) == (2, True)
    assert made.find(4) == (-1, False)
    made.sort()
    assert made.result.coordinates[0] == {0: 4, 1: 0, 2: 3}
    assert made.result.values == {0: 5.0, 1: 2.0, 2: 1.0}
    made.clear()
    assert made.find(0) == (-1, False)


def test_what_must_not_be_done_at_the_end_of_a_result():
    made = at_the_end()
    with pytest.raises(InterpretationFailure, match="coordinate 5 of a workspace of 5"):
        made.find(5)
    append(made.result, 2, 1.0)
    with pytest.raises(InterpretationFailure, match="2: 3.* are the entries .* were marked"):
        made.find(1)
    made = at_the_end()
    made.mark(1)
    append(made.result, 2, 1.0)
    with pytest.raises(InterpretationFailure, match="1: 3} were marked"):
        made.sort()
    made = at_the_end()
    made.sort()
    with pytest.raises(InterpretationFailure, match="searched after it was sorted"):
        made.find(1)
    with pytest.raises(InterpretationFailure, match="keeps no order"):
        at_the_end(ordered=False).sort()


def product() -> ModuleOp:
    return tm.parse("Z(i,j) = A(i,k) * B(k,j)", A="csr", B="csr", Z="csr")


@pytest.mark.parametrize("search", ["dense", "hash"])
def test_products_into_sparse_results_pass_every_stage(search: str):
    module = product()
    checker = PassChecker(module)
    road = "insert-temporaries,insert-conversions,concretize,simplify-domains"
    road += f",insert-workspaces{{search={search}}},iterate-locate,build-lattices"
    for pass_ in Pipeline(f"{road},lower-lattices,lower-levels,simplify").steps(module):
        difference = checker.after(pass_.name, module)
        assert difference is None, str(difference)
    assert checker.skipped == []
