"""The documents tell the truth: Python runs, IR parses, paths, passes and options exist."""

import re
from argparse import ArgumentParser
from pathlib import Path

import pytest

from tamale.dialects import tamale_context
from tamale.dialects.verification import verify_module
from tamale.passes import get_all_passes
from tamale.passes.pipelines import TABLE
from tamale.tools.opt.arguments import add_arguments
from tamale.tools.opt.located_parser import LocatedParser

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
PACKAGES = ("backends", "dialects", "frontend", "interpreters", "passes", "tools")
FOLDERS = (*PACKAGES, ".ci", "benchmarks", "docs", "examples", "src", "tests")
FOREIGN_OPTIONS = {
    *("--check-prefix", "--fix"),
    *("--entry-point-result", "--linalg-generalize-named-ops", "--mlir-to-llvmir"),
}

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))


def blocks(page: Path, language: str) -> list[tuple[int, str]]:
    """The fenced blocks of a language, each with its first line."""
    text = page.read_text()
    found = re.finditer(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [(text.count("\n", 0, m.start()) + 2, m[1]) for m in found]


def code_of(page: Path) -> str:
    """All that a page sets as code: fenced blocks and words in backticks."""
    text = page.read_text()
    fenced = re.findall(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    prose = re.sub(r"^```\w*\n.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return "\n".join([*fenced, *re.findall(r"`([^`\n]+)`", prose)])


@each_page
def test_python_blocks_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The blocks of one page run in order, in one namespace, as a reader would type them."""
    monkeypatch.chdir(tmp_path)
    namespace: dict[str, object] = {"__name__": "__main__"}
    for line, text in blocks(page, "python"):
        exec(compile("\n" * (line - 1) + text, str(page), "exec"), namespace)


@each_page
def test_mlir_blocks_parse(page: Path):
    for line, text in blocks(page, "mlir"):
        padded = "\n" * (line - 1) + text
        verify_module(LocatedParser(tamale_context(), padded, str(page)).parse_module())


@each_page
def test_paths_exist(page: Path):
    tops = "|".join(map(re.escape, FOLDERS))
    paths = re.findall(rf"(?<![\w/.-])(?:{tops})/[\w./-]*", code_of(page))
    assert [path for path in paths if not (ROOT / path.rstrip(".")).exists()] == []


@each_page
def test_links_lead_somewhere(page: Path):
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text())
    assert [link for link in links if not (page.parent / link).exists()] == []


@each_page
def test_passes_exist(page: Path):
    known = {*get_all_passes(), *TABLE.pipelines}
    pipelines = re.findall(r"tamale-opt\b[^\n|]*? -p '?([\w,-]+)", code_of(page))
    assert [n for p in pipelines for n in p.split(",") if n not in known] == []


@each_page
def test_options_exist(page: Path):
    parser = ArgumentParser()
    add_arguments(parser)
    known = set(re.findall(r"--[\w-]+", parser.format_help())) | FOREIGN_OPTIONS
    for source in (ROOT / "tools").rglob("*.py"):
        known |= set(re.findall(r'"(--[a-z][\w-]*)"', source.read_text()))
    named = set(re.findall(r"(?<![\w-])--[a-z][\w-]*", code_of(page)))
    assert named - known == set()
