"""
Level functions of workspaces: lists of entries that are inserted, found again, and read in order.

`lower-lattices` emits these for a `cfir.where` whose workspace is a vector. The tensor of a
workspace is stored `compressed`; walking functions see the entries inserted since it was cleared.

Source: Kjolstad et al., CGO 2019, sec. 5 (dense workspaces with coordinate lists).
"""

from __future__ import annotations

from typing import get_args

from xdsl.dialects.builtin import StringAttr, TensorType, UnitAttr, i1
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
)
from xdsl.utils.exceptions import VerifyException

from tamale.dialects.cfir.level_function import INDEX, verify_element
from tamale.dialects.cin.where import Workspace
from tamale.dialects.format.attribute import tensor_format
from tamale.dialects.format.search import Search


@irdl_op_definition
class WorkspaceOp(IRDLOperation):
    """
    Opens a workspace of `size` coordinates, without entries.

    Entries are found by `search`: an array over all coordinates (`dense`) or a hash table.
    `ordered` says that they will be sorted. `in %Z` says that they are the entries at the end of Z,
    appended since the workspace was cleared: their positions and values are those of Z, and what is
    appended is found after `cfir.mark`.
    """

    name = "cfir.workspace"
    size = operand_def(INDEX)
    search = prop_def(StringAttr)
    within = opt_operand_def(TensorType)
    ordered = opt_prop_def(UnitAttr)
    result = result_def(TensorType)
    assembly_format = (
        "$search `(` $size `)` (`sorted` $ordered^)? attr-dict `:` type($result) "
        "(`in` $within^ `:` type($within))?"
    )

    def __init__(
        self,
        workspace: Workspace,
        size: SSAValue,
        type: Attribute,
        within: SSAValue | None = None,
    ) -> None:
        properties: dict[str, Attribute] = {"search": StringAttr(workspace.search or "dense")}
        if workspace.ordered:
            properties["ordered"] = UnitAttr()
        super().__init__(operands=[size, within], properties=properties, result_types=[type])

    def verify_(self) -> None:
        known = get_args(Search)
        if self.search.data not in known:
            raise VerifyException(
                f"{self.name}: entries have to be found by {' or '.join(map(repr, known))}, "
                f"not by '{self.search.data}'"
            )
        if self.within is not None and self.search.data != "dense":
            raise VerifyException(
                f"{self.name}: entries of a result are found by 'dense', "
                f"not by '{self.search.data}'"
            )
        format = tensor_format(self.result.type)
        if [level.kind for level in format.levels] != ["compressed"]:
            raise VerifyException(f"{self.name}: {format} is no list of entries of a vector")


@irdl_op_definition
class ClearOp(IRDLOperation):
    """Takes all entries out of a workspace."""

    name = "cfir.clear"
    tensor = operand_def(TensorType)
    assembly_format = "$tensor attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue) -> None:
        super().__init__(operands=[tensor])


@irdl_op_definition
class FindOp(IRDLOperation):
    """
    `find(i) -> p, found, place`: the position of the entry of a coordinate, if it has one.

    `place` is where the search ended, for `cfir.insert`.
    """

    name = "cfir.find"
    tensor = operand_def(TensorType)
    coordinate = operand_def(INDEX)
    position = result_def(INDEX)
    found = result_def(i1)
    place = result_def(INDEX)
    assembly_format = "$tensor `(` $coordinate `)` attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue, coordinate: SSAValue) -> None:
        super().__init__(operands=[tensor, coordinate], result_types=[INDEX, i1, INDEX])


@irdl_op_definition
class InsertOp(IRDLOperation):
    """
    `insert(i, place, value)`: a further entry, of a coordinate that the search to `place` did not
    find.
    """

    name = "cfir.insert"
    tensor = operand_def(TensorType)
    coordinate = operand_def(INDEX)
    place = operand_def(INDEX)
    value = operand_def()
    assembly_format = (
        "$value `into` $tensor `(` $coordinate `,` $place `)` attr-dict `:` "
        "type($value) `,` type($tensor)"
    )

    def __init__(
        self, value: SSAValue, tensor: SSAValue, coordinate: SSAValue, place: SSAValue
    ) -> None:
        super().__init__(operands=[tensor, coordinate, place, value])

    def verify_(self) -> None:
        verify_element(self, self.value, self.tensor)


@irdl_op_definition
class MarkOp(IRDLOperation):
    """
    `mark(place)`: the entry that is appended next to the result of a workspace that is its end has
    the coordinate that the search to `place` did not find.
    """

    name = "cfir.mark"
    tensor = operand_def(TensorType)
    place = operand_def(INDEX)
    assembly_format = "$tensor `(` $place `)` attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue, place: SSAValue) -> None:
        super().__init__(operands=[tensor, place])


@irdl_op_definition
class SortOp(IRDLOperation):
    """Puts the entries of a workspace in the order of their coordinates; then none is inserted."""

    name = "cfir.sort"
    tensor = operand_def(TensorType)
    assembly_format = "$tensor attr-dict `:` type($tensor)"

    def __init__(self, tensor: SSAValue) -> None:
        super().__init__(operands=[tensor])


WORKSPACE_FUNCTIONS = (WorkspaceOp, ClearOp, FindOp, InsertOp, MarkOp, SortOp)
