"""
The text of every value of a function, and the decision which values get a variable.

A value that is used once is printed where it is used. Until then its text is pending: it must still
mean the same there, so before anything it reads changes, it becomes a variable after all.
"""

from collections.abc import Iterable, Sequence

from xdsl.dialects import scf
from xdsl.ir import Block, Operation, OpResult, SSAValue

from tamale.backends.cpp.expressions import Expression, Place, cast, fitted
from tamale.backends.cpp.lines import Lines
from tamale.backends.cpp.liveness import Liveness
from tamale.backends.cpp.names import Scopes
from tamale.backends.cpp.places import Places
from tamale.backends.cpp.prelude import Prelude
from tamale.backends.cpp.types import ctype_of, fits

_LONGEST = 72
"""An expression longer than this gets a name, so that lines stay readable."""


class Values:
    """What to write for each value seen so far."""

    def __init__(
        self, liveness: Liveness, places: Places, scopes: Scopes, lines: Lines, prelude: Prelude
    ) -> None:
        self.prelude = prelude
        self._liveness = liveness
        self._places = places
        self._scopes = scopes
        self._lines = lines
        self._texts: dict[SSAValue, Expression] = {}
        self._pending: dict[SSAValue, Expression] = {}

    def consume(self, value: SSAValue) -> Expression:
        """The text of `value` as it is, perhaps wider than its type: for where C++ converts."""
        self._pending.pop(value, None)
        return self._texts[value]

    def operand(self, value: SSAValue) -> Expression:
        """The text of `value` for use inside an expression."""
        return fitted(self.consume(value), ctype_of(value.type))

    def exact(self, value: SSAValue) -> Expression:
        """The text of `value`, of its very type: for where C++ would choose by type."""
        expression, ctype = self.operand(value), ctype_of(value.type)
        return expression if expression.ctype == ctype else cast(expression, ctype)

    def atom(self, value: SSAValue) -> Expression:
        """The text of `value` for use several times; not a computation."""
        expression = self.operand(value)
        return expression if expression.is_atom else self.name(value, expression)

    def set(self, value: SSAValue, expression: Expression) -> None:
        """Makes `expression` the text of `value`, wherever it is used."""
        self._texts[value] = expression

    def bind(self, value: SSAValue, expression: Expression) -> None:
        """Decides between a variable for `value` and printing `expression` where it is used."""
        is_name = expression.is_atom and fits(expression.ctype, ctype_of(value.type))
        if is_name and self.is_stable(value, expression.reads):
            self.set(value, expression)
        elif len(expression.text) <= _LONGEST and self.is_single_use(value):
            self.set(value, expression)
            if expression.reads:
                self._pending[value] = expression
        else:
            self.declare(value, expression)

    def declare(self, value: SSAValue, expression: Expression) -> Expression:
        """Prints a variable for `value`, for all uses from here on."""
        self._pending.pop(value, None)
        self.set(value, self.name(value, expression))
        return self._texts[value]

    def name(self, value: SSAValue, expression: Expression) -> Expression:
        """Prints a variable for one use of `value`, which may be in a nested block."""
        ctype = ctype_of(value.type)
        name = self._scopes.declare(value.name_hint)
        self._lines.add(f"{ctype.declare(name)} = {expression.text};")
        return Expression(name, ctype)

    def settle(self, places: Iterable[Place]) -> None:
        """Gives a variable to each pending value that a change of `places` would change."""
        places = frozenset(places)
        for value, expression in list(self._pending.items()):
            if expression.reads & places:
                self.declare(value, expression)

    def names_for(self, place: Place) -> list[SSAValue]:
        """The values whose text is the variable `place` itself."""
        return [v for v, text in self._texts.items() if text.is_atom and place in text.reads]

    def is_used_after(self, value: SSAValue, op: Operation, *, or_inside: bool) -> bool:
        """Whether the text of `value` is printed again after `op` in its block, `or_inside` it."""
        for use in self._liveness.uses(value):
            ancestor = ancestor_in(op.parent_block(), use.operation)
            if ancestor is op:
                if or_inside and use.operation is not op:
                    return True
            elif ancestor is not None and op.is_before_in_block(ancestor):
                return True
        return False

    def is_single_use(self, value: SSAValue) -> bool:
        """Whether `value` is used once, and at most once per computation: not in a loop."""
        uses = self._liveness.uses(value)
        if len(uses) != 1:
            return False
        home, _ = _start_of(value)
        block = uses[0].operation.parent_block()
        while block is not home:
            parent = block.parent_op() if block is not None else None
            if not isinstance(parent, scf.IfOp):
                return False
            block = parent.parent_block()
        return True

    def is_stable(
        self, value: SSAValue, reads: frozenset[Place], after: Operation | None = None
    ) -> bool:
        """Whether none of `reads` changes before the last use of `value`, from `after` on."""
        if not reads:
            return True
        block, op = _start_of(value)
        if after is not None:
            op = after.next_op
        uses = [use.operation for use in self._liveness.uses(value)]
        return self._stays_from(op, block, uses, reads)

    def _stays_from(
        self,
        op: Operation | None,
        block: Block | None,
        uses: Sequence[Operation],
        reads: frozenset[Place],
    ) -> bool:
        """Whether none of `reads` changes from `op` in `block` on before the last of `uses`."""
        remaining = {ancestor_in(block, use) for use in uses} - {None}
        while remaining and op is not None:
            is_changed = bool(self._places.writes(op) & reads)
            if is_changed and op in remaining and not self._stays_inside(op, uses, reads):
                return False
            remaining.discard(op)
            if is_changed and remaining:
                return False
            op = op.next_op
        return True

    def _stays_inside(
        self, op: Operation, uses: Sequence[Operation], reads: frozenset[Place]
    ) -> bool:
        """As above, in each region of `op` by itself; one that repeats may change them before."""
        blocks = [block for region in op.regions for block in region.blocks]
        return not blocks or (
            isinstance(op, scf.IfOp)
            and all(self._stays_from(b.first_op, b, uses, reads) for b in blocks)
        )


def ancestor_in(block: Block | None, op: Operation) -> Operation | None:
    """The op of `block` that is or contains `op`, if any."""
    current: Operation | None = op
    while current is not None and current.parent_block() is not block:
        current = current.parent_op()
    return current


def _start_of(value: SSAValue) -> tuple[Block | None, Operation | None]:
    """The block of `value`, and the first op of it that can use `value`."""
    if isinstance(value, OpResult):
        return value.op.parent_block(), value.op.next_op
    assert isinstance(value.owner, Block)
    return value.owner, value.owner.first_op
