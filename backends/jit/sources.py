"""Which tamale this is: another one may make another kernel of the same request."""

import hashlib
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path


@cache
def tamale_identity() -> str:
    """
    The digest of the package's own source.

    A version number would not do: whoever works on tamale, or installs it from a
    repository, changes what the compiler makes without changing the number.
    """
    return digest_of(Path(__file__).parents[2])


def digest_of(package: Path) -> str:
    """Changes with the name and the text of every Python file below `package`."""
    digest = hashlib.sha256()
    for path in sorted(_modules(package)):
        data = path.read_bytes()
        digest.update(f"{path.relative_to(package)} {len(data)}\n".encode())
        digest.update(data)
    return digest.hexdigest()


def _modules(package: Path) -> Iterator[Path]:
    """The Python files below `package`; its folders may be symbolic links."""
    for folder, _, names in os.walk(package, followlinks=True):
        yield from (Path(folder, name) for name in names if name.endswith(".py"))
