"""Peers of the benchmark suite: each is timed or named as missing; limits count what they name."""

from __future__ import annotations

from pathlib import Path

import pytest
from suite_runs import Run, planted, run_suite

pytestmark = pytest.mark.xdist_group("benchmarks")  # One process runs the suite for all.

MKL_ROWS = {
    ("A x", "MKL mkl_sparse_d_mv, optimised"),
    ("coo_csr", "MKL mkl_dcsrcoo"),
    ("coo_csr, unsorted", "MKL mkl_dcsrcoo"),
    ("csr_csc", "MKL mkl_dcsrcsc"),
    ("csc_ell", "MKL mkl_dcsrcsc, hand-written C++"),
    ("coo_ell", "MKL mkl_dcsrcoo, hand-written C++"),
    ("csr_dia", "MKL mkl_dcsrdia, told the diagonals"),
    ("coo_dia", "MKL mkl_dcsrcoo, mkl_dcsrdia, told the diagonals"),
    ("csc_dia", "MKL mkl_dcsrcsc, mkl_dcsrdia, told the diagonals"),
}


def test_mkl_is_a_peer_or_a_gap(whole: Run):
    ratios, gaps = whole.results["ratios"], whole.results["gaps"]
    rows = {(row["what"], row["peer"]) for row in ratios if row["peer"].startswith("MKL")}
    missing = {gap["section"] for gap in gaps if gap["what"] == "MKL"}
    assert (rows, missing) in ((MKL_ROWS, set()), (set(), {"spmv", "converting"}))
    assert (rows == set()) == (whole.results["machine"]["mkl"] == "absent")
    limits = [limit["what"] for limit in whole.results["limits"]]
    assert any("MKL" in what for what in limits) == bool(rows)


PEERS = {
    "Eigen": {"spmv", "spmm", "spgemm", "elementwise", "compositions", "converting"},
    "GraphBLAS": {"spmv", "spgemm", "elementwise", "compositions", "converting"},
    "MLIR sparsifier": {"spmv", "spmm"},
    "torch": {"spmv", "spmm", "contractions"},
    "pyttb": {"contractions"},
}
"""The sections in which a peer is timed, or missing."""


def test_other_peers_are_there_or_gaps(whole: Run):
    ratios, gaps = whole.results["ratios"], whole.results["gaps"]
    for peer, sections in PEERS.items():
        timed = {row["section"] for row in ratios if row["peer"].startswith(peer)}
        missing = {gap["section"] for gap in gaps if gap["what"] == peer}
        assert sections == timed ^ missing, peer


def test_unsupported_peers_are_named(whole: Run):
    whys = {gap["what"]: gap["why"] for gap in whole.results["gaps"]}
    assert "Julia" in whys["finch-tensor"]
    assert "without a GPU" in whys["nvmath-python"]


def test_a_program_of_mlir_that_refuses(tmp_path: Path):
    code = """
        import sparsifier

        program = tuple.__new__(sparsifier.Programs, ("false", "false"))
        sparsifier.programs = lambda: program
        sparsifier.version = lambda: str(id(program))
        """
    run = run_suite(planted(tmp_path, code), tmp_path, "spmv")
    assert run.code == 1
    assert run.err.startswith("benchmarks: error: MLIR sparsifier: false failed")


def test_products_by_hand(whole: Run):
    """Eigen and SciPy know no product without an order, SPARSKIT none with one."""
    rows = [row for row in whole.results["ratios"] if row["section"] == "spgemm"]
    found = {(row["what"], row["peer"]) for row in rows if row["peer"].startswith("hand-written")}
    counting, told = (f"hand-written C++, {how}" for how in ("counting first", "told the size"))
    assert found == {("A * A", counting), ("A * A", told), ("A * A, ordered", counting)}


def test_mttkrp_by_hand(whole: Run):
    """Of tensors of three orders."""
    peer = "hand-written C++, SPLATT's way"
    data = [row["data"] for row in whole.results["ratios"] if row["peer"] == peer]
    assert [name.partition("-way")[0] for name in data] == [f"power law, {n}" for n in (3, 4, 5)]


def test_limits_are_to_the_peers_that_they_name(tmp_path: Path):
    """Eigen is no library of Python's, however slow."""
    code = """
        from floors import verdicts
        from results import Ratio

        for section, what, clock in (
            ("spmm", "A B, 32 columns", "kernel"),
            ("elementwise", "A + B", "call"),
            ("spgemm", "A * A", "call"),
            ("converting-objects", "csr_bcsr", "call"),
        ):
            rows = [
                Ratio(section, what, "data", clock, peer, 1.0, theirs, (1.0, 1.0), False)
                for peer, theirs in (("SciPy", 2.0), ("Eigen", 1.0), ("GraphBLAS", 9.0))
            ]
            print(*(v.measured for v in verdicts(rows) if v.measured), file=sys.stderr)
        sys.exit()
        """
    run = run_suite(planted(tmp_path, code), tmp_path)
    assert [round(float(line), 6) for line in run.err.splitlines()] == [2.0] * 4


def test_without_optional_peers(tmp_path: Path):
    code = """
        import os
        from importlib import metadata

        def absent(name):
            raise metadata.PackageNotFoundError(name)

        metadata.files = absent
        os.environ["EIGEN"] = "nowhere"
        sys.modules.update(graphblas=None, torch=None)

        import sparsifier

        sparsifier.programs = lambda: None
        """
    run = run_suite(planted(tmp_path, code), tmp_path, "spmv")
    assert run.code == 0, run.err
    assert {row["peer"] for row in run.results["ratios"]} == {"SciPy csr_matvec", "SciPy A @ x"}
    assert "- missing: MKL: it is not installed; `make bench` asks pip for it" in run.out
    for peer, help in (
        ("Eigen", "Debian's package is libeigen3-dev"),
        ("MLIR sparsifier", "Debian's package is mlir-22-tools"),
        ("GraphBLAS", "`make bench` asks pip for it"),
        ("torch", "pip install 'tamale[bench-torch]'"),
    ):
        line = run.out.partition(f"- missing: {peer}: ")[2].partition("\n")[0]
        assert line.endswith(help)
    for name in ("mkl", "Eigen", "MLIR"):
        assert run.results["machine"][name] == "absent"
    assert "memory, one thread" not in run.results["machine"]
