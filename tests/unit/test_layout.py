"""The top-level package directories are importable as tamale.* and in no other way."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("backends", "dialects", "frontend", "interpreters", "passes", "tools")


def test_every_top_level_package_is_linked():
    top = {p.parent.name for p in ROOT.glob("*/__init__.py")}
    links = {p.name for p in (ROOT / "src" / "tamale").iterdir() if p.is_symlink()}
    assert top == links == set(PACKAGES), (
        "a top-level package needs a symlink in src/tamale and a line in [tool.pyright] include; "
        "if the links are plain files, git cloned without symlinks (core.symlinks=false)"
    )
    for name in PACKAGES:
        assert os.readlink(ROOT / "src" / "tamale" / name) == f"../../{name}"


@pytest.mark.parametrize("name", PACKAGES)
def test_package_name(name: str):
    assert importlib.import_module(f"tamale.{name}").__name__ == f"tamale.{name}"


def test_no_generic_name_is_importable(tmp_path: Path):
    code = f"""
import importlib.util
print([n for n in {PACKAGES!r} if importlib.util.find_spec(n) is not None])
"""
    out = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert out.stdout.strip() == "[]"


def test_every_package_is_type_checked():
    text = (ROOT / "pyproject.toml").read_text()
    assert [name for name in PACKAGES if f'"src/tamale/{name}"' not in text] == []


def test_unit_tests_are_no_packages():
    assert sorted((ROOT / "tests").rglob("__init__.py")) == []
