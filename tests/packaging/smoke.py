"""
Builds wheel and sdist, installs each into an environment of its own, and runs the tutorial there:
the wheel with every version of Python that this machine has and pyproject.toml allows.

    python tests/packaging/smoke.py        or  make smoke

Needs the package `build` and a package index; what is installed besides is only what
pyproject.toml asks for at run time.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TUTORIAL = ROOT / "docs" / "tutorial.md"
RUN_TIME = {"tamale", "xdsl", "numpy", "scipy", "cffi"}
PYENV = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
"""Where pyenv keeps its versions, of which only those that are chosen are on the path."""
VERSIONS = ("3.11", "3.12", "3.13")
BROUGHT_ALONG = set("pip setuptools pycparser immutabledict ordered-set typing-extensions".split())
"""What Python has, and what the packages of RUN_TIME need."""


def tutorial() -> str:
    """All Python of the tutorial as one program."""
    return "\n".join(re.findall(r"^```python\n(.*?)^```", TUTORIAL.read_text(), re.M | re.S))


def run(command: Sequence[str | Path], folder: Path) -> str:
    """What a command prints; ends the program with its output if it fails."""
    finished = subprocess.run(
        [str(word) for word in command], cwd=folder, capture_output=True, text=True, check=False
    )
    if finished.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{finished.stdout}\n{finished.stderr}")
    return finished.stdout


def build(folder: Path) -> list[Path]:
    """The wheel and the sdist."""
    run([sys.executable, "-m", "build", "--outdir", folder, ROOT], ROOT)
    return [*folder.glob("*.whl"), *folder.glob("*.tar.gz")]


def pythons() -> dict[str, str]:
    """Version -> an interpreter of it, of the versions that work and that tamale is for."""
    found = {f"3.{sys.version_info.minor}": sys.executable}
    for version in VERSIONS:
        kept = sorted(PYENV.glob(f"versions/{version}.*/bin/python{version}"))
        for python in (f"python{version}", *map(str, kept)):
            command = [python, "-c", "import sys, venv; print(sys.executable)"]
            try:
                answer = subprocess.run(command, capture_output=True, text=True, check=True)
            except (OSError, subprocess.CalledProcessError):
                continue  # There is none, or a stand-in for one that is not chosen.
            found.setdefault(version, answer.stdout.strip())
    return found


def check(package: Path, folder: Path, python: str) -> None:
    """Installs a package for an interpreter, and uses it."""
    folder.mkdir()
    run([python, "-m", "venv", folder / "env"], folder)
    binaries = folder / "env" / "bin"
    run([binaries / "pip", "install", "-q", "--disable-pip-version-check", package], folder)
    listed = json.loads(run([binaries / "pip", "list", "--format", "json"], folder))
    names = {each["name"].lower().replace("_", "-") for each in listed}
    unasked = names - RUN_TIME - BROUGHT_ALONG
    if unasked or not RUN_TIME <= names:
        sys.exit(f"{package.name}: installed {sorted(names)}")
    where = run([binaries / "python", "-Ic", "import tamale; print(tamale.__file__)"], folder)
    if "site-packages" not in where:
        sys.exit(f"{package.name}: tamale comes from {where}")
    for command in (["tamale", "--version"], ["tamale", "formats"], ["tamale-opt", "--version"]):
        run([binaries / command[0], *command[1:]], folder)
    program = folder / "tutorial.py"
    program.write_text(tutorial())
    run([binaries / "python", program], folder)
    version = run([binaries / "python", "-V"], folder).strip()
    print(f"{package.name}: installed, the tutorial runs, {version}", flush=True)


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="tamale-smoke-") as name:
        packages = build(Path(name) / "dist")
        if len(packages) != 2:
            sys.exit(f"expected a wheel and an sdist, built {packages}")
        wheel, sdist = packages
        check(sdist, Path(name) / "sdist", sys.executable)
        for version, python in pythons().items():
            check(wheel, Path(name) / f"wheel-{version}", python)


if __name__ == "__main__":
    main()
