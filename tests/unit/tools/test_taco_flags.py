"""taco's flags, rewritten or refused."""

from pathlib import Path

import numpy as np
import pytest

import tamale as tm
from tamale.tools.cli.taco import IGNORED, REFUSED, STAGES, translated
from tamale.tools.tamale import main

M = np.array([[0, 2.0], [1, 3]])
SPMV = "y(i)=A(i,j)*x(j)"


@pytest.mark.parametrize(
    ("flag", "ours"),
    [
        ("-time=10", ["--time", "10"]),
        ("-time=", ["--time", "1"]),
        ("-d=i:100", ["--size", "i=100"]),
        ("-t=A:float", ["--dtype", "float32"]),
        ("-g=x:d", ["--fill", "x=1"]),
        ("-g=A:s", ["--fill", "A=0.07"]),
        ("-g=A: h", ["--fill", "A=0.005"]),
        ("-o=y:y.mtx", ["-o", "y.mtx"]),
        ("-o=y.mtx", ["-o", "y.mtx"]),
        ("-nthreads=1", ["--threads", "1"]),
        ("-s=reorder(j,i)", ["--order", "j,i"]),
        ("-print-nocolor", []),
        ("-f=A:ds:0,1", ["-f=A:ds:0,1"]),
        ("-i=A:a.mtx", ["-i=A:a.mtx"]),
        ("--time", ["--time"]),
    ],
)
def test_flags_are_rewritten(flag: str, ours: list[str]):
    assert translated(["run", SPMV, flag]) == ["run", SPMV, *ours]


@pytest.mark.parametrize(("flag", "stage"), STAGES.items())
def test_what_taco_prints(flag: str, stage: str):
    assert translated(["compile", SPMV, f"-{flag}"]) == ["compile", SPMV, "--emit", stage]
    with pytest.raises(tm.TamaleError, match=f"--emit {stage}"):
        translated(["run", SPMV, f"-{flag}"])


@pytest.mark.parametrize(
    ("flag", "help"),
    [
        *((f"-{name}=x", help) for name, help in REFUSED.items()),
        ("-d=A:3,4", "--size A=100"),
        ("-t=A:quad", "element types are float64"),
        ("-g=A:f", "--fill A=0.01"),
        ("-g=", "a name, ':' and what is meant"),
        ("-s=split(i,i0,i1,32)", "schedules are reorder, precompute, parallelize"),
        ("-s=precompute(A(i,k)*B(k,j),j,j)", "write --precompute 'T(i,l) = A(i,k) * B(k,l)'"),
        ("-s=reorder(i,j),parallelize(i,CPUThread,NoRaces)", "--threads N"),
    ],
)
def test_flags_without_an_equivalent(flag: str, help: str):
    with pytest.raises(tm.TamaleError) as caught:
        translated(["run", SPMV, flag])
    assert str(caught.value).startswith(f"taco's flag  {flag}  cannot be used here\n  help: ")
    assert help in str(caught.value)


def test_other_commands_keep_their_words():
    assert translated(["convert", "-d=i:100"]) == ["convert", "-d=i:100"]
    assert translated([]) == []
    assert not set(IGNORED) & set(REFUSED)


def test_a_command_pastes(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source, result = tmp_path / "m.mtx", tmp_path / "y.mtx"
    tm.tensor(M, "csr").save(str(source))
    words = ["run", SPMV, "-f=A:ds", f"-i=A:{source}", "-g=x:d", f"-o=y:{result}", "-time=10"]
    assert main(words) == 0
    assert "of 10 calls" in capsys.readouterr().out
    x = np.random.default_rng(0).random(2)
    assert np.allclose(tm.read(result).to_numpy()[:, 0], M @ x)
