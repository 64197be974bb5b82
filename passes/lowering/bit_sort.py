"""
Different numbers below a bound in ascending order, by marks in a bitmap, emitted as loops.

A second bitmap says which words of the first one have marks, so that reading them takes a step per
mark and one per 4096 numbers of the range. What is read is cleared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xdsl.ir import SSAValue

from tamale.passes.emit.arithmetic import INDEX
from tamale.passes.emit.emitter import Emitter
from tamale.passes.lowering.digits import clear

WORD_BITS = 6
"""A word has 64 bits."""


@dataclass(frozen=True)
class BitSort:
    """Bitmaps over the numbers below a bound, without marks between two uses."""

    emit: Emitter
    words: SSAValue
    tops: SSAValue
    """The bit of each word that has marks."""
    top_count: SSAValue

    @classmethod
    def allocate(cls, emit: Emitter, bound: SSAValue, hint: str) -> BitSort:
        word_count = _words_for(emit, bound)
        top_count = emit.named(_words_for(emit, word_count), f"{hint}_top_count")
        words = _zeroed(emit, word_count, f"{hint}_words")
        return cls(emit, words, _zeroed(emit, top_count, f"{hint}_tops"), top_count)

    def mark(self, number: SSAValue) -> None:
        word = self._shifted(number)
        self._set(self.words, word, number)
        self._set(self.tops, self._shifted(word), word)

    def read(self, visit: Callable[[SSAValue], None]) -> None:
        """Calls `visit` with every marked number, in ascending order."""
        zero = self.emit.constant(0)
        with self.emit.loop(zero, self.top_count, "top") as top:
            self._read_word(self.tops, top, lambda word: self._read_word(self.words, word, visit))

    def _read_word(
        self, words: SSAValue, word: SSAValue, visit: Callable[[SSAValue], None]
    ) -> None:
        emit, zero, one = self.emit, self.emit.constant(0), self.emit.constant(1)
        rest = emit.variable(INDEX, "rest", emit.load(words, word))
        emit.store(zero, words, word)
        first = emit.binary("shl", word, emit.constant(WORD_BITS))
        with emit.loop_while(lambda: emit.compare("ne", emit.load(rest), zero)):
            marks = emit.load(rest)
            emit.store(emit.and_(marks, emit.sub(marks, one)), rest)
            visit(emit.add(first, emit.trailing_zeros(marks)))

    def _shifted(self, number: SSAValue) -> SSAValue:
        return self.emit.binary("shr", number, self.emit.constant(WORD_BITS))

    def _set(self, words: SSAValue, word: SSAValue, number: SSAValue) -> None:
        emit = self.emit
        place = emit.and_(number, emit.constant((1 << WORD_BITS) - 1))
        bit = emit.binary("shl", emit.constant(1), place)
        emit.store(emit.or_(emit.load(words, word), bit), words, word)


def _words_for(emit: Emitter, bound: SSAValue) -> SSAValue:
    """At least one word."""
    full = emit.binary("shr", bound, emit.constant(WORD_BITS))
    return emit.add(full, emit.constant(1))


def _zeroed(emit: Emitter, length: SSAValue, hint: str) -> SSAValue:
    words = emit.allocate(INDEX, length, hint)
    clear(emit, words, length)
    return words
