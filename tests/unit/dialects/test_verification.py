"""Dominance, and the place of verification errors."""

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.utils.exceptions import PassFailedException, VerifyException

from tamale.dialects import tamale_context
from tamale.dialects.locations import error_location, locate, location_of
from tamale.dialects.verification import verify_dominance, verify_module


def parse(text: str) -> ModuleOp:
    return Parser(tamale_context(), text).parse_module()


GOOD = """
%a = "test.op"() : () -> i32
"test.op"() ({
^bb0(%x : i32):
  %y = "test.op"(%a, %x) : (i32, i32) -> i32
  "test.termop"()[^bb1] : () -> ()
^bb1:
  "test.termop"(%x, %y) : (i32, i32) -> ()
}) : () -> ()
"""


def test_good_order():
    verify_module(parse(GOOD))


@pytest.mark.parametrize(
    "text",
    [
        '"test.op"(%a) : (i32) -> ()\n%a = "test.op"() : () -> i32',
        # Neither of two branches dominates the other.
        """"test.op"() ({
          "test.termop"()[^bb1, ^bb2] : () -> ()
        ^bb1:
          %a = "test.op"() : () -> i32
          "test.termop"() : () -> ()
        ^bb2:
          "test.op"(%a) : (i32) -> ()
          "test.termop"() : () -> ()
        }) : () -> ()""",
    ],
)
def test_bad_order(text: str):
    with pytest.raises(VerifyException, match=r"operand 0 \(%a\) of 'test.op' is used before"):
        verify_dominance(parse(text))


def test_isolated_regions_see_nothing_outside():
    text = """
    builtin.module {
      %a = "test.op"() : () -> i32
      builtin.module {
        "test.op"() : () -> ()
      }
    }"""
    module = parse(text)
    outer, inner = module.body.block.ops
    assert isinstance(inner, ModuleOp)
    user = next(iter(inner.body.block.ops))
    user.operands = outer.results
    with pytest.raises(VerifyException, match="used before its definition"):
        verify_dominance(module)


def test_failure_is_located_at_the_innermost_op():
    text = '%a = "test.op"() : () -> i32\n"arith.addi"(%a) : (i32) -> i32 loc("f":7:3)\n'
    with pytest.raises(VerifyException) as caught:
        verify_module(parse(text))
    assert str(error_location(caught.value)) == 'loc("f":7:3)'


def test_an_op_made_by_a_pass_takes_the_place_of_a_neighbour():
    text = '"test.op"() ({\n  "test.termop"() : () -> () loc("f":2:3)\n}) : () -> () loc("f":1:1)'
    module = parse(text)
    [outer] = module.ops
    [inner] = outer.regions[0].block.ops
    assert str(location_of(inner)) == 'loc("f":2:3)'
    assert str(location_of(module)) == 'loc("f":1:1)'
    assert location_of(parse('"test.op"() : () -> ()')) is None


def test_the_first_place_wins():
    [op] = parse('"test.op"() : () -> () loc("f":1:1)').ops
    [later] = parse('"test.op"() : () -> () loc("f":9:9)').ops
    error = locate(locate(PassFailedException("x"), op), later)
    assert str(error_location(error)) == 'loc("f":1:1)'


def test_values_that_need_themselves():
    """Checks that follow operands would never end."""
    text = """
    func.func @f(%A: tensor<?xf64>) -> tensor<?xf64> {
      %Z = tin.kernel %i {
        %a = tin.access %A[%i] : tensor<?xf64> -> f64
        %b = tin.add %a, %c : f64
        %c = tin.add %b, %a : f64
        tin.yield %c : f64
      } : tensor<?xf64>
      func.return %Z : tensor<?xf64>
    }"""
    with pytest.raises(VerifyException, match=r"operand 1 \(%c\) of 'tin.add' is used before"):
        verify_module(parse(text))


def test_errors_of_upstream_verifiers_are_located():
    """xDSL's check of a load raises a plain exception."""
    text = """
    func.func @f(%m: memref<?xf64>) {
      %a = "memref.load"(%m) : (memref<?xf64>) -> f64 loc("f":3:7)
      func.return
    }"""
    with pytest.raises(VerifyException, match="expected an index for each dimension") as caught:
        verify_module(parse(text))
    assert str(error_location(caught.value)) == 'loc("f":3:7)'


@pytest.mark.parametrize(
    "before, after, message",
    [
        ("", "^bb0(%v: index):", "0 arguments in its 'before' region, needs 1"),
        ("^bb0(%u: index):", "", "0 arguments in its 'after' region, needs 1"),
    ],
)
def test_a_while_without_the_arguments_of_its_regions(before: str, after: str, message: str):
    text = f"""
    func.func @f(%x: index, %c: i1) {{
      %r = "scf.while"(%x) ({{
        {before}
        "scf.condition"(%c, %x) : (i1, index) -> ()
      }}, {{
        {after}
        "scf.yield"(%x) : (index) -> ()
      }}) : (index) -> (index)
      func.return
    }}"""
    with pytest.raises(VerifyException, match=message):
        verify_module(parse(text))
