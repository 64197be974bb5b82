"""The dialect `probe`: marks that say where one is in a program."""

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Dialect
from xdsl.irdl import IRDLOperation, irdl_op_definition, prop_def


@irdl_op_definition
class VisitOp(IRDLOperation):
    """
    Marks a place that is passed while a kernel runs.

        probe.visit "loop of i"
    """

    name = "probe.visit"

    place = prop_def(StringAttr)

    assembly_format = "$place attr-dict"

    def __init__(self, place: str) -> None:
        super().__init__(properties={"place": StringAttr(place)})


PROBE = Dialect("probe", [VisitOp])
