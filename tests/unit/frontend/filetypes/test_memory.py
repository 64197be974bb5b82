"""Reading takes a small multiple of what is in the file, as the process that reads sees it."""

import gzip
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tamale as tm

scipy_io: Any = import_module("scipy.io")
scipy_sparse: Any = import_module("scipy.sparse")
STATUS = Path("/proc/self/status")
ENTRIES = 300_000
READING = f"""
import re, sys
from pathlib import Path
import tamale as tm

def kilobytes(what):
    return int(re.search(what + r":\\s+(\\d+) kB", Path("{STATUS}").read_text())[1])

tm.read(sys.argv[1])  # libraries and kernels are loaded now
before = kilobytes("VmRSS")
nnz = tm.read(sys.argv[2]).nnz
print(nnz, (kilobytes("VmHWM") - before) * 1024)
"""
"""Reads a small file and then a large one, and prints by how much the process grew at its peak."""

LIMITS = {
    "real.mtx": 4,
    "pattern.mtx": 8,
    "real.mtx.gz": 4,
    "csr.npz": 4,
    "coo.npz": 5,
    "own.npz": 4,
    "binsparse.bsp.npz": 4,
    "binsparse.bsp.h5": 4,
    "coordinates.bsp.h5": 6,
    "plain.tns": 8,
    "plain.rb": 4,
    "dense.npy": 3,
}
"""Type of file -> how many times its contents reading may take."""


def write(path: Path, entries: int) -> int:
    """A file of some type with random entries in order; returns the size of its contents."""
    rng = np.random.default_rng(1)
    size = 4 * entries
    places = np.sort(rng.choice(size * size, entries, replace=False, shuffle=False))
    rows, columns = (each.astype(np.int32) for each in divmod(places, size))
    data = rng.random(entries)
    A = scipy_sparse.coo_array((data, (rows, columns)), shape=(size, size))
    match path.name.partition(".")[0]:
        case "real":
            scipy_io.mmwrite(path.with_name("real.mtx"), A, symmetry="general")
            if path.suffix == ".gz":
                path.write_bytes(gzip.compress(path.with_name("real.mtx").read_bytes(), 1))
                return path.with_name("real.mtx").stat().st_size
        case "pattern":
            scipy_io.mmwrite(path, A, symmetry="general", field="pattern")
        case "csr":
            scipy_sparse.save_npz(path, A.tocsr(), compressed=False)
        case "coo":
            scipy_sparse.save_npz(path, A, compressed=False)
        case "own":
            tm.tensor(A, "dcsr").save(str(path))
            with np.load(path) as archive:
                return sum(array.nbytes for array in archive.values())
        case "binsparse":
            tm.tensor(A, "csr").save(str(path))
        case "dense":
            np.save(path, data)
        case _:
            tm.tensor(A, "coo").save(str(path))
    return path.stat().st_size


@pytest.mark.skipif(not STATUS.exists(), reason="Linux tells how large a process was")
@pytest.mark.parametrize("name", LIMITS)
def test_reading_takes_a_small_multiple_of_the_contents(name: str, tmp_path: Path):
    if name.endswith(".h5"):
        pytest.importorskip("h5py")
    (tmp_path / "small").mkdir()
    small, large = tmp_path / "small" / name, tmp_path / name
    write(small, 10)
    contents = write(large, ENTRIES)
    words = [sys.executable, "-c", READING, str(small), str(large)]
    finished = subprocess.run(words, capture_output=True, text=True, check=True)
    nnz, grown = map(int, finished.stdout.split())
    assert nnz == ENTRIES
    assert grown < LIMITS[name] * contents
