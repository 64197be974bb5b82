"""The benchmark suite on tiny inputs: its report is complete, and it times no wrong results."""

from __future__ import annotations

from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from suite_runs import BENCHMARKS, Run, planted, run_suite

from tamale.passes.pipelines import TABLE

pytestmark = pytest.mark.xdist_group("benchmarks")  # One process runs the suite for all.
MATRICES = 3
"""Made by the suite itself; PyAMG's and those of the data folder may be missing."""

FORMATS = ("csc", "coo", "dcsr", "dia", "ell", "bcsr(2, 2)")
CALLS = (
    *("coo_csr", "csr_csc", "csc_csr", "csr_coo", "coo_csc", "csr_dcsr"),
    *("coo_hicoo", "csr_sell", "ell_csr", "dia_csr"),
)
OF_BLOCKS, OF_TENSORS = ("csr_bcsr", "coo_bcsr", "bcsr_csr"), ("coo3_csf", "coo3_csf-permuted")
CLOCKS = ("kernel", "call")
OF_MATRICES = ("A + B", "A .* B", "A * B", "A X, 32 columns", "SDDMM")
OF_ORDER_3 = ("X : Y", "X + Y", "TTV", "MTTKRP")
OPERANDS = (*product(OF_MATRICES, ("dcsr", "coo")), *product(OF_ORDER_3, ("csf", "coo")))
GROWING = {"A x": "kernel", "csr_csc": "kernel", "A + B": "call", "A * A, ordered": "call"}
SEVEN = ("coo_csr", "csr_csc", "csr_ell", "csr_dia", "coo_dia", "csc_dia", "csc_ell")
"""The conversions of the paper's evaluation."""
RATIOS = {
    ("spmv", "A x", "kernel"),
    ("spmv", "A x", "kernel(out=)"),
    ("spmv", "A x", "call"),
    ("spmm", "A B, 32 columns", "kernel"),
    ("spmm", "A B, 32 columns", "call"),
    ("spmm", "A B, 128 columns", "kernel"),
    ("spmm", "A B, 128 columns", "call"),
    *(("spgemm", what, clock) for what in ("A * A", "A * A, ordered") for clock in CLOCKS),
    ("elementwise", "A + B", "kernel"),
    ("elementwise", "A + B", "call"),
    ("elementwise", "A .* B", "kernel"),
    ("elementwise", "A .* B", "call"),
    ("compositions", "A + B, csc B", "call"),
    ("compositions", "A + A'", "call"),
    ("compositions", "A + B + C", "call"),
    ("compositions", "b - A x", "call"),
    ("compositions", "B - A X, 32 columns", "call"),
    ("compositions", "A : B", "call"),
    ("compositions", "(A A) .* B", "call"),
    ("compositions", "P' A P", "call"),
    ("contractions", "SDDMM", "call"),
    ("contractions", "TTV", "call"),
    ("contractions", "TTM", "call"),
    ("contractions", "MTTKRP", "kernel"),
    ("contractions", "MTTKRP", "call"),
    *(("operands", f"{what}, {format}", "call") for what, format in OPERANDS),
    ("converting", "coo_csr", "kernel"),
    ("converting", "coo_csr, unsorted", "kernel"),
    ("converting", "coo_csr, unsorted, with duplicates", "kernel"),
    ("converting", "csr_csc", "kernel"),
    ("converting", "csr_ell", "kernel"),
    ("converting", "csc_ell", "kernel"),
    ("converting", "coo_ell", "kernel"),
    ("converting", "csr_dia", "kernel"),
    ("converting", "coo_dia", "kernel"),
    ("converting", "csc_dia", "kernel"),
    ("calling", "kernel(A=A, x=x)", "call"),
    ("calling", "kernel(A=A, x=x, out=y)", "call"),
    ("calling", "evaluate(...)", "call"),
    ("calling", 'einsum("ij,j->i", A, x)', "call"),
    ("calling", "A @ x", "call"),
    ("calling", "kernel(A=A, B=A), sparse", "call"),
    ("calling", 'evaluate(..., out="csr")', "call"),
    ("calling", "A + A", "call"),
    ("threads", "A x", "wall"),
    ("threads", "A B, 32 columns", "wall"),
    ("threads", "MTTKRP", "wall"),
    *(("threads", what, "wall") for what in SEVEN),
    *(("formats", f"A x, {name}", "call") for name in FORMATS),
    *(("converting-objects", what, "call") for what in (*CALLS, *OF_BLOCKS, *OF_TENSORS)),
    *(("growth", what, clock) for what, clock in GROWING.items()),
}
SERIAL = {("threads", "A * A", "wall"), ("threads", "A + B", "wall")}
"""Rows of kernels that are serial as long as sparse results are; a gap says so."""
FEWEST = {
    **dict.fromkeys([(section, what) for section, what, _ in RATIOS if section == "calling"], 1),
    **dict.fromkeys([("contractions", what) for what in ("TTV", "TTM")], 1),
    ("threads", "MTTKRP"): 1,
    **dict.fromkeys([("threads", what) for what in SEVEN], 2),
    ("compositions", "P' A P"): 2,
    **{("operands", f"{what}, {format}"): 1 for what, format in OPERANDS if what in OF_ORDER_3},
    **dict.fromkeys([("converting-objects", what) for what in OF_TENSORS], 1),
}
"""How many rows there are at least where they are not as many as matrices."""
CANONICAL = {"SpMV csr", "SpMM csr", "A+B csr", "A+B dcsr", "MTTKRP csf", "a+b*c"}
STAGES = {"parse", "build tin", *TABLE.expand("compute"), "print C++", "pipeline", "C++ compiler"}
STARTS = {"python -c pass", "tamale-opt --version", "import tamale", "first call, kernel on disk"}


def test_every_ratio_is_there(whole: Run):
    rows: dict[tuple[str, str, str], list[Any]] = {}
    for row in whole.results["ratios"]:
        rows.setdefault((row["section"], row["what"], row["clock"]), []).append(row)
    serial = {gap["what"].partition(", ")[2] for gap in whole.results["gaps"]}
    assert {(section, what, clock) for section, what, clock in SERIAL if what in serial} == (
        SERIAL - rows.keys()
    )
    assert rows.keys() - SERIAL == RATIOS
    for (section, what, _), found in rows.items():
        inputs = {(row["data"], row["peer"]) for row in found}
        assert len(inputs) == len(found) >= FEWEST.get((section, what), MATRICES)
        for row in found:
            assert row["ratio"] == row["theirs"] / row["tamale"] > 0


def test_every_latency_is_there(whole: Run):
    latencies = whole.results["latencies"]
    assert all(row["seconds"]["cpu"] > 0 and row["seconds"]["wall"] > 0 for row in latencies)
    found = {(row["section"], row["what"], row["part"]) for row in latencies}
    stages = {("compiling", kernel, stage) for kernel in CANONICAL for stage in STAGES}
    assert found == stages | {("starting", what, "") for what in STARTS}


def test_balances_are_counted(whole: Run):
    balances = whole.results["balances"]
    names = {row["data"].rpartition(" ")[0] for row in balances}
    assert names >= {"arrow", "half in one row", "power law"}
    for row in balances:
        assert row["workers"] == 64
        assert 1 <= row["tamale"] < row["by_rows"]


def test_sums_of_more_operands_have_more_lines(whole: Run):
    lines = [row["number"] for row in whole.results["counts"] if row["section"] == "compiling"]
    assert len(lines) == 5
    assert lines == sorted(set(lines))
    assert "| lines of C++, a sum of 6 in csr | " in whole.out


def test_inputs_grow(whole: Run):
    rows = [row for row in whole.results["ratios"] if row["section"] == "growth"]
    for what in GROWING:
        entries = [row["entries"] for row in rows if row["what"] == what]
        assert entries == sorted(set(entries))
        assert len(entries) > 2
    assert {row["entries"] for row in whole.results["ratios"] if row not in rows} == {0}


def test_pictures(whole: Run):
    """Both where matplotlib is, else none."""
    drawn = {path.name for path in whole.folder.glob("*.svg")}
    assert drawn == ({"speedups.svg", "growth.svg"} if find_spec("matplotlib") else set())


def test_memory_limit(tmp_path: Path):
    """
    A copy at the speed of memory, twice as many bytes, reaches half of the limit. The speed is told
    where it was measured, and measured where it is needed.
    """
    code = """
        import bandwidth
        from effort import QUICK
        from timing import Contender, Contest, contend
        from machine import describe_memory
        import timing

        print(*describe_memory(), file=sys.stderr)
        timing.memory = lambda threads: bandwidth.Memory(copy=threads * 1e9, triad=1e9)
        timing.alternate = lambda runs, *_: [[2e-3] * 7, [1e-3] * 7]
        run = lambda: [1.0]
        ours, peer = Contender("tamale", run), Contender("peer", run)
        for large, threads in ((True, 1), (False, 1), (True, 2)):
            contest = Contest("", "", "", "", ours, [peer], large, 10**6, threads=threads)
            print(*((r.peer, r.ratio) for r in contend(contest, QUICK)), file=sys.stderr)
        rates = (rate for n in (1, 2) for rate in vars(bandwidth.memory(n)).values())
        print(*(1e8 < rate < 1e12 for rate in rates), file=sys.stderr)
        print(*describe_memory(), sep="; ", file=sys.stderr)
        sys.exit()
        """
    run = run_suite(planted(tmp_path, code), tmp_path)
    assert run.err.splitlines() == [
        "",
        "('peer', 0.5) ('memory limit', 0.5)",
        "('peer', 0.5)",
        "('peer', 0.5) ('memory limit', 0.25)",
        "True True True True",
        "memory, 1 thread; memory, 2 threads",
    ]


def test_the_pipeline_is_the_sum_of_its_stages(whole: Run):
    rows = [row for row in whole.results["latencies"] if row["what"] == "A+B dcsr"]
    cpu = {row["part"]: row["seconds"]["cpu"] for row in rows}
    stages = [seconds for part, seconds in cpu.items() if part not in ("pipeline", "C++ compiler")]
    assert cpu["pipeline"] == pytest.approx(sum(stages))


def test_markdown(whole: Run):
    text = (whole.folder / "results.md").read_text()
    assert whole.out == text
    assert "above 1, tamale is faster" in text
    for section in ("spmv", "spmm", "elementwise", "calling", "compiling", "starting"):
        assert f"\n## {section}\n" in text
    row = "| A x | kernel | 5-point 30x30 | SciPy csr_matvec |"
    assert text.count(f"\n{row}") == 2, "in a section of its own and where inputs grow"
    for stage in STAGES:
        assert f"\n| {stage} |" in text
    assert "| mkl | " in text
    assert "| numpy | " in text


def test_a_limit_without_a_measurement_fails(whole: Run):
    assert whole.code == 1
    assert "FAILED: SpMV csr, kernel, matrices larger than the cache" in whole.err
    assert "nothing measured, wanted at least 0.95" in whole.err


def test_limits(tmp_path: Path):
    code = """
        from floors import verdicts
        from results import Latency, Ratio, Seconds

        def addition(theirs):
            where = ("elementwise", "A + B", "data", "call", "SciPy")
            return Ratio(*where, 1.0, theirs, (1.0, 1.0), larger_than_cache=False)

        def version(cpu):
            return Latency("starting", "tamale-opt --version", "", Seconds(cpu, 9.0))

        for result in (addition(1.75), addition(0.8), version(0.24), version(0.25)):
            print(*verdicts([result]), file=sys.stderr)
        sys.exit()
        """
    run = run_suite(planted(tmp_path, code), tmp_path)
    assert run.err.splitlines() == [
        "ok: A + B csr, call, geometric mean: 1.75, wanted at least 1.5",
        "FAILED: A + B csr, call, geometric mean: 0.8, wanted at least 1.5",
        "ok: tamale-opt --version: 240 ms, wanted below 250 ms",
        "FAILED: tamale-opt --version: 250 ms, wanted below 250 ms",
    ]


def test_a_limit_is_missed_by_more_than_runs_differ(tmp_path: Path):
    code = """
        from floors import Verdict

        found = ((1.4, True), (1.3, True), (1.6, False), (1.7, False), (2.0, True), (None, True))
        for measured, at_least in found:
            verdict = Verdict("", measured, 1.5, at_least=at_least)
            print(int(verdict.holds), int(verdict.is_missed), file=sys.stderr)
        sys.exit()
        """
    run = run_suite(planted(tmp_path, code), tmp_path)
    assert run.err.splitlines() == ["0 0", "0 1", "0 0", "0 1", "1 0", "0 1"]


def test_a_wrong_result_is_not_timed(tmp_path: Path):
    code = """
        from sections import spmv
        from timing import Contender

        right = spmv.into_array

        def wrong(kernel, operands, out):
            run = right(kernel, operands, out).run
            return Contender("tamale", lambda: run() * (1 + 1e-6))

        spmv.into_array = wrong
        """
    run = run_suite(planted(tmp_path, code), tmp_path, "spmv")
    assert run.code == 1
    assert run.err.startswith("benchmarks: error: A x, 5-point 30x30, kernel: the result differs")
    assert not (tmp_path / "results.json").exists()


def test_what_counts_as_wrong(tmp_path: Path):
    code = """
        import numpy as np
        from scipy.sparse import csr_array
        from timing import Contender, Contest, WrongResult, check_agreement

        def verdict(found, expected):
            ours, peer = Contender("tamale", lambda: found), Contender("peer", lambda: expected)
            try:
                check_agreement(Contest("", "", "", "", ours, [peer]))
            except WrongResult as error:
                return str(error).partition("the result ")[2].partition(" by ")[0]
            return "right"

        eye, ones = np.eye(3), np.ones(3)
        for found, expected in (
            (ones, ones),
            (ones * (1 + 1e-14), ones),
            (ones * (1 + 1e-8), ones),
            (ones * np.nan, ones),
            (np.ones(1), ones),
            (csr_array(eye), csr_array(eye)),
            (csr_array(eye[[0, 1, 1]]), csr_array(eye)),
            (csr_array((3, 3)), csr_array((3, 3))),
            (csr_array((3, 3)), csr_array(eye)),
            (csr_array(eye), csr_array((3, 3))),
        ):
            print(verdict(found, expected), file=sys.stderr)
        sys.exit()
        """
    run = run_suite(planted(tmp_path, code), tmp_path)
    differs = "differs from peer's"
    assert run.err.splitlines() == [
        "right",
        "right",
        differs,
        differs,
        "has shape (1,), peer's (3,)",
        "right",
        differs,
        "right",
        differs,
        differs,
    ]


def test_data_folder(tmp_path: Path):
    nowhere = tmp_path / "nowhere"
    run = run_suite(BENCHMARKS, tmp_path, "spmv", data=str(nowhere))
    assert run.code == 1
    message = f"TAMALE_DATA is '{nowhere}', which is no folder"
    assert run.err == f"benchmarks: error: data: {message}\n"


def test_unknown_section(tmp_path: Path):
    run = run_suite(BENCHMARKS, tmp_path, "spvm")
    assert run.code == 2
    assert "'spvm' is no section; they are spmv, formats, spmm, " in run.err


PAPER = {
    "jnlbrng1": (40000, 199200, 5, 5),
    "obstclae": (40000, 197608, 5, 5),
    "chem_master1": (40401, 201201, 5, 5),
    "dixmaanl": (60000, 299998, 7, 5),
    "denormal": (89400, 1156224, 13, 13),
    "Baumann": (112211, 760631, 7, 7),
    "Lin": (256000, 1766400, 7, 7),
    "ecology1": (1000000, 4996000, 5, 5),
    "atmosmodd": (1270432, 8814880, 7, 7),
}
"""Rows, entries, diagonals, and entries of the longest row, as the conversion paper has them."""


def test_stand_ins(tmp_path: Path):
    """A full run has them all, and no other does."""
    code = """
        import numpy as np
        from data import from_the_paper
        from effort import FULL, QUICK, USUAL

        for matrix in from_the_paper(FULL):
            csr, rows = matrix.csr, np.diff(matrix.csr.indptr)
            diagonals = np.unique(csr.indices - np.repeat(np.arange(len(rows)), rows))
            print(matrix.name, len(rows), csr.nnz, len(diagonals), rows.max(), file=sys.stderr)
        print(*from_the_paper(USUAL), *from_the_paper(QUICK), file=sys.stderr)
        sys.exit()
        """
    run = run_suite(planted(tmp_path, code), tmp_path)
    *found, others = run.err.splitlines()
    assert {name: tuple(map(int, sizes)) for name, *sizes in map(str.split, found)} == PAPER
    assert others == ""
