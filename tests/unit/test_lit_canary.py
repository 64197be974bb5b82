"""One check of each lit file, replaced by nonsense, makes it fail; `make lit-canary` does all."""

from pathlib import Path

import pytest
from canary import HERE, lit_files, mutants, survives
from run_lines import parse_script, run_script


@pytest.mark.parametrize("path", lit_files(), ids=lambda path: str(path.relative_to(HERE)))
def test_nonsense_is_noticed(path: Path):
    poisoned = list(mutants(path.read_text()))
    assert poisoned, "no check to poison"
    line, mutant = poisoned[len(path.stem) % len(poisoned)]
    assert not survives(path, mutant), f"{path}:{line}: this check passes on nonsense"


def test_the_canary_can_die(tmp_path: Path):
    path = tmp_path / "dead.mlir"
    dead = '// RUN: tamale-opt %s | filecheck %s\n// CHECK: {{.*}}\n"test.op"() : () -> ()\n'
    path.write_text(dead)
    script = parse_script(dead, path)
    assert script is not None
    assert run_script(script) is None
    [(line, mutant)] = mutants(dead)
    assert line == 2
    assert not survives(path, mutant)
    assert survives(path, dead)
