"""The package in `examples/plugin`, installed; pages about it, followed; bad packages."""

import doctest
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib import invalidate_caches
from pathlib import Path

import pytest
from xdsl.universe import Universe

from tamale.dialects.errors import FormatError, TamaleError
from tamale.dialects.format.kinds import known_level_kinds, level_kind
from tamale.dialects.format.notation import parse_format
from tamale.dialects.plugins import entry_points_of
from tamale.passes import get_all_passes
from tamale.passes.pipeline import resolve_passes
from tamale.tools.tamale_opt import main

RULES = doctest.ELLIPSIS | doctest.DONT_ACCEPT_BLANKLINE


@pytest.fixture(scope="session")
def installed(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example package, as pip installs it."""
    source, target = tmp_path_factory.mktemp("plugin") / "plugin", tmp_path_factory.mktemp("site")
    shutil.copytree(root / "examples" / "plugin", source)
    pip = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    options = ["--no-deps", "--no-build-isolation", "--no-index", "--target", str(target)]
    subprocess.run([*pip, *options, str(source)], check=True, capture_output=True)
    return target


@pytest.mark.parametrize("page", ["plugins.md", "debugging.md"])
def test_the_page_is_followed(page: str, root: Path, installed: Path, tmp_path: Path):
    """Each command, in a shell, in one folder, prints what the page shows."""
    (tmp_path / "tests").symlink_to(root / "tests")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PYTHONPATH": str(installed), "PATH": path}
    text = (root / "docs" / page).read_text()
    sessions = re.findall(r"^```sh-session\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert sessions
    for part in re.split(r"^\$ ", "".join(sessions), flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        ran = subprocess.run(
            ["bash", "-c", f"{command} 2>&1"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        checker, example = doctest.OutputChecker(), doctest.Example(command, expected)
        difference = checker.output_difference(example, ran.stdout, RULES)
        assert checker.check_output(example.want, ran.stdout, RULES), f"{command}\n{difference}"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder that packages are looked for in."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    entry_points_of.cache_clear()
    yield folder
    entry_points_of.cache_clear()


def install(site: Path, package: str, group: str, entries: Mapping[str, str]) -> None:
    """What pip leaves of a package's entry points."""
    folder = site / f"{package}-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    (folder / "entry_points.txt").write_text("\n".join(lines))
    invalidate_caches()
    entry_points_of.cache_clear()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (
            "no_such_module:X",
            r"'odd' of package 'p' \(tamale.passes: no_such_module:X\) cannot be loaded: "
            "ModuleNotFoundError: No module named 'no_such_module'",
        ),
        ("math:tau_", "cannot be loaded: AttributeError"),
        ("this_fails:X", "cannot be loaded: ZeroDivisionError"),
        ("math:pi", "is no ModulePass"),
        ("xdsl.transforms.canonicalize:CanonicalizePass", "calls itself 'canonicalize'"),
    ],
)
def test_bad_passes_are_named(site: Path, value: str, message: str):
    (site / "this_fails.py").write_text("1 / 0\n")
    install(site, "p", "tamale.passes", {"odd": value})
    assert "odd" in get_all_passes()  # listed without being imported
    assert resolve_passes("cse")
    with pytest.raises(TamaleError, match=message):
        resolve_passes("odd")


def test_names_that_are_taken(site: Path):
    install(site, "p", "tamale.passes", {"odd": "a:B"})
    install(site, "q", "tamale.passes", {"odd": "c:D"})
    with pytest.raises(TamaleError, match=r"'odd' of package '[pq]' .* has the name of 'odd' of"):
        resolve_passes("odd")
    for name in ("simplify", "compute", "cse"):
        install(site, f"r-{name}", "tamale.passes", {name: "a:B"})
        with pytest.raises(TamaleError, match=f"'{name}' of package .* that tamale itself has"):
            get_all_passes()
        shutil.rmtree(site / f"r-{name}-1.0.dist-info")


def test_level_kinds(site: Path):
    install(site, "p", "tamale.levels", {"zigzag": "no_such_module:X"})
    assert "zigzag" in known_level_kinds()
    with pytest.raises(FormatError, match="'zigzag' of package 'p' .* cannot be loaded"):
        parse_format("(i) -> (i : zigzag)")
    install(site, "q", "tamale.levels", {"dense": "a:B"})
    with pytest.raises(FormatError, match="'dense' of package 'q' .* tamale itself has"):
        level_kind("no kind")


@pytest.mark.parametrize(
    ("group", "name", "value", "message"),
    [
        ("tamale.targets", "mlir", "a:B", "'mlir' of package 'p'"),
        ("xdsl.universe", "p", "math:pi", "'p' of package 'p' (xdsl.universe: math:pi) is no Uni"),
        ("xdsl.universe", "p", "its:UNIVERSE", "has a dialect 'cin', and that name is taken"),
    ],
)
def test_the_driver_says_whose_it_is(
    site: Path, group: str, name: str, value: str, message: str, capsys: pytest.CaptureFixture[str]
):
    (site / "its.py").write_text(
        "from xdsl.universe import Universe\nUNIVERSE = Universe(all_dialects={'cin': int})\n"
    )
    install(site, "p", group, {name: value})
    assert main([]) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith("tamale-opt: error: plug-in: ")
    assert message in captured.err


def test_xdsl_opt_knows_tamale(site: Path):
    install(site, "t", "xdsl.universe", {"tamale": "tamale.tools.universe:TAMALE"})
    universe = Universe.get_multiverse()
    assert universe.all_dialects["tin"]().name == "tin"
    assert universe.all_passes["concretize"]().name == "concretize"
    assert universe.all_targets["cpp"]().name == "cpp"
