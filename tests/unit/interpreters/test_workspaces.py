"""Workspaces notice entries twice, entries out of their time, and positions that they lack."""

import pytest
from xdsl.dialects.builtin import ModuleOp

import tamale as tm
from tamale.dialects.format.named import resolve_format
from tamale.interpreters.checking import PassChecker
from tamale.interpreters.memory import InterpretationFailure
from tamale.interpreters.workspaces import EntryList
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
