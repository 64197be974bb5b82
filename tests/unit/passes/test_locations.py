"""What passes make comes from the line of the statement that it computes."""

from xdsl.dialects import arith, func, memref, scf
from xdsl.dialects.builtin import FileLineColLoc, ModuleOp

from tamale.dialects import tamale_context
from tamale.dialects.locations import location_of
from tamale.passes import Pipeline
from tamale.tools.opt.located_parser import LocatedParser

TEXT = """
#csr = #format.spec<(i, j) -> (i : dense, j : compressed)>
func.func @f(%A: tensor<?x?xf64, #csr>, %x: tensor<?xf64>) -> tensor<?xf64> {
  %y = tin.kernel %i { // line 4
    %s = tin.sum %j {
      %a = tin.access %A[%i, %j] : tensor<?x?xf64, #csr> -> f64
      tin.yield %a : f64
    } : f64
    tin.yield %s : f64
  } : tensor<?xf64>
  %B = tin.convert %A : tensor<?x?xf64, #csr> -> tensor<?x?xf64> // line 11
  %z = tin.kernel %i { // line 12
    %s = tin.sum %j {
      %b = tin.access %B[%i, %j] : tensor<?x?xf64> -> f64
      %c = tin.access %y[%i] : tensor<?xf64> -> f64
      %d = tin.broadcast %c over %j : f64
      %m = tin.mul %b, %d : f64
      tin.yield %m : f64
    } : f64
    tin.yield %s : f64
  } : tensor<?xf64>
  func.return %z : tensor<?xf64>
}
"""


def lines_of(module: ModuleOp, kind: type) -> list[int]:
    """The lines that ops of a kind come from, in the order of the module."""
    places = [op.location for op in module.walk() if isinstance(op, kind)]
    assert all(isinstance(place, FileLineColLoc) for place in places)
    return [place.line.data for place in places if isinstance(place, FileLineColLoc)]


def test_the_last_form_knows_its_statements():
    module = LocatedParser(tamale_context(), TEXT, "in.mlir").parse_module()
    seen: dict[str, set[int]] = {}
    for pass_ in Pipeline("compute").steps(module):
        places = [location_of(op) for op in module.walk() if not isinstance(op, arith.ConstantOp)]
        seen[pass_.name] = {place.line.data for place in places if place is not None}
    for lines in seen.values():
        assert {4, 11, 12} <= lines
    assert set(lines_of(module, scf.ForOp)) == {4, 11, 12}
    assert lines_of(module, scf.ForOp) == sorted(lines_of(module, scf.ForOp))
    assert lines_of(module, func.FuncOp) == [3]
    assert set(lines_of(module, memref.StoreOp)) == {4, 11, 12}
