"""One function: its signature, the buffers it owns, its statements, and how it ends."""

import re

from xdsl.dialects import func
from xdsl.ir import BlockArgument, Operation
from xdsl.utils.exceptions import DiagnosticException

from tamale.backends.cpp.body import Body
from tamale.backends.cpp.exits import open_exit
from tamale.backends.cpp.expressions import Expression
from tamale.backends.cpp.forms.table import FORMS
from tamale.backends.cpp.lines import filled, indented
from tamale.backends.cpp.names import is_identifier
from tamale.backends.cpp.prelude import Prelude
from tamale.backends.cpp.statements import STATEMENTS
from tamale.backends.cpp.types import CType, Kind, ctype_of, pointer_to


class FunctionPrinter(Body):
    """Prints one `func.func` as a C function."""

    def __init__(self, function: func.FuncOp, prelude: Prelude, linkage: str) -> None:
        _check(function)
        self._linkage = linkage
        super().__init__(function, prelude)
        last_op = function.body.block.last_op
        assert isinstance(last_op, func.ReturnOp)
        self._return = last_op

    def print(self) -> list[str]:
        """The sections of text: the function, and one that frees what it returns."""
        names = [self._name_argument(argument) for argument in self.function.args]
        results = [self._result(number) for number in range(len(self._return.operands))]
        self.exit = open_exit(self, None, "fail", "status")
        with self.lines.captured() as body:
            self.print_ops(self.function.body.block)
            values = [self.values.consume(value) for value in self._return.operands]
            for (name, _), value in zip(results, values, strict=True):
                self.lines.add(f"*{name} = {value.text};")
            self.lines.add("return 0;")
        name, text = self.function.sym_name.data, "\n".join(body)
        parameters = [
            self._parameter(*pair, text) for pair in zip(self.function.args, names, strict=True)
        ]
        parameters += [ctype.declare(result) for result, ctype in results]
        opening = filled(f"{self._linkage} int32_t {name}(", parameters, ") {")
        guarded = [*self.exit.declarations, *self.exit.guarded(body)]
        statements = [*indented(guarded), *self._failure_exit()]
        return ["\n".join([*opening, *statements, "}"]), *self._free_function()]

    def print_op(self, op: Operation) -> None:
        """Prints one op that matters: a statement, or a value for later."""
        kind = type(op)
        if (print_statement := STATEMENTS.get(kind)) is not None:
            print_statement(self, op)
        elif (form := FORMS.get(kind)) is not None:
            self.values.bind(op.results[0], form(op, self.values))
        else:
            raise DiagnosticException(
                f"cpp: no C++ form for '{op.name}'.\n"
                "  help: lower it to func, scf, arith, math, complex and memref on one-dimensional "
                "arrays first."
            )

    def _name_argument(self, argument: BlockArgument) -> str:
        name = self.scopes.declare(argument.name_hint)
        self.values.set(argument, Expression(name, ctype_of(argument.type)))
        return name

    def _parameter(self, argument: BlockArgument, name: str, body: str) -> str:
        """The declaration of a parameter; one that `body` does not read is commented out."""
        ctype = ctype_of(argument.type)
        if not re.search(rf"\b{name}\b", body):
            name = f"/*{name}*/"
        if ctype.kind is not Kind.POINTER:
            return ctype.declare(name)
        constant = "const " if self.places.is_constant(argument) else ""
        return f"{constant}{ctype.declare(f'__restrict {name}')}"

    def _result(self, number: int) -> tuple[str, CType]:
        """The name and type of the parameter that receives a result."""
        value = self._return.operands[number]
        name = self.scopes.declare(f"{value.name_hint or 'result'}_out")
        return name, pointer_to(ctype_of(value.type))

    def _failure_exit(self) -> list[str]:
        """Where a failure goes to: frees everything the function owns."""
        if self.exit.label is None:
            return []
        return [f"{self.exit.label}:", *indented([*self.exit.frees, f"return {self.exit.code};"])]

    def _free_function(self) -> list[str]:
        """The function with which callers free the buffers that they were given."""
        if not any(ctype_of(v.type).kind is Kind.POINTER for v in self._return.operands):
            return []
        self.prelude.include("stdlib.h")
        name = f"{self.function.sym_name.data}_free"
        return [f"{self._linkage} void {name}(void *buffer) {{\n  free(buffer);\n}}"]


def _check(function: func.FuncOp) -> None:
    """Raises unless `function` can be a C function at all."""
    name = function.sym_name.data
    if not is_identifier(name):
        raise DiagnosticException(
            f"cpp: a function cannot be called '{name}' in C++; it is reserved or no identifier.\n"
            "  help: rename the kernel."
        )
    if len(function.body.blocks) != 1:
        raise DiagnosticException(
            f"cpp: function '{name}' has {len(function.body.blocks)} blocks; C++ is printed from "
            "one block with scf loops.\n"
            "  help: print before converting scf to cf, and define every function."
        )
