"""The fast walk visits what xDSL's does, in the same order."""

from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from tamale.dialects import tamale_context
from tamale.dialects.walking import walk_ops

NESTED = """
func.func @f(%c: i1, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    scf.if %c {
      "test.op"() {name = "then"} : () -> ()
    } else {
      "test.op"() {name = "else"} : () -> ()
    }
    "test.op"() {name = "after"} : () -> ()
  }
  scf.if %c {
  }
  func.return
}
func.func private @declared()
"""


def parse(text: str) -> ModuleOp:
    return Parser(tamale_context(), text).parse_module()


def test_order():
    module = parse(NESTED)
    assert list(walk_ops(module)) == list(module.walk())
    assert list(walk_ops(module.body)) == list(module.body.walk())


def test_an_op_may_be_erased_once_it_has_been_visited():
    module = parse(NESTED)
    for op in walk_ops(module):
        if op.attributes.get("name") is not None:
            op.detach()
            op.erase()
    assert "test.op" not in str(module)
