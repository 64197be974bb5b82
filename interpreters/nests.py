"""
Loop nests over set expressions: what kernels of cin and kernels of lattices have in common.

`Nest` runs the statements of one kernel on stored tensors; how a loop gets to its coordinates is
up to its subclasses, one for each of the two dialects.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter as Tally
from collections.abc import Generator, Iterable
from contextlib import contextmanager

from xdsl.interpreter import Interpreter
from xdsl.ir import Block, Operation

from tamale.dialects.cin.kernel_like import KernelLike
from tamale.dialects.cin.let import LetLike
from tamale.dialects.cin.sets import Stored
from tamale.dialects.cin.where import WhereLike
from tamale.dialects.format.expressions import (
    Counter,
    Expr,
    counters,
    evaluate,
    free_variables,
)
from tamale.dialects.format.folding import DIMENSION
from tamale.dialects.level_variables import level_variables
from tamale.dialects.notation.ast import Access, Assignment, to_text
from tamale.dialects.operators import operator_named
from tamale.frontend.tensor import Tensor
from tamale.interpreters.counting import work_counters
from tamale.interpreters.expressions import evaluate as evaluate_expression
from tamale.interpreters.memory import InterpretationFailure, dtype_of
from tamale.interpreters.places import Operand, Place, workspace_for
from tamale.interpreters.results import AppendedEntries, DenseElements, identity
from tamale.interpreters.sizes import sizes_in
from tamale.interpreters.stored import StoredTensor


class Nest(ABC):
    """One run of one kernel."""

    def __init__(
        self,
        interpreter: Interpreter,
        kernel: KernelLike,
        tensors: Iterable[StoredTensor],
        shape: tuple[int, ...] | None,
    ) -> None:
        self.interpreter, self.kernel, self.shape = interpreter, kernel, shape
        self.counters = work_counters(interpreter)
        operands = {
            attribute.data.tensor: Operand(attribute.data, tensor)
            for attribute, tensor in zip(kernel.accesses, tensors, strict=True)
        }
        uses = [(operand.access, operand.tensor.shape) for operand in operands.values()]
        self.sizes = sizes_in(uses, kernel.target.data.tensor)
        self.place = Place(operands, self.sizes, self.counters, located=self.is_located(kernel))
        self.tallies: dict[tuple[Operation, Counter], Tally[tuple[int, ...]]] = {}
        self.target, self.format = kernel.target.data, kernel.formats[kernel.target.data.tensor]
        self.dtype = dtype_of(kernel.result_type.element_type)
        self.result = self._result()

    def run(self) -> Tensor:
        """Runs the body; gives the result."""
        self.run_block(self.kernel.body.block)
        return self.result.finish()

    # Result

    def _result(self) -> DenseElements | AppendedEntries:
        shape = tuple(self._size(mode, v) for mode, v in enumerate(self.target.indices))
        if not self.format.all_dense:
            return AppendedEntries(self.format, shape, self.dtype)
        operators = [
            statement.operator
            for op in self.kernel.walk()
            if (statement := self.statement_of(op)) is not None and statement.result == self.target
        ]
        accumulates = operators and operators[0] is not None and self.kernel.zeroed is None
        start = identity(operators[0] or "add", self.dtype) if accumulates else 0
        return DenseElements(self.format, shape, self.dtype, start)

    def _size(self, mode: int, variable: str) -> int:
        """The size of a mode of the result: told by operands, by a bound, or by the caller."""
        if variable not in self.sizes:
            self.sizes[variable] = self._untold_size(mode, variable)
        return self.sizes[variable]

    def _untold_size(self, mode: int, variable: str) -> int:
        for op in self.kernel.walk():
            if not isinstance(op, LetLike) or op.index_var.data != variable or op.bound is None:
                continue
            if f"{DIMENSION}{variable}" not in free_variables(op.bound):
                return max(0, self._value(op.bound))
        if self.shape is None or len(self.shape) != len(self.target.indices):
            raise InterpretationFailure(
                f"interpret: nothing tells the size of '{variable}' in {to_text(self.target)}"
            )
        return self.shape[mode]

    # Statements

    @abstractmethod
    def statement_of(self, op: Operation) -> Assignment | None:
        """The statement of an op of the dialect that writes; None for other ops."""

    @abstractmethod
    def is_located(self, kernel: KernelLike) -> bool:
        """Whether the kernel's loops say which full levels they locate."""

    @abstractmethod
    def run_loop(self, op: Operation) -> None:
        """Runs an op that is none of `let`, `where` and the statements."""

    def run_block(self, block: Block) -> None:
        """Runs statements one after the other."""
        for op in block.ops:
            for listener in self.interpreter.listeners:
                listener.will_interpret_op(op, ())
            statement = self.statement_of(op)
            if statement is not None:
                self.write(statement)
            elif isinstance(op, LetLike):
                self._let(op)
            elif isinstance(op, WhereLike):
                self._where(op)
            else:
                self.run_loop(op)

    @contextmanager
    def at(self, variable: str, coordinate: int, reached: Iterable[Stored] = ()) -> Generator[None]:
        """Inside of a loop or let that binds `variable`."""
        place = self.place
        before = set(place.reached)
        place.coordinates[variable] = coordinate
        place.reached |= set(reached)
        yield
        place.reached = before
        del place.coordinates[variable]

    def visit(self, variable: str) -> None:
        """Tells who counts that a loop has come to a coordinate."""
        for counter in self.counters:
            counter.visit(variable)

    def write(self, statement: Assignment) -> None:
        """One assignment at the current coordinates."""
        part = evaluate_expression(statement.expression, self.place)
        name, place = statement.result.tensor, self.place
        if name in place.workspaces:
            workspace = place.workspaces[name]
            at = tuple(place.coordinates[v] for v in statement.result.indices)
            value = part.value
            if statement.operator is not None:
                old = workspace.values.get(at, workspace.start)
                value = operator_named(statement.operator).apply(old, value)
            workspace.values[at] = value
            if part.stored:
                workspace.present.add(at)
            return
        if isinstance(self.result, AppendedEntries):
            at = tuple(place.coordinates[v] for v in level_variables(self.target, self.format))
            self.result.write(at, statement.operator, part.value, stored=part.stored)
        else:
            at = tuple(place.coordinates[v] for v in self.target.indices)
            self.result.write(at, statement.operator, part.value)

    def _where(self, op: WhereLike) -> None:
        writes = [
            statement
            for inner in op.producer.walk()
            if (statement := self.statement_of(inner)) is not None
            and statement.result.tensor == op.workspace.name
        ]
        access = writes[0].result if writes else Access(op.workspace.name)
        operator = writes[0].operator if writes else None
        self.place.workspaces[op.workspace.name] = workspace_for(access, operator, self.dtype)
        self.run_block(op.producer.block)
        self.run_block(op.consumer.block)
        del self.place.workspaces[op.workspace.name]

    # Variables bound to expressions

    def _let(self, op: LetLike) -> None:
        tallied: dict[Counter, int] = {}
        for counter in counters(op.value.data):
            tally = self.tallies.setdefault((op, counter), Tally())
            group = tuple(self.place.coordinates[v] for v in counter.variables)
            tallied[counter] = tally[group]
            tally[group] += 1
        value = self._value(op.value.data, tallied)
        inside = op.bound is None or 0 <= value < self._value(op.bound)
        if not inside and op.below is not None:
            raise InterpretationFailure(
                f"interpret: {op.index_var.data} = {value} is not below its bound"
            )
        if inside:
            with self.at(op.index_var.data, value, op.located_leaves):
                self.run_block(op.body.block)

    def _value(self, expression: Expr, tallied: dict[Counter, int] | None = None) -> int:
        values: dict[str, int] = {f"{DIMENSION}{v}": size for v, size in self.sizes.items()}
        return evaluate(expression, {**values, **self.place.coordinates}, tallied or {})
