"""Results by count, scan, fill: every stage gives the same; room for anything else is noticed."""

from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import tamale as tm
from tamale.dialects import cfir
from tamale.dialects.cin.attributes import StatementAttr, parse_statement
from tamale.interpreters.checking import PassChecker
from tamale.interpreters.sampling import STYLES
from tamale.passes import Pipeline
from tamale.passes.pipelines import TABLE

ADD = "Z(i,j) = A(i,j) + B(i,j)"
KERNELS: dict[str, tuple[str, dict[str, str]]] = {
    "csr": (ADD, dict.fromkeys("ABZ", "csr")),
    "dcsr": (ADD, dict.fromkeys("ABZ", "dcsr")),
    "coo": (ADD, {"A": "coo", "B": "csr", "Z": "coo"}),
    "dcsc": ("Z(i,j) = A(i,j) * B(i,j)", dict.fromkeys("ABZ", "dcsc")),
    "csf": ("Z(i,j,k) = A(i,j,k) + B(i,j,k)", dict.fromkeys("ABZ", "csf")),
    "marks": ("Z(i,j) = S(i,j) * A(i,k) * B(j,k)", dict.fromkeys("SABZ", "csr")),
    "sums": ("z(i) = A(i,j)", {"A": "csr", "z": "csf"}),
}


def by_count() -> str:
    """The whole road, with counting."""
    names = TABLE.expand("compute")
    return ",".join(n + "{by=count}" * (n == "plan-assembly") for n in names)


@pytest.mark.parametrize(
    "style", STYLES[:1] + STYLES[3:5], ids=("ordinary", "no entries", "no coordinates")
)
@pytest.mark.parametrize("name", KERNELS)
def test_every_stage_gives_the_same(name: str, style: Any, staged: Any, dense: Any, entries: Any):
    expression, formats = KERNELS[name]
    run = staged(tm.parse(expression, **formats), style)
    before = run.run()
    filling = 0
    for _ in Pipeline(by_count()).steps(run.module):
        outcome = run.run()
        np.testing.assert_allclose(dense(outcome), dense(before))
        np.testing.assert_array_equal(entries(outcome), entries(before))
        filling += any(
            isinstance(op, cfir.KernelOp) and op.into is not None for op in run.module.walk()
        )
    assert filling


def count_wrong(module: ModuleOp, old: str, new: str) -> None:
    """Changes a statement of the kernel that counts."""
    for op in module.walk():
        if isinstance(op, cfir.AssignOp) and op.statement == StatementAttr(parse_statement(old)):
            op.statement = StatementAttr(parse_statement(new))
            return
    raise AssertionError(old)


@pytest.mark.parametrize("after", ["plan-assembly", "lower-lattices", "lower-levels"])
def test_a_wrong_count_is_noticed(after: str):
    module = tm.parse(ADD, A="csr", B="csr", Z="csr")
    checker = PassChecker(module)
    for pass_ in Pipeline(by_count()).steps(module, verify=False):
        if pass_.name == "plan-assembly":
            count_wrong(module, "count += 1", "count += 2")
        difference = checker.after(pass_.name, module) if pass_.name == after else None
        if difference is not None:
            assert difference.pass_name == after
            return
    raise AssertionError("not noticed")
