"""Written pipelines, running them from Python, and the promises held after each pass."""

from dataclasses import dataclass

import pytest
from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.passes import ModulePass
from xdsl.transforms.dead_code_elimination import DeadCodeElimination
from xdsl.utils.exceptions import PassFailedException, VerifyException

from tamale.dialects import tamale_context
from tamale.dialects.errors import TamaleError
from tamale.passes import Pipeline
from tamale.passes.pass_table import EVERYWHERE
from tamale.passes.pipeline import check_promise, resolve_passes
from tamale.passes.pipelines import TABLE

TEXT = """\
%a = "test.op"() : () -> i32
%b = arith.addi %a, %a : i32
%c = arith.addi %a, %a : i32
"test.op"(%b) : (i32) -> ()
"""


@dataclass(frozen=True)
class ReversePass(ModulePass):
    """Puts the ops of the module in reverse order: definitions after uses."""

    name = "reverse"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for inner in list(op.body.block.ops)[-2::-1]:
            inner.detach()
            op.body.block.add_op(inner)


@pytest.fixture
def module() -> ModuleOp:
    return Parser(tamale_context(), TEXT).parse_module()


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("", ""),
        ("cse", "cse"),
        (" cse , dce ", "cse,dce"),
        ("builtin.module(cse,dce)", "cse,dce"),
        ("builtin.module( cse, dce )", "cse,dce"),
    ],
)
def test_written_pipeline(text: str, spec: str):
    assert str(Pipeline(text)) == spec


def test_written_pipeline_is_read_back():
    pipeline = Pipeline("canonicalize,licm")
    assert Pipeline(str(pipeline)).passes == pipeline.passes


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("cze", r"unknown pass 'cze'\n  help: did you mean 'dce' or 'cse'\?"),
        ("cse dce", "cannot read the pipeline 'cse dce'"),
        ("cse{a=1}", "pass 'cse': Provided arguments"),
        ("compute{a=1}", "the pipeline 'compute' takes no options"),
    ],
)
def test_unreadable_pipeline(text: str, complaint: str):
    with pytest.raises(TamaleError, match=complaint):
        resolve_passes(text)


def test_run_changes_the_module_in_place(module: ModuleOp):
    states: list[str] = []
    pipeline = Pipeline("cse,dce")
    result = pipeline.run(module, after_each=lambda m: states.append(str(m)))
    assert result is module
    assert [state.count("arith.addi") for state in states] == [1, 1]


def test_insert_after(module: ModuleOp):
    short = Pipeline("cse,cse,canonicalize")
    longer = short.insert_after("cse", DeadCodeElimination())
    assert str(longer) == "cse,cse,dce,canonicalize"
    assert str(short) == "cse,cse,canonicalize"
    assert [p.name for p in longer.steps(module)] == ["cse", "cse", "dce", "canonicalize"]


def test_insert_after_a_pass_that_is_not_there():
    with pytest.raises(TamaleError, match="unknown pass in this pipeline 'dce'"):
        Pipeline("cse").insert_after("dce", DeadCodeElimination())


def test_dominance_is_checked_after_each_pass(module: ModuleOp):
    pipeline = Pipeline([ReversePass()])
    with pytest.raises(VerifyException, match="used before its definition"):
        pipeline.run(module)


def test_the_checks_can_be_left_out(module: ModuleOp):
    assert Pipeline([ReversePass()]).run(module, verify=False) is module


def test_broken_promise():
    module = Parser(tamale_context(), "%a = tin.literal 1.0 : f64 : f64").parse_module()
    row = next(row for row in TABLE.steps.values() if "tin" not in row.leaves)

    @dataclass(frozen=True)
    class LazyPass(ModulePass):
        name = row.name

        def apply(self, ctx: Context, op: ModuleOp) -> None: ...

    promise = rf"{row.name} promised to leave only \[.*\], but 'tin.literal' remains\."
    with pytest.raises(PassFailedException, match=promise):
        check_promise(LazyPass(), module)


def test_a_pass_without_a_row_promises_nothing(module: ModuleOp):
    check_promise(DeadCodeElimination(), module)


def test_containers_need_no_promise():
    assert {"builtin", "func"} <= EVERYWHERE
