"""`tamale compile`, `explain`, `formats` and what all subcommands share; `run` has its own file."""

import io
import subprocess
import sys
from pathlib import Path
from time import perf_counter

import pytest

from tamale.tools import tamale
from tamale.tools.tamale import main
from tamale.tools.tamale_opt import main as tamale_opt

ADD = ["Z(i,j) = A(i,j) + B(i,j)", "-f", "A=dcsr", "-f", "B=dcsr", "-f", "Z=dcsr"]
SPMV = ["y(i) = A(i,j) * x(j)", "-f", "A=csr"]

Capture = pytest.CaptureFixture[str]


def output(capsys: Capture, *args: str) -> str:
    """What a command that succeeds prints."""
    assert main(args) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    return captured.out


def error(capsys: Capture, *args: str) -> str:
    """What a command that fails says."""
    assert main(args) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    return captured.err


# compile


def test_cpp_is_the_default(capsys: Capture):
    text = output(capsys, "compile", *SPMV, "--name", "spmv", "--dtype", "float32")
    assert 'extern "C" int32_t spmv(' in text
    assert "const float *__restrict A_vals" in text


@pytest.mark.parametrize(
    ("form", "sign"),
    [("tin", "tin.kernel"), ("cin", "cin.forall j in A.j & x.j"), ("ocin", "with x.j = j")]
    + [("cfir", "cfir.lattice"), ("mlir", "scf.for"), ("dot", "// the loop of j over A.j")],
)
def test_forms(capsys: Capture, form: str, sign: str):
    assert sign in output(capsys, "compile", *SPMV, "--emit", form)


def test_dot_has_the_index_graph_first(capsys: Capture):
    text = output(capsys, "compile", *ADD, "--emit", "dot")
    titles = [line for line in text.splitlines() if line.startswith("//")]
    assert titles == [
        "// index graph of  Z(i,j) = A(i,j) + B(i,j)",
        "// the loop of i over A.i | B.i",
        "// the loop of j over A.j | B.j",
    ]


def test_dot_without_loops(capsys: Capture):
    assert output(capsys, "compile", "t = 3", "--emit", "dot").count("digraph") == 1


@pytest.mark.parametrize(
    ("form", "passes"),
    [("tin", "compute"), ("cfir", "lower-lattices,lower-levels,simplify"), ("mlir", "")],
)
def test_stages_go_on_in_tamale_opt(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, form: str, passes: str
):
    """`tamale compile --emit X | tamale-opt -p REST -t cpp` is `tamale compile`."""
    stage = output(capsys, "compile", *ADD, "--emit", form)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stage.encode())))
    assert tamale_opt(["-p", passes, "-t", "cpp"]) == 0
    assert capsys.readouterr().out.strip() == output(capsys, "compile", *ADD).strip()


def test_output_file(capsys: Capture, tmp_path: Path):
    target = tmp_path / "spmv.cpp"
    assert output(capsys, "compile", *SPMV, "-o", str(target)) == ""
    assert target.read_text() == output(capsys, "compile", *SPMV)


def test_output_file_that_cannot_be_written(capsys: Capture, tmp_path: Path):
    target = tmp_path / "missing" / "spmv.cpp"
    assert error(capsys, "compile", *SPMV, "-o", str(target)) == (
        f"tamale: error: '{target}' cannot be written: No such file or directory\n"
    )


# Formats


@pytest.mark.parametrize("flags", [["-f=A:ds:1,0"], ["-f", "A:ds:1,0"], ["-fA=csc"]])
def test_taco_spelling(capsys: Capture, flags: list[str]):
    expected = output(capsys, "compile", SPMV[0], "-f", "A=csc")
    assert output(capsys, "compile", SPMV[0], *flags) == expected


def test_index_widths_go_through(capsys: Capture):
    text = output(capsys, "compile", SPMV[0], "-f", "A=csr, pos = i64, crd = i64")
    assert "const int64_t *__restrict A2_crd" in text


def test_two_formats_of_one_tensor(capsys: Capture):
    assert "A is given two formats, 'csr' and 'csc'" in error(
        capsys, "compile", *SPMV, "-f", "A=csc"
    )


def test_unknown_format(capsys: Capture):
    assert error(capsys, "compile", SPMV[0], "-f", "A=crs").startswith(
        "tamale: error: format: no format is called 'crs' (did you mean 'csr'?)"
    )


def test_format_of_no_tensor(capsys: Capture):
    assert "format: 'B' names no tensor of" in error(capsys, "compile", *SPMV, "-f", "B=csr")


def test_formats(capsys: Capture):
    lines = output(capsys, "formats").splitlines()
    found = [line.split() for line in lines]
    assert ["csc", *"(i, j) -> (j : dense, i : compressed)".split()] in found
    kinds = next(words for words in found if words[:1] == ["kind"])
    dense = next(words for words in found if words[:2] == ["dense", "yes"])
    assert dense[kinds.index("ordered")] == "yes"
    assert dense[kinds.index("branchless")] == "no"


# Errors and exit codes


def test_expression_with_a_caret(capsys: Capture):
    assert error(capsys, "compile", "y(i) = A(i,j) +") == (
        "tamale: error: notation: expected an operand after '+', got the end of the statement\n"
        "  y(i) = A(i,j) +\n"
        "                 ^\n"
    )


def test_refused_statement(capsys: Capture):
    args = ["compile", ADD[0], "-f", "A=csr", "-f", "B=csc", "-f", "Z=csr", "--no-conversions"]
    assert "cycle: i -> j (Z), j -> i (B)" in error(capsys, *args)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["cook"], "invalid choice: 'cook'"),
        (["compile"], "expected either a statement or --convert FROM:TO"),
        (["explain", *SPMV[:1], "--convert", "csr:dia"], "expected either a statement or"),
        (["compile", "--convert", "csr:dia", "-f", "A=csr"], "-f is about the tensors of a"),
        (["formats", "A.mtx"], "needs --draw FORMAT"),
        (["compile", *SPMV, "--emit", "pdf"], "invalid choice: 'pdf'"),
        (["run", *SPMV, "--time", "0"], "'0' is no positive number"),
        (["run", *SPMV, "--tim", "2"], "unrecognized arguments: --tim"),
    ],
)
def test_bad_usage_exits_with_2(capsys: Capture, args: list[str], message: str):
    with pytest.raises(SystemExit) as exit_:
        main(args)
    assert exit_.value.code == 2
    assert message in capsys.readouterr().err


def test_dtype(capsys: Capture):
    assert "element type float16 is not supported" in error(
        capsys, "compile", *SPMV, "--dtype", "float16"
    )


@pytest.mark.parametrize(
    ("raised", "exit_code", "message"),
    [
        (KeyboardInterrupt(), 130, "interrupted"),
        (MemoryError("8 EiB"), 1, "not enough memory: 8 EiB"),
        (PermissionError(13, "Permission denied", "A.mtx"), 1, "Permission denied: 'A.mtx'"),
        (KeyError("j"), 1, "internal error: KeyError: 'j'"),
    ],
)
def test_no_traceback_ever(
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
    raised: BaseException,
    exit_code: int,
    message: str,
):
    def load(_: str) -> object:
        raise raised

    monkeypatch.setattr(tamale, "load", load)
    monkeypatch.delenv("TAMALE_DEBUG", raising=False)
    assert main(["formats"]) == exit_code
    assert message in capsys.readouterr().err


def test_debug_shows_the_traceback(monkeypatch: pytest.MonkeyPatch):
    def load(_: str) -> object:
        raise KeyError("j")

    monkeypatch.setattr(tamale, "load", load)
    monkeypatch.setenv("TAMALE_DEBUG", "1")
    with pytest.raises(KeyError):
        main(["formats"])


def test_utf8_in_any_locale(monkeypatch: pytest.MonkeyPatch):
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    assert main(["compile", *ADD, "--emit", "dot"]) == 0
    assert "i_A ∪ i_B" in raw.getvalue().decode("utf-8")


# explain


def test_explain(capsys: Capture):
    assert "i over A.i: iterates every i; locates A.i" in output(capsys, "explain", *SPMV)


def test_explain_a_refusal(capsys: Capture):
    formats = ["-f", "A=csr", "-f", "B=csc", "-f", "Z=csr"]
    text = output(capsys, "explain", ADD[0], *formats, "--no-conversions")
    assert "refused\n  concretize: no loop order fits every operand" in text


def test_explain_a_conversion(capsys: Capture):
    text = output(capsys, "explain", ADD[0], "-f", "A=csr", "-f", "B=csc", "-f", "Z=csr")
    assert "B_csr(i,j)  csr, float64, B, converted" in text
    assert "conversions\n  needed: no loop order fits every operand of" in text
    assert "B to B_csr: convert csc to csr: directly" in text


# Start-up


def test_version_is_quick_and_light():
    code = (
        "import sys; from tamale.tools.tamale import main\n"
        "try: main(['--version'])\n"
        "finally: print('loaded', sorted({'numpy', 'scipy', 'xdsl', 'cffi'} & set(sys.modules)))"
    )
    start = perf_counter()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert perf_counter() - start < 2  # 150 ms on a quiet machine
    assert done.stdout.startswith("tamale ")
    assert done.stdout.splitlines()[-1] == "loaded []"


def test_a_reader_that_leaves():
    """`tamale formats | true` ends quietly."""
    command = [sys.executable, "-m", "tamale.tools.tamale", "formats"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
