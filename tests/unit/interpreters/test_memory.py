"""Blocks of memory notice misuse."""

from collections.abc import Callable

import numpy as np
import pytest

from tamale.interpreters.memory import InterpretationFailure, Memory


def block(written: bool = True, constant: bool = False) -> Memory:
    return Memory(np.zeros(3, np.int32), "pos", written=written, constant=constant)


def freed() -> Memory:
    memory = block()
    memory.free()
    return memory


@pytest.mark.parametrize(
    "misuse, message",
    [
        (lambda: block().load(3), r"pos\[3\] is read, outside of its 3 elements"),
        (lambda: block().load(-1), r"pos\[-1\] is read, outside of its 3 elements"),
        (lambda: block().store(7, 1), r"pos\[7\] is written, outside of its 3 elements"),
        (lambda: block(written=False).load(1), r"pos\[1\] is read before written"),
        (lambda: block(constant=True).store(0, 1), "pos is an operand, but is written"),
        (lambda: freed().load(0), "pos is read after it was freed"),
        (lambda: freed().free(), "pos is freed twice"),
    ],
)
def test_misuse(misuse: Callable[[], object], message: str):
    with pytest.raises(InterpretationFailure, match=message):
        misuse()


def test_integers_wrap_around():
    memory = block()
    memory.store(0, 2**31)
    assert memory.load(0) == -(2**31)


def test_growing_keeps_what_was_written_and_frees_the_old_block():
    memory = block(written=False)
    memory.store(0, 5)
    grown = memory.resized(5)
    assert grown.load(0) == 5
    with pytest.raises(InterpretationFailure, match="before written"):
        grown.load(1)
    with pytest.raises(InterpretationFailure, match="after it was freed"):
        memory.load(0)
