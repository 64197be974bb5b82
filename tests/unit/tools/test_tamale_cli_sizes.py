"""`--size` and `--entries`: what `compile` and `explain` estimate by."""

import pytest

from tamale.tools.tamale import main

CHAIN = ["Z(i,j) = A(i,k) * B(k,l) * C(l,j)", *(f"-f{name}=csr" for name in "ABCZ")]
ENTRIES = ["--entries", "A=20000", "--entries", "B = 20000", "--entries", "C=20000"]
WIDE = ["--size", "i=50", "--size", "k=9000", "--size", "l=50", "--size", "j=9000"]
TALL = ["--size", "i=9000", "--size", "k=50", "--size", "l=9000", "--size", "j=50"]


@pytest.mark.parametrize(
    ("sizes", "first"),
    [(WIDE, "T(i,l) = sum(k, A(i,k) * B(k,l))"), (TALL, "T(k,j) = sum(l, B(k,l) * C(l,j))")],
)
def test_explain_says_what_it_was_told(
    sizes: list[str], first: str, capsys: pytest.CaptureFixture[str]
):
    assert main(["explain", *CHAIN, *sizes, *ENTRIES]) == 0
    text = capsys.readouterr().out
    assert f"estimates\n  {first}\n" in text
    assert "    entries A = 16384, B = 16384\n" in text or "entries B = 16384, C = 16384\n" in text
    assert "(assumed)" not in text


def test_compile_makes_what_they_ask_for(capsys: pytest.CaptureFixture[str]):
    assert main(["compile", *CHAIN, *WIDE, *ENTRIES, "--emit", "tin"]) == 0
    assert "stored [?, 16384]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--entries", "Z=3"], "entries flag: 'Z' is no operand of  Z"),
        (["--entries", "A"], "entries flag: expected an operand, '=' and a number, in  "),
        (["--size", "q=3"], "size flag: 'q' is no index variable of  Z"),
    ],
)
def test_what_cannot_be_meant(
    flags: list[str], message: str, capsys: pytest.CaptureFixture[str]
):
    assert main(["explain", *CHAIN, *flags]) != 0
    assert message in capsys.readouterr().err
