"""`--check-passes` names the pass that breaks a program, and leaves what is needed to see it."""

from pathlib import Path

import pytest
from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import ModuleOp
from xdsl.rewriter import Rewriter

import tamale as tm
from tamale.passes.lower_lattices import LowerLatticesPass
from tamale.tools.tamale_opt import main

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A statement as a file in the working directory."""
    monkeypatch.chdir(tmp_path)
    module = tm.parse("Z(i,j) = A(i,j) + B(i,j)", A="csr", B="csr", Z="csr")
    Path("in.mlir").write_text(str(module))
    return "in.mlir"


@pytest.fixture
def _broken_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    right = LowerLatticesPass.apply

    def wrong(self: LowerLatticesPass, ctx: Context, op: ModuleOp) -> None:
        right(self, ctx, op)
        sums = [inner for inner in op.walk() if isinstance(inner, arith.AddfOp)]
        for each in sums:
            Rewriter.replace_op(each, arith.SubfOp(each.lhs, each.rhs))

    monkeypatch.setattr(LowerLatticesPass, "apply", wrong)


@pytest.mark.usefixtures("_broken_pass")
def test_a_broken_pass_is_named(source: str, capsys: Capture):
    assert main([source, "-p", "compute", "--check-passes"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(
        "in.mlir:2:3: error: lower-lattices changes what @kernel computes."
    )
    assert "to reproduce: tamale-opt reproducer.mlir --run-reproducer" in captured.err
    reproducer = Path("reproducer.mlir").read_text()
    assert reproducer.startswith("// configuration: -p 'lower-lattices' --check-passes\n")
    assert main(["reproducer.mlir", "--run-reproducer"]) == 1
    assert "lower-lattices changes what @kernel computes." in capsys.readouterr().err


def test_right_passes_are_not_blamed(source: str, capsys: Capture):
    assert main([source, "-p", "compute", "--check-passes"]) == 0
    assert capsys.readouterr().err == ""
