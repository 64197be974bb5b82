"""Results that append notice entries without room, edges left out, and half entries."""

import numpy as np
import pytest

from tamale.dialects.format.named import resolve_format
from tamale.interpreters.appended import AppendedResult, DenseResult
from tamale.interpreters.memory import InterpretationFailure


def result(room: int = 2, *, counted: bool = False) -> AppendedResult:
    """A matrix of 2 x 3 in CSR."""
    csr = resolve_format("csr", 2)
    return AppendedResult(csr, (2, 3), np.dtype(np.float64), [room], counted=counted)


def append(to: AppendedResult, coordinate: int, value: float) -> None:
    position = to.position(1)
    to.append_coord(1, position, coordinate)
    to.store(position, value)
    to.advance(1)


def test_what_is_appended_is_there():
    made = result()
    append(made, 2, 5.0)
    made.append_edges(1, 0, 0, 1)
    append(made, 0, 7.0)
    made.append_edges(1, 1, 1, 2)
    assert made.finish().check().to_numpy().tolist() == [[0, 0, 5], [7, 0, 0]]


def test_room_runs_out_unless_more_is_reserved():
    made = result(room=1)
    append(made, 0, 1.0)
    with pytest.raises(InterpretationFailure, match="position 1 .* where 1 have room"):
        append(made, 1, 2.0)
    made.reserve(1, 1)
    append(made, 1, 2.0)


def test_edges_must_be_written_unless_they_are_counted():
    made = result()
    append(made, 1, 5.0)
    made.append_edges(1, 1, 0, 1)
    with pytest.raises(InterpretationFailure, match="edges of parent 0 of level 1"):
        made.finish()
    counted = result(counted=True)
    append(counted, 1, 5.0)
    counted.append_edges(1, 1, 0, 1)
    assert counted.finish().check().to_numpy().tolist() == [[0, 0, 0], [0, 5, 0]]


def test_edges_must_adjoin():
    made = result()
    made.append_edges(1, 0, 0, 0)
    made.append_edges(1, 1, 1, 2)
    with pytest.raises(InterpretationFailure, match="begin at 1, but those before end at 0"):
        made.finish()


def test_an_entry_needs_its_value():
    made = result()
    made.append_coord(1, 0, 2)
    made.advance(1)
    made.append_edges(1, 0, 0, 1)
    made.append_edges(1, 1, 1, 1)
    with pytest.raises(InterpretationFailure, match="value 0 of a result is never written"):
        made.finish()


def test_every_element_of_a_dense_result_must_be_written():
    made = DenseResult(resolve_format("dense", 1), (2,), np.dtype(np.float64))
    made.store(0, 1.0)
    with pytest.raises(InterpretationFailure, match="element 1 of a result is never written"):
        made.finish()
    made.fill(3.0)
    assert made.finish().vals.tolist() == [3.0, 3.0]
