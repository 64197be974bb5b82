"""
Reads an HDF5 file in a process of its own: `python -P hdf5_child.py IN.h5 OUT.npz SECONDS`.

The HDF5 library may hang or crash on a damaged file, which nothing in its process can prevent. The
system ends the process after so many seconds of work, whether or not somebody waits for it. Only
one-dimensional arrays and the descriptor are passed on.
"""

from __future__ import annotations

import resource
import sys
from importlib import import_module
from typing import Any

import numpy as np


def main(source: str, target: str, seconds: str) -> None:
    """Copies the descriptor and the arrays of a file into an archive."""
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds), int(seconds)))
    h5py: Any = import_module("h5py")
    with h5py.File(source, "r") as file:
        if "binsparse" not in file.attrs:
            sys.exit("there is no attribute 'binsparse'")
        text = file.attrs["binsparse"]
        items = {name: item for name, item in file.items() if isinstance(item, h5py.Dataset)}
        arrays = {name: item[()] for name, item in items.items() if item.ndim == 1}
        arrays["binsparse"] = np.array(text.decode() if isinstance(text, bytes) else str(text))
        np.savez(target, allow_pickle=False, **arrays)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Exception as error:
        sys.exit(f"{type(error).__name__}: {error}")
