"""The command above each dump really continues from it."""

import re
import shlex
from pathlib import Path

import pytest

from tamale.tools.tamale_opt import main

MODULE = """\
%a = "test.op"() : () -> i32
%b = arith.addi %a, %a : i32
%c = arith.addi %a, %a : i32
%dead = arith.constant 1 : i32
"test.op"(%b, %c) : (i32, i32) -> ()
"""


def test_each_dump_leads_to_the_same_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    source = tmp_path / "in.mlir"
    source.write_text(MODULE)
    assert main([str(source), "-p", "cse,canonicalize,dce", "--print-ir-after-all"]) == 0
    wanted, dumps = capsys.readouterr()

    commands = re.findall(r"^// tamale-opt (.*)$", dumps, re.MULTILINE)
    assert commands == ["-p 'canonicalize,dce'", "-p 'dce'", "-p ''"]
    texts = re.split(r"^// after .*$", dumps, flags=re.MULTILINE)[1:]
    for command, text in zip(commands, texts, strict=True):
        source.write_text(text)
        assert main([str(source), *shlex.split(command)]) == 0
        assert capsys.readouterr().out == wanted
