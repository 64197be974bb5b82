"""A wrong rewrite is caught after the pass that does it, and named; right ones are not blamed."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import ArrayAttr, ModuleOp
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.rewriter import Rewriter

import tamale as tm
from tamale.dialects import assembly, cfir, cin, tamale_context, tin
from tamale.dialects.cfir.storage import PrefetchOp
from tamale.dialects.cin.attributes import SetAttr, StatementAttr, parse_statement
from tamale.dialects.cin.sets import Complement, Intersection, Union
from tamale.dialects.format.named import resolve_format
from tamale.dialects.memref import PrefetchOp as PrefetchElementOp
from tamale.dialects.notation.ast import to_text
from tamale.frontend.conversion_stages import build_conversion
from tamale.interpreters.checking import Difference, PassChecker
from tamale.interpreters.sampling import STYLES
from tamale.passes import Pipeline
from tamale.passes.pipelines import TABLE


def add() -> ModuleOp:
    return tm.parse("Z(i,j) = A(i,j) + B(i,j)", A="dcsr", B="dcsr", Z="dcsr")


def linalg() -> ModuleOp:
    """A product of a sparse matrix with a vector, added to another, in MLIR's words."""
    text = """
    #csr = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed) }>
    #row = affine_map<(i, j) -> (i)>
    #trait = {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, #row],
      iterator_types = ["parallel", "reduction"]
    }
    func.func @f(%A: tensor<?x?xf64, #csr>, %x: tensor<?xf64>, %y: tensor<?xf64>) -> tensor<?xf64> {
      %0 = linalg.generic #trait ins(%A, %x : tensor<?x?xf64, #csr>, tensor<?xf64>)
          outs(%y : tensor<?xf64>) {
      ^bb0(%a: f64, %b: f64, %out: f64):
        %1 = arith.mulf %a, %b : f64
        %2 = arith.addf %out, %1 : f64
        linalg.yield %2 : f64
      } -> tensor<?xf64>
      func.return %0 : tensor<?xf64>
    }"""
    return Parser(tamale_context(), text).parse_module()


def spmv() -> ModuleOp:
    return tm.parse("y(i) = A(i,j) * x(j)", A="csr")


def spmm() -> ModuleOp:
    return tm.parse("Z(i,j) = A(i,k) * B(k,j)", A="csr")


def residual() -> ModuleOp:
    return tm.parse("Z(i,j) = Y(i,j) - A(i,k) * B(k,j)", A="csr")


def dot() -> ModuleOp:
    return tm.parse("s = a(i) * b(i)")


def spgemm() -> ModuleOp:
    return tm.parse("Z(i,j) = A(i,k) * B(k,j)", A="csr", B="csr", Z="csr")


def unless() -> ModuleOp:
    return tm.parse("z(i) = unless(a(i), b(i))", a="csf", b="csf", z="csf")


def conversion(source: str, target: str) -> Callable[[], ModuleOp]:
    pair = (resolve_format(source, 2), resolve_format(target, 2))
    return lambda: build_conversion(*pair, "float64")


def rewrite(old: str, new: str) -> Callable[[Operation], bool]:
    """Changes the text of a statement of cin."""

    def plant(op: Operation) -> bool:
        if not isinstance(op, cin.AssignOp) or old not in (text := to_text(op.statement.data)):
            return False
        op.statement = StatementAttr(parse_statement(text.replace(old, new)))
        return True

    return plant


def subtract_in_tin(op: Operation) -> bool:
    if not isinstance(op, tin.AddOp):
        return False
    Rewriter.replace_op(op, tin.SubOp(op.lhs, op.rhs))
    return True


def subtract(op: Operation) -> bool:
    if not isinstance(op, arith.AddfOp):
        return False
    Rewriter.replace_op(op, arith.SubfOp(op.lhs, op.rhs))
    return True


def forget_coordinates(op: Operation) -> bool:
    if not isinstance(op, assembly.InsertCoordOp) or op.level_index == 0:
        return False
    Rewriter.erase_op(op)
    return True


def swap_coordinates(op: Operation) -> bool:
    if not isinstance(op, assembly.InsertCoordOp) or op.level_index == 0:
        return False
    last = len(op.operands) - 1
    op.operands[last] = op.operands[last - 1]
    return True


def forget_an_operand(op: Operation) -> bool:
    if not isinstance(op, cin.ForallOp) or not isinstance(op.domain.data, Union):
        return False
    op.domain = SetAttr(op.domain.data.sets[0])
    return True


def forget_a_complement(op: Operation) -> bool:
    if not isinstance(op, cin.ForallOp) or not isinstance(op.domain.data, Intersection):
        return False
    assert isinstance(op.domain.data.sets[1], Complement)
    op.domain = SetAttr(op.domain.data.sets[0])
    return True


def forget_a_case(op: Operation) -> bool:
    if not isinstance(op, cfir.LatticeOp) or len(op.cases) != 3:
        return False
    op.guards = ArrayAttr([*op.guards][:2])
    op.detach_region(op.cases[2])
    return True


def begin_one_later(op: Operation) -> bool:
    if not isinstance(op, scf.ForOp) or not any(
        isinstance(o, arith.MulfOp) for o in op.body.walk()
    ):
        return False
    if any(isinstance(inner, scf.ForOp) for inner in op.body.walk()):
        return False
    op.operands[0] = op.step
    return True


def walk_what_is_ahead(op: Operation) -> bool:
    """The loop behind a prefetch begins where that does."""
    if not isinstance(op, PrefetchOp) or op.what.data != "entries":
        return False
    loop = op.next_op
    while not isinstance(loop, scf.ForOp):
        assert loop is not None
        loop = loop.next_op
    loop.operands[0] = op.position
    return True


def forget_few_entries(op: Operation) -> bool:
    """The loop for when nothing is asked for ahead."""
    if not isinstance(op, scf.IfOp) or not any(isinstance(x, PrefetchElementOp) for x in op.walk()):
        return False
    loop = op.false_region.block.first_op
    assert isinstance(loop, scf.ForOp)
    Rewriter.erase_op(loop)
    return True


@dataclass(frozen=True)
class Fault:
    """A wrong rewrite in a module: changes one op, and says whether it did."""

    module: Callable[[], ModuleOp]
    plant: Callable[[Operation], bool]
    road: str = "compute"


COMPUTE = TABLE.expand("compute")
SHARED = ",".join("partition{threads=3}" if name == "partition" else name for name in COMPUTE)
"""The road with loops that workers share."""
SMALL_TILES = ",".join(
    f"{name}{{elements=2}}" if name in ("tile-accumulators", "unroll-and-jam") else name
    for name in COMPUTE
)
"""The road with tiles of rows that are no longer than those that are tried."""

PLANTED = {
    "import-linalg": Fault(linalg, subtract_in_tin, "import-linalg,compute"),
    "export-formats": Fault(add, subtract_in_tin, "export-formats"),
    "insert-temporaries": Fault(add, subtract_in_tin),
    "insert-conversions": Fault(add, subtract_in_tin),
    "plan-conversion": Fault(conversion("coo", "csr"), forget_coordinates),
    "concretize": Fault(spmv, rewrite(" * ", " + ")),
    "simplify-domains": Fault(add, forget_an_operand),
    "insert-workspaces": Fault(spmv, rewrite(" += ", " = ")),
    "lower-queries": Fault(conversion("coo", "csr"), rewrite("map(W(i,j), 1)", "map(W(i,j), 2)")),
    "rewrite-queries": Fault(conversion("csr", "ell"), rewrite("width(A(i,j))", "1")),
    "narrow-queries": Fault(conversion("csr", "ell"), rewrite("width(A(i,j))", "1")),
    "iterate-locate": Fault(unless, forget_a_complement),
    "partition": Fault(spmv, rewrite(" * ", " + ")),
    "build-lattices": Fault(add, forget_a_case),
    "plan-assembly": Fault(add, forget_a_case),
    "lower-lattices": Fault(add, subtract),
    "insert-prefetches": Fault(spgemm, walk_what_is_ahead),
    "lower-assembly": Fault(conversion("coo", "csr"), swap_coordinates),
    "lower-levels": Fault(spmv, begin_one_later),
    "simplify": Fault(add, subtract),
    "reassociate-sums": Fault(dot, subtract),
    "tile-accumulators": Fault(spmm, begin_one_later, SMALL_TILES),
    "unroll-and-jam": Fault(residual, begin_one_later, SMALL_TILES),
    "prefetch-scatters": Fault(conversion("csr", "csc"), forget_few_entries),
}
"""Pass -> what it could get wrong."""


def follow(
    module: ModuleOp, *, faulty: str = "", fault: Fault | None = None, road: str = "compute"
) -> Difference | None:
    """Runs a road with the fault of one pass planted; the difference that is found."""
    checker = PassChecker(module)
    assert checker.skipped == []
    assert checker.runs == len(STYLES)
    for pass_ in Pipeline(road).steps(module, verify=False):
        if pass_.name == faulty:
            plant = (fault or PLANTED[faulty]).plant
            assert any(plant(op) for op in list(module.walk()))
        if (difference := checker.after(pass_.name, module)) is not None:
            return difference
    return None


def test_every_pass_has_a_fault():
    assert list(PLANTED) == list(TABLE.steps)


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_fault_is_caught_and_named(name: str):
    difference = follow(PLANTED[name].module(), faulty=name, road=PLANTED[name].road)
    assert difference is not None
    assert difference.pass_name == name
    assert f"{name} changes what @" in str(difference)
    Parser(tamale_context(), difference.module).parse_module().verify()


@pytest.mark.parametrize(
    "name",
    ["import-linalg", "export-formats", "lower-queries", "rewrite-queries", "build-lattices"],
)
def test_without_a_fault_nothing_is_found(name: str):
    assert follow(PLANTED[name].module(), road=PLANTED[name].road) is None


SHARING = {
    "rows": lambda: tm.parse("y(i) = A(i,j) * x(j)", A="csr"),
    "columns": lambda: tm.parse("y(i) = A(i,j) * x(j)", A="csc"),
    "diagonals": lambda: tm.parse("y(i) = A(i,j) * x(j)", A="dia"),
    "copies": lambda: tm.parse("y(i) = A(i,j) * x(j)", A="coo"),
    "merged": lambda: tm.parse("Z(i,j) = A(i,j) + B(i,j)", A="dcsr", B="csr"),
    "fibres": lambda: tm.parse("A(i,j) = B(i,k,l) * C(k,j) * D(l,j)", B="csf"),
}


@pytest.mark.parametrize("name", SHARING)
def test_shared_loops_compute_the_same(name: str):
    assert follow(SHARING[name](), road=SHARED) is None


def forget_partial_results(op: Operation) -> bool:
    """The last loop, which combines them."""
    if not isinstance(op, scf.ForOp) or op.body.block.args[0].name_hint != "worker":
        return False
    if any(isinstance(inner, scf.WhileOp) for inner in op.body.walk()):
        return False
    op.operands[0] = op.ub
    return True


def test_lost_parts_of_rows_are_found():
    difference = follow(
        spmv(), faulty="lower-lattices", fault=Fault(spmv, forget_partial_results), road=SHARED
    )
    assert difference is not None
    assert difference.pass_name == "lower-lattices"


def test_the_report_shows_inputs_and_both_results():
    text = str(follow(add(), faulty="lower-lattices"))
    assert "  A, Tensor(" in text
    assert "  before the pass:\n    [[" in text
    assert "  after the pass:\n    [[" in text
    assert "with entries at [[" in text


def test_functions_that_are_not_checked_are_named():
    text = """
func.func @arrays(%a: memref<?xf64>) { func.return }
func.func @unknown(%A: tensor<?xf64>) -> tensor<?xf64> {
  "test.op"() : () -> ()
  func.return %A : tensor<?xf64>
}"""
    checker = PassChecker(Parser(tamale_context(), text).parse_module())
    assert checker.runs == 0
    arrays, unknown = checker.skipped
    assert arrays == "@arrays does not take tensors and return one"
    assert "@unknown cannot be run: " in unknown
    assert "test.op" in unknown
