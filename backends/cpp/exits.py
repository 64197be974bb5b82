"""How failures leave a function, or a worker's part of a parallel loop: they free what it owns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.dialects import memref
from xdsl.ir import SSAValue

from tamale.backends.cpp.expressions import Expression
from tamale.backends.cpp.lines import indented
from tamale.backends.cpp.ownership import Frame, is_row_of_owners
from tamale.backends.cpp.status import OUT_OF_MEMORY, STATUS_MESSAGES
from tamale.backends.cpp.types import CType, as_memref, ctype_of, element_ctype, pointer_to

if TYPE_CHECKING:
    from tamale.backends.cpp.body import Body


@dataclass(frozen=True)
class Exit:
    """
    Where failures of a frame go to.

    Without a label, they return at once. Without a variable for the status, memory is short.
    """

    label: str | None = None
    status: str | None = None
    declarations: Sequence[str] = ()
    """Of the variables that own buffers, and of the status."""
    frees: Sequence[str] = ()

    @property
    def code(self) -> str:
        """The status that a failure leaves with."""
        return self.status or str(OUT_OF_MEMORY)

    def fail(self, code: int) -> list[str]:
        """The statements that leave with status `code`."""
        comment = f"// {STATUS_MESSAGES[code]}"
        if self.label is None:
            return [f"return {code};  {comment}"]
        if self.status is not None and code != OUT_OF_MEMORY:
            return [f"{self.status} = {code};  {comment}", f"goto {self.label};"]
        return [f"goto {self.label};"]

    def passed_on(self, variable: str) -> str:
        """The statement that leaves with the status in `variable`."""
        if self.label is None:
            return f"return {variable};"
        if self.status is None:
            return f"goto {self.label};"
        return f"{{ {self.status} = {variable}; goto {self.label}; }}"

    def guarded(self, lines: list[str]) -> list[str]:
        """`lines`, in a block of their own if a failure may leave them."""
        # C++ does not let `goto` jump over initialisations in its own block.
        return lines if self.label is None else ["{", *indented(lines), "}"]


def open_exit(body: Body, frame: Frame, label: str, status: str) -> Exit:
    """Declares the variables that own the buffers of a frame."""
    lines: list[str] = []
    frees: list[str] = []
    for owner in body.ownership.owners_in(frame):
        name = body.scopes.declare(owner.name_hint)
        body.owners[name] = owner
        pointer = _owned_pointer(owner)
        if is_row_of_owners(owner):
            body.values.set(owner, Expression(name, pointer_to(pointer)))
            (count,) = as_memref(owner.type).get_shape()
            lines.append(f"{pointer.declare(name)}[{count}] = {{}};")
            frees.append(f"for (void *buffer : {name}) free(buffer);")
        else:
            body.values.set(owner, Expression(name, pointer))
            lines.append(f"{pointer.declare(name)} = nullptr;")
            frees.append(f"free({name});")
    if not lines and frame is None:
        return Exit()
    if not body.ownership.asserts(frame):
        return Exit(label, None, lines, frees)
    lines.append(f"int32_t {status} = {OUT_OF_MEMORY};  // {STATUS_MESSAGES[OUT_OF_MEMORY]}")
    return Exit(label, status, lines, frees)


def _owned_pointer(owner: SSAValue) -> CType:
    is_variable = isinstance(owner.owner, memref.AllocaOp)
    return element_ctype(owner.type) if is_variable else ctype_of(owner.type)
