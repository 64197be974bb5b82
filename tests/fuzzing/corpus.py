"""Texts that are right, or were made to be refused: what damage starts from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

import numpy as np
from expressions import random_statement
from format_lines import random_format

from tamale.dialects.format.named import NAMED_FORMATS, Family
from tamale.dialects.notation.ast import to_text

LIT = Path(__file__).resolve().parents[1] / "lit"
_SPLIT = re.compile(r"^// -----.*$", re.MULTILINE)
_COMMENT_LINE = re.compile(r"^\s*//.*\n?", re.MULTILINE)

STATEMENTS = (
    "y(i) = A(i,j) * x(j)",
    "Z[i,j] += sum(k, A[i,k] * B[k,j]) - 2.5 * C(j,i)",
    "alpha = sum((i,j), max(A(i,j), -B(i,j)))",
    "y(i) max= xor(a(i), b(i)) / (c(i) + 1e-3)",
    "Z(i,j) = map(A(i,j), 1) |  B(i,j)",
)
EXPRESSIONS = (
    *("i", "j - i", "(j - i) / 2", "#i", "i / 4 % 2", "(i & 1) | (j & 1) << 1", "#", "i ^ j"),
    *("morton(i / 2, j / 2)", "r = i / 4 in r & 1"),
)
REMAPPINGS = (
    "(i, j) -> (k = j - i, i, j)",
    "(i,j)->(i, j)",
    "(i, j) -> (b = i / 2, c = j / 3, r = i % 2, j)",
    "(i, j) -> (n = #i, j, i)",
)
QUERIES = (
    "select [i] -> count(j) as nir",
    "select [] -> min(j, k) as low, max(k) as high",
    "select [i, j] -> id() as ne",
    "select [k] -> count(*) as n",
)
SELECTIONS = ("#i < 3 && j > 1", "j > i", "i / 2 == j / 2", "#i >= 4 && #j < 2 && i != j")
SETS = ("A.i & B.i | ~C.i", "U.i", "(A.i | B.i) & ~(C.i | D.i)", "empty", "~~A.i & U.i")
FLAGS = ("A=csr", "A:ds:1,0", "B = bcsr(2, 3)", "C:ssq", "x=(i) -> (i : dense)", "T:sss:2,0,1")
PIPELINES = (
    "compute",
    "concretize,simplify-domains,cse",
    "builtin.module(insert-conversions{forbid=true},concretize)",
    'canonicalize, cse{x="a, b" y=1,2}',
)
EINSUMS = ("ij,j->i", "ik,kj", "i,i->", "ijk,kl,lm->ijm", "...i,i", "ii->i")


@cache
def statements() -> Sequence[str]:
    """Statements of every kind."""
    kinds = ("float", "int", "bits", "complex")
    drawn = [to_text(random_statement(Random(n), kinds[n % 4])) for n in range(80)]
    return (*STATEMENTS, *drawn)


@cache
def formats() -> Sequence[str]:
    """Names and lines of formats."""
    named = [e.shown if isinstance(e, Family) else e.usage for e in NAMED_FORMATS.values()]
    used = [name for name in named if "->" not in name]
    calls = ("bcsr(2, 3)", "dense(1, 0)", "hicoo(2)", "sell(4)", "hyb(3)", "sell(2)")
    lines = [str(random_format(np.random.default_rng(n), 2 + n % 2)) for n in range(24)]
    widths = [f"csr, posWidth = 64, crdWidth = {width}" for width in (8, 16, 32, 64)]
    return (*named, *used, *calls, *lines, *widths)


@cache
def ir_pieces(part: str) -> Sequence[str]:
    """The modules in the lit tests of a folder, without comments, errors included."""
    pieces: list[str] = []
    for path in sorted((LIT / part).glob("*.mlir")):
        for piece in _SPLIT.split(path.read_text()):
            text = _COMMENT_LINE.sub("", piece)
            if text.strip():
                pieces.append(text)
    return tuple(pieces)
