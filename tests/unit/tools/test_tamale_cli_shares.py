"""`tamale explain -i`: how much work each worker gets on given tensors."""

from pathlib import Path

import pytest

from tamale.tools.tamale import main

Capture = pytest.CaptureFixture[str]
ARROW = """%%MatrixMarket matrix coordinate real general
4 4 7
1 1 1.0
1 2 1.0
1 3 1.0
1 4 1.0
2 2 1.0
4 1 1.0
4 4 1.0
"""
SPMV = ["explain", "y(i) = A(i,j) * x(j)", "-f", "A=csr"]


@pytest.fixture
def arrow(tmp_path: Path) -> str:
    """A flag for a matrix whose first row has most entries."""
    file = tmp_path / "A.mtx"
    file.write_text(ARROW)
    return f"A={file}"


def test_a_table_of_shares(capsys: Capture, arrow: str):
    assert main([*SPMV, "--threads", "3", "-i", arrow]) == 0
    assert capsys.readouterr().out.endswith(
        """
parallel
  3 workers share the loops of i and j
  each does 1/3 of the work, the visits of i in U.i and j in A.j
  those that meet in one coordinate of i have partial results, combined in the end
work
  worker  begins at     work
       1  i = 0            3
       2  i = 0, j = 2     4
       3  i = 2            4
"""
    )


def test_one_worker(capsys: Capture, arrow: str):
    assert main([*SPMV, "-i", arrow]) == 0
    assert capsys.readouterr().out.endswith("work\n  one worker does all\n")


def test_conversions_have_no_workers(capsys: Capture, arrow: str):
    with pytest.raises(SystemExit):
        main(["explain", "--convert", "coo:csr", "-i", arrow])
    assert "-i is about the tensors of a statement" in capsys.readouterr().err
