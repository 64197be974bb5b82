"""A level kind declared outside of the compiler works in every kernel, down to C++."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.utils.exceptions import PassFailedException

from tamale.backends.cpp.printer import print_cpp
from tamale.dialects import tamale_context
from tamale.dialects.errors import FormatError
from tamale.dialects.format.kinds import LevelKind, register_level_kind
from tamale.dialects.format.level import LevelProperties
from tamale.passes import Pipeline
from tamale.passes.levels import storage_kind
from tamale.passes.levels.functions import LevelStorage, StorageKind

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

SPARSE = LevelProperties(full=False, ordered=True, unique=True, branchless=False, compact=True)


@register_level_kind
class Mirrored(StorageKind):
    """Like `compressed`, but `far` has the distance of each coordinate from the last one."""

    name = "mirrored"
    defaults = SPARSE
    arrays = ("ends", "far")
    extents = MappingProxyType({"ends": "edges", "far": "positions"})
    appends = True

    def pos_bounds(self, level: LevelStorage, parent: SSAValue) -> tuple[SSAValue, SSAValue]:
        after = level.emit.add(parent, level.emit.constant(1))
        return level.read("ends", parent), level.read("ends", after)

    def pos_access(self, level: LevelStorage, position: SSAValue) -> SSAValue:
        return self._mirror(level, level.read("far", position))

    def size_below(self, level: LevelStorage, parents: SSAValue) -> SSAValue:
        return level.read("ends", parents)

    def append_coord(self, level: LevelStorage, position: SSAValue, coordinate: SSAValue) -> None:
        level.write("far", position, self._mirror(level, coordinate))

    def append_edges(
        self,
        level: LevelStorage,
        parent: SSAValue,
        begin: SSAValue,
        end: SSAValue,
        *,
        counted: bool,
    ) -> None:
        assert not counted
        level.write("ends", level.emit.add(parent, level.emit.constant(1)), end)

    def init_edges(self, level: LevelStorage, parents: SSAValue, *, counted: bool) -> None:
        level.write("ends", level.emit.constant(0), level.emit.constant(0))

    def _mirror(self, level: LevelStorage, value: SSAValue) -> SSAValue:
        last = level.emit.sub(level.size, level.emit.constant(1))
        return level.emit.sub(last, value)


@register_level_kind
class Declared(LevelKind):
    """Says what it is, but not how it is stored."""

    name = "declared"
    defaults = SPARSE


TYPES = """
!vec = tensor<?xf64>
!csr = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : compressed)>>
!new = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : mirrored)>>
!bare = tensor<?x?xf64, #format.spec<(i, j) -> (i : dense, j : declared)>>
"""

SPMV = """
func.func @spmv(%A: !new, %x: !vec) -> !vec {
  %y = tin.kernel %i {
    %s = tin.sum %j {
      %a = tin.access %A[%i, %j] : !new -> f64
      %b = tin.access %x[%j] : !vec -> f64
      %m = tin.mul %a, %b : f64
      tin.yield %m : f64
    } : f64
    tin.yield %s : f64
  } : !vec
  func.return %y : !vec
}
"""

ADD = """
func.func @add(%A: !new, %B: !csr) -> !new {
  %Z = tin.kernel %i, %j {
    %a = tin.access %A[%i, %j] : !new -> f64
    %b = tin.access %B[%i, %j] : !csr -> f64
    %s = tin.add %a, %b : f64
    tin.yield %s : f64
  } : !new
  func.return %Z : !new
}
"""


def parse(text: str) -> ModuleOp:
    return Parser(tamale_context(), TYPES + text).parse_module()


def cpp(text: str) -> str:
    """The C++ of a module, blanks normalised."""
    return re.sub(r"\s+", " ", print_cpp(Pipeline("compute").run(parse(text))))


def test_reading():
    """The kind's own arrays are arguments, in its order, and its coordinates are computed."""
    code = cpp(SPMV)
    assert "*__restrict A2_ends, const int32_t *__restrict A2_far" in code
    assert "for (int64_t pA2 = A2_ends[i]; pA2 < A2_ends[i + 1]; pA2++)" in code
    assert "t += A_vals[pA2] * x_vals[A_dim2 - 1 - A2_far[pA2]]" in code


def test_merging_with_another_kind():
    code = cpp(ADD)
    assert re.search(r"jA = A_dim2 - 1 - A2_far\[pA2\]; int64_t jB = B2_crd\[pB2\];", code)


def test_assembling():
    """The result's arrays grow and are returned like those of any kind."""
    code = cpp(ADD)
    assert "int32_t **Z2_ends_out, int32_t **Z2_far_out, double **Z_vals_out" in code
    assert re.search(r"Z2_far\[pZ2\] = Z_dim2 - 1 - ", code)
    assert re.search(r"Z2_ends\[\w+\] = pZ2;", code)
    assert "(int32_t *)reallocate(Z2_far, Z2_length * sizeof(int32_t))" in code


def test_a_kind_without_level_functions_is_refused_by_name():
    with pytest.raises(FormatError, match="'declared' has no level functions; make Declared a"):
        storage_kind("declared")
    with pytest.raises((FormatError, PassFailedException), match="'declared' has no level"):
        cpp(SPMV.replace("!new", "!bare"))
