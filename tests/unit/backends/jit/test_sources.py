"""The version of tamale in a kernel's key."""

from pathlib import Path

import tamale
from tamale.backends.jit.sources import digest_of, tamale_identity


def test_digest_follows_names_and_texts_through_links(tmp_path: Path):
    package, linked = tmp_path / "package", tmp_path / "linked"
    package.mkdir()
    linked.mkdir()
    (package / "passes").symlink_to(linked)
    seen = {digest_of(package)}
    (linked / "a.py").write_text("x = 1\n")
    seen.add(digest_of(package))
    (linked / "a.py").write_text("x = 2\n")
    seen.add(digest_of(package))
    (linked / "a.py").rename(linked / "b.py")
    seen.add(digest_of(package))
    assert len(seen) == 4
    (linked / "notes.txt").write_text("not a module\n")
    assert digest_of(package) in seen


def test_tamale_identity_covers_this_package():
    assert tamale.__file__ is not None
    tamale_identity.cache_clear()  # Somebody may have edited a file since it was first asked.
    assert tamale_identity() == digest_of(Path(tamale.__file__).parent)
