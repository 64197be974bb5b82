"""`simplify` gives what xDSL's canonicalisation, `cse` and `dce` give, faster."""

from collections.abc import Callable

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.pattern_rewriter import GreedyRewritePatternApplier, PatternRewriteWalker
from xdsl.transforms.canonicalize import CanonicalizationRewritePattern
from xdsl.transforms.common_subexpression_elimination import cse
from xdsl.transforms.dead_code_elimination import region_dce

from tamale.dialects import tamale_context
from tamale.frontend.building import build_module
from tamale.frontend.request import make_request
from tamale.passes.pipeline import Pipeline
from tamale.passes.simplify import SimplifyPass
from tamale.passes.simplify.dropping import drop
from tamale.passes.simplify.sharing import share

KERNELS = [
    ("y(i) = A(i,j) * x(j)", {"A": "csr"}),
    ("C(i,k) = A(i,j) * B(j,k)", {"A": "csr"}),
    ("A(i,r) = T(i,j,k) * B(j,r) * C(k,r)", {"T": "csf"}),
    ("C(i,j) = A(i,j) + B(i,j)", dict.fromkeys("ABC", "csr")),
    ("C(i,j) = A(i,j) + B(i,j)", dict.fromkeys("ABC", "dcsr")),
    ("C(i,j) = A(i,j) * B(i,j)", {"A": "csr", "B": "coo"}),
    ("z(i) = a(i) + b(i) * c(i)", dict.fromkeys("abcz", "csf")),
    ("z(i) = a(i) + x(i)", {"a": "csf"}),
]


def parse(text: str) -> ModuleOp:
    return Parser(tamale_context(), text).parse_module()


def simplify(module: ModuleOp) -> None:
    SimplifyPass().apply(tamale_context(), module)


def simplify_with_xdsl(module: ModuleOp) -> None:
    folding = GreedyRewritePatternApplier(
        [CanonicalizationRewritePattern()],
        ctx=tamale_context(),
        folding_enabled=True,
        dce_enabled=False,
    )
    PatternRewriteWalker(folding).rewrite_module(module)
    cse(module)
    region_dce(module.body)


@pytest.mark.parametrize("statement, formats", KERNELS)
def test_same_result_on_kernels(statement: str, formats: dict[str, str]):
    module = build_module(make_request(statement, formats, {}))
    road = "concretize,simplify-domains,insert-workspaces,iterate-locate,build-lattices"
    Pipeline(f"{road},lower-lattices,lower-levels").run(module)
    reference = module.clone()
    simplify(module)
    simplify_with_xdsl(reference)
    assert str(module) == str(reference)


def after(step: Callable[[ModuleOp], object], body: str) -> str:
    module = parse(
        "func.func @f(%m: memref<?xindex>, %n: memref<?xindex>, %p: index, %c: i1) {\n"
        f"{body}\n  func.return\n}}"
    )
    step(module)
    module.verify()
    return str(module)


def shared(body: str) -> str:
    return after(lambda module: share(module.body), body)


def dropped(body: str) -> str:
    return after(lambda module: drop(module.body), body)


LOAD_TWICE = """
  %a = memref.load %m[%p] : memref<?xindex>
  BETWEEN
  %b = memref.load %m[%p] : memref<?xindex>
  "test.op"(%a, %b) : (index, index) -> ()
"""


@pytest.mark.parametrize(
    "between, loads",
    [
        ("", 1),
        ("%x = arith.addi %p, %p : index", 1),
        ("memref.store %p, %n[%p] : memref<?xindex>", 2),
        ('"test.op"() : () -> ()', 2),
        ("scf.if %c {\n memref.store %p, %n[%p] : memref<?xindex>\n }", 2),
        ("scf.if %c {\n %y = memref.load %n[%p] : memref<?xindex>\n }", 1),
    ],
)
def test_a_load_is_shared_unless_something_is_written_in_between(between: str, loads: int):
    text = shared(LOAD_TWICE.replace("BETWEEN", between))
    assert text.count("memref.load %m") == loads


def test_what_is_known_in_a_choice_is_not_known_after_it():
    text = shared("""
      scf.if %c {
        %a = arith.addi %p, %p : index
        "test.op"(%a) : (index) -> ()
      }
      %b = arith.addi %p, %p : index
      scf.if %c {
        %d = arith.addi %p, %p : index
        "test.op"(%b, %d) : (index, index) -> ()
      }
    """)
    assert text.count("arith.addi") == 2
    assert '"test.op"(%b, %b)' in text


def test_a_load_before_a_loop_is_not_taken_for_one_inside():
    text = shared("""
      %a = memref.load %m[%p] : memref<?xindex>
      scf.for %i = %p to %a step %p {
        %b = memref.load %m[%p] : memref<?xindex>
        memref.store %b, %m[%i] : memref<?xindex>
      }
    """)
    assert text.count("memref.load") == 2


def test_equal_choices_are_one():
    choice = """ = scf.if %c -> (index) {
        %a = arith.addi %p, %p : index
        scf.yield %a : index
      } else {
        scf.yield %p : index
      }"""
    text = shared(f'%x{choice}\n%y{choice}\n"test.op"(%x, %y) : (index, index) -> ()')
    assert text.count("scf.if") == 1
    other = choice.replace("addi", "muli")
    text = shared(f'%x{choice}\n%y{other}\n"test.op"(%x, %y) : (index, index) -> ()')
    assert text.count("scf.if") == 2


def test_ops_that_differ_in_a_property_or_a_type_stay():
    text = shared("""
      %a = arith.cmpi slt, %p, %p : index
      %b = arith.cmpi sle, %p, %p : index
      %d = arith.index_cast %p : index to i32
      %e = arith.index_cast %p : index to i64
      "test.op"(%a, %b, %d, %e) : (i1, i1, i32, i64) -> ()
    """)
    assert text.count("arith.cmpi") == text.count("arith.index_cast") == 2


def test_chains_and_loops_without_effect_go():
    text = dropped("""
      %a = memref.load %m[%p] : memref<?xindex>
      %b = arith.addi %a, %a : index
      scf.for %i = %p to %b step %p {
        %d = memref.load %m[%i] : memref<?xindex>
        scf.if %c {
          %e = arith.addi %d, %i : index
        }
      }
    """)
    assert not any(name in text for name in ("memref.load", "arith.addi", "scf."))


@pytest.mark.parametrize(
    "kept",
    [
        "memref.store %p, %m[%p] : memref<?xindex>",
        '"test.op"() : () -> ()',
        'cf.assert %c, "no"',
        "%a = memref.alloc(%p) : memref<?xindex>",
    ],
)
def test_effects_stay_and_so_do_the_loops_around(kept: str):
    text = dropped(f"scf.for %i = %p to %p step %p {{\n{kept}\n}}")
    assert "scf.for" in text
    assert kept.split("(")[0].split(" = ")[-1].split()[0] in text


def test_a_region_of_several_blocks():
    module = parse("""
      func.func @f(%c: i1, %p: index) {
        %dead = arith.addi %p, %p : index
        %live = arith.muli %p, %p : index
        cf.cond_br %c, ^bb1, ^bb2
      ^bb1:
        "test.op"(%live) : (index) -> ()
        cf.br ^bb2
      ^bb2:
        func.return
      }
    """)
    share(module.body)
    drop(module.body)
    module.verify()
    assert "arith.addi" not in str(module)
    assert "arith.muli" in str(module)
