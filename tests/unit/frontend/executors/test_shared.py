"""Memory that processes share: arrays are sent without copies, and nothing is left behind."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from multiprocessing.shared_memory import SharedMemory
from typing import Any

import numpy as np
import pytest

import tamale as tm
from tamale.frontend.executors.shared import Blocks, Sending, discard, packed, read


@pytest.fixture
def blocks() -> Iterator[Blocks]:
    made = Blocks()
    yield made
    made.close()


def exists(name: str) -> bool:
    try:
        block = SharedMemory(name)
    except FileNotFoundError:
        return False
    block.close()
    return True


def received(blocks: Blocks, value: Any) -> tuple[str, Any]:
    """A value as its receiver gets it, and the name of its block."""
    name = blocks.name()
    size, message = packed(value, name)
    return name, read(message, lambda _name, _size: blocks.own(name, size))


def test_a_tensor_arrives_as_it_is(blocks: Blocks):
    A = tm.tensor(np.array([[0.0, 2.0], [3.0, 0.0]]), "csr")
    given = {"A": A, "empty": np.empty((0, 3)), "number": 7, "T": A.vals[:, None].T}
    _, found = received(blocks, given)
    assert found["A"].check() == A
    assert (found["empty"].shape, found["number"]) == ((0, 3), 7)
    assert np.array_equal(found["T"], given["T"])


def test_arrays_in_blocks_are_not_copied(blocks: Blocks):
    _, array = received(blocks, np.arange(10.0))
    sending = Sending(blocks)
    again = read(sending.message(array[3:7]))
    again[0] = 99
    assert array[3] == 99


def test_other_arrays_are_copied_once(blocks: Blocks):
    array = np.arange(10.0)
    sending = Sending(blocks)
    one, other = read(sending.message([array])), read(sending.message([array]))
    one[0][0] = 5
    assert (other[0][0], array[0]) == (5, 0)
    assert len(blocks._owned) == 1  # pyright: ignore[reportPrivateUsage]


def test_a_block_goes_with_its_last_array(blocks: Blocks):
    name, array = received(blocks, np.arange(10.0))
    view = array[2:]
    del array
    gc.collect()
    assert exists(name)
    assert view.sum() == 44
    del view
    gc.collect()
    assert not exists(name)


def test_arrays_outlive_the_names_of_blocks(blocks: Blocks):
    name, array = received(blocks, np.arange(10.0))
    blocks.close()
    assert not exists(name)
    assert array.sum() == 45


def test_what_was_left_behind_is_discarded():
    blocks = Blocks()
    name = blocks.name()
    packed(np.ones(3), name)
    assert exists(name)
    discard(name)
    assert not exists(name)
    discard(name)
