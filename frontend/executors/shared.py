"""
Memory that processes share: blocks with names, and messages whose arrays lie in them.

A message is a pickle in which arrays are references, so that whoever reads it finds its arrays
where they are. A block lives as long as the process that owns it has an array in it.
"""

from __future__ import annotations

import pickle
from bisect import bisect_right, insort
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from math import prod
from multiprocessing.shared_memory import SharedMemory
from secrets import token_hex
from threading import RLock
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tamale.backends.jit.library import ffi, own, view

ALIGNMENT = 64
"""Arrays begin at multiples of so many bytes, as NumPy's own do."""

Bytes: TypeAlias = NDArray[np.uint8]


@dataclass(frozen=True)
class Reference:
    """An array in a block."""

    block: str
    size: int
    """How large the block is."""
    offset: int
    dtype: str
    shape: tuple[int, ...]


# Blocks


def address_of(block: SharedMemory) -> int:
    """Where a block begins in this process."""
    memory: Any = block.buf
    return np.frombuffer(memory, np.uint8).ctypes.data


def mapped(block: SharedMemory, size: int, release: Callable[[], None]) -> Bytes:
    """The bytes of a block, released when the array and all views of it are gone."""

    def free(_: object) -> None:
        release()

    owner = own(ffi.cast("char *", address_of(block)), free)
    return view(owner, size, np.dtype(np.uint8))


def attached(name: str, size: int) -> Bytes:
    """The bytes of a block that another process owns."""
    block = SharedMemory(name)
    return mapped(block, size, block.close)


def discard(name: str) -> None:
    """Removes a block that a process left behind, if it came to make one."""
    try:
        block = SharedMemory(name)
    except FileNotFoundError:
        return
    block.close()
    block.unlink()


class Blocks:
    """The blocks that one process owns."""

    def __init__(self) -> None:
        self._prefix, self._count = f"tm{token_hex(4)}_", 0
        self._lock = RLock()
        self._starts: list[int] = []
        self._owned: dict[int, tuple[int, SharedMemory]] = {}
        """Address -> size and block."""

    def name(self) -> str:
        """A name for a block that does not exist yet."""
        with self._lock:
            self._count += 1
            return f"{self._prefix}{self._count}"

    def create(self, size: int) -> Bytes:
        """A new block."""
        return self._own(SharedMemory(self.name(), create=True, size=size), size)

    def own(self, name: str, size: int) -> Bytes:
        """A block that another process made for this one."""
        return self._own(SharedMemory(name), size)

    def _own(self, block: SharedMemory, size: int) -> Bytes:
        address = address_of(block)
        with self._lock:
            insort(self._starts, address)
            self._owned[address] = size, block
        return mapped(block, size, lambda: self._release(address))

    def _release(self, address: int) -> None:
        with self._lock:
            _, block = self._owned.pop(address)
            self._starts.remove(address)
        block.close()
        _unlink(block)

    def find(self, array: NDArray[Any]) -> Reference | None:
        """Where an array lies, if that is in a block."""
        address = array.__array_interface__["data"][0]
        with self._lock:
            place = bisect_right(self._starts, address)
            if not place:
                return None
            start = self._starts[place - 1]
            size, block = self._owned[start]
        offset = address - start
        if offset + array.nbytes > size:
            return None
        return Reference(block.name, size, offset, array.dtype.str, array.shape)

    def close(self) -> None:
        """Gives up the names of all blocks; arrays in them stay as they are."""
        with self._lock:
            for _, block in self._owned.values():
                _unlink(block)


def _unlink(block: SharedMemory) -> None:
    try:
        block.unlink()
    except FileNotFoundError:
        pass  # Its name was given up before.


# Messages


class _Writer(pickle.Pickler):
    """Asks where arrays lie, and leaves the rest to pickle."""

    def __init__(self, file: BytesIO, place: Callable[[NDArray[Any]], Reference]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._place = place

    def persistent_id(self, obj: Any) -> Reference | None:
        return self._place(obj) if type(obj) is np.ndarray else None


class _Reader(pickle.Unpickler):
    """Finds arrays where they are."""

    def __init__(self, file: BytesIO, attach: Callable[[str, int], Bytes]) -> None:
        super().__init__(file)
        self._attach, self._blocks = attach, dict[str, Bytes]()

    def persistent_load(self, pid: Reference) -> NDArray[Any]:
        dtype, count = np.dtype(pid.dtype), prod(pid.shape)
        if not count:
            return np.empty(pid.shape, dtype)
        if pid.block not in self._blocks:
            self._blocks[pid.block] = self._attach(pid.block, pid.size)
        memory = self._blocks[pid.block][pid.offset : pid.offset + count * dtype.itemsize]
        return memory.view(dtype).reshape(pid.shape)


def read(message: bytes, attach: Callable[[str, int], Bytes] = attached) -> Any:
    """What a message says; `attach` maps blocks."""
    return _Reader(BytesIO(message), attach).load()


class Sending:
    """Writes messages; arrays that are in no block are copied into one, each once."""

    def __init__(self, blocks: Blocks) -> None:
        self._blocks = blocks
        self._copies: dict[tuple[int, str, tuple[int, ...]], Reference] = {}
        self._kept: list[Any] = []

    def message(self, value: Any) -> bytes:
        """`value`, whose arrays have to stay as they are as long as this object is there."""
        file = BytesIO()
        _Writer(file, self._place).dump(value)
        return file.getvalue()

    def _place(self, array: NDArray[Any]) -> Reference:
        if not array.nbytes:
            return Reference("", 0, 0, array.dtype.str, array.shape)
        stored = np.ascontiguousarray(array)
        found = self._blocks.find(stored)
        if found is not None:
            return found
        key = stored.__array_interface__["data"][0], stored.dtype.str, stored.shape
        if key not in self._copies:
            copy = self._blocks.create(stored.nbytes)
            copy[:] = stored.reshape(-1).view(np.uint8)
            reference = self._blocks.find(copy)
            assert reference is not None
            self._copies[key] = Reference(
                reference.block, stored.nbytes, 0, stored.dtype.str, stored.shape
            )
            self._kept += [copy, stored]
        return self._copies[key]


def packed(value: Any, block: str) -> tuple[int, bytes]:
    """
    A message whose arrays are all in one new block of this name, which its reader owns, and how
    large the block is.
    """
    arrays: list[NDArray[Any]] = []
    ends = [0]

    def place(array: NDArray[Any]) -> Reference:
        arrays.append(np.ascontiguousarray(array))
        begin = ends[-1]
        ends.append(begin + -(-array.nbytes // ALIGNMENT) * ALIGNMENT)
        return Reference(block, 0, begin, array.dtype.str, array.shape)

    file = BytesIO()
    _Writer(file, place).dump(value)
    if ends[-1]:
        memory = SharedMemory(block, create=True, size=ends[-1])
        buffer: Any = memory.buf
        whole = np.frombuffer(buffer, np.uint8)
        for begin, array in zip(ends, arrays, strict=False):
            whole[begin : begin + array.nbytes] = array.reshape(-1).view(np.uint8)
        del whole, buffer  # A block that is looked at cannot be closed.
        memory.close()
    return ends[-1], file.getvalue()
