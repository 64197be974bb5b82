"""What the printing of every statement of a function shares."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.ir import Block, Operation, SSAValue

from tamale.backends.cpp.assignments import parallel_assignment
from tamale.backends.cpp.exits import Exit
from tamale.backends.cpp.expressions import Expression, Place, Variable
from tamale.backends.cpp.lines import Lines
from tamale.backends.cpp.liveness import Liveness
from tamale.backends.cpp.names import Scopes
from tamale.backends.cpp.ownership import Ownership
from tamale.backends.cpp.places import Places
from tamale.backends.cpp.prelude import Prelude
from tamale.backends.cpp.types import ctype_of
from tamale.backends.cpp.values import Values


class Body(ABC):
    """The state of printing one function."""

    def __init__(self, function: func.FuncOp, prelude: Prelude) -> None:
        self.function = function
        self.prelude = prelude
        self.liveness = Liveness(function)
        self.places = Places(function)
        self.ownership = Ownership(function, self.places)
        self.scopes = Scopes()
        self.lines = Lines()
        self.values = Values(self.liveness, self.places, self.scopes, self.lines, prelude)
        self.owners: dict[str, Place] = {}
        """The pointer variables that own buffers, at the top of the function or of a loop."""
        self.exit = Exit()
        """Where failures go."""
        self.undeclared: set[SSAValue] = set()
        """Local variables that their first store will declare."""
        self._receivers: dict[Operation, dict[int, Expression]] = {}

    @abstractmethod
    def print_op(self, op: Operation) -> None:
        """Prints one op that matters."""

    def print_ops(self, block: Block) -> None:
        """Prints the ops of `block`, without its terminator."""
        for op in block.ops:
            if op is not block.last_op and self.liveness.is_live(op):
                self.print_op(op)

    def variable(self, hint: SSAValue, value: Expression | None = None) -> Expression:
        """Prints a variable that will change, for values like `hint`."""
        ctype = ctype_of(hint.type)
        name = self.scopes.declare(hint.name_hint)
        start = "" if value is None else f" = {value.text}"
        self.lines.add(f"{ctype.declare(name)}{start};")
        return Expression(name, ctype, reads=frozenset([Variable(name)]))

    def region_lines(self, block: Block, receivers: dict[int, Expression]) -> list[str]:
        """
        The lines of a nested block.

        Args:
            block: its terminator is an `scf.yield`.
            receivers: by number of a yielded value, the variable that receives it.
        """
        terminator = block.last_op
        assert terminator is not None
        self._receivers[terminator] = receivers
        with self.scopes.nested(), self.lines.captured() as lines:
            self.print_ops(block)
            self.assign_all(receivers, terminator.operands)
        return lines

    def assign_all(self, receivers: dict[int, Expression], values: Sequence[SSAValue]) -> None:
        """Assigns `values` to the variables that receive them, as if at once."""
        pairs = [(target, self.values.consume(values[i])) for i, target in receivers.items()]
        self.lines.add(*parallel_assignment(pairs, self._save))

    def receiver_of(self, result: SSAValue, op: Operation) -> Expression | None:
        """
        The variable that `result` of `op` can be computed into right away.

        There is one if the block around `op` yields `result` and does nothing else with it, and
        nobody reads the variable's present value after `op`.
        """
        uses = self.liveness.uses(result)
        if len(uses) != 1 or uses[0].operation.parent is not op.parent:
            return None
        receiver = self._receivers.get(uses[0].operation, {}).get(uses[0].index)
        if receiver is None or self.is_read_after(receiver, op, or_inside=False):
            return None
        return receiver

    def is_read_after(self, variable: Expression, op: Operation, *, or_inside: bool) -> bool:
        """Whether the present value of `variable` is used after `op`, `or_inside` of it."""
        return any(
            self.values.is_used_after(value, op, or_inside=or_inside)
            for place in variable.reads
            for value in self.values.names_for(place)
        )

    def _save(self, value: Expression) -> Expression:
        name = self.scopes.declare("old")
        self.lines.add(f"{value.ctype.declare(name)} = {value.text};")
        return Expression(name, value.ctype)

    def fail(self, code: int) -> list[str]:
        """The statements that leave the function, or a worker's part, with status `code`."""
        return self.exit.fail(code)
