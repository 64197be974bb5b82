"""What a function of arrays, that is to be interpreted, takes and gives: flags say the formats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType
from xdsl.ir import Attribute

from tamale.dialects.errors import FormatError, TamaleError
from tamale.dialects.format.named import name_of, resolve_format
from tamale.dialects.format.spec import Format
from tamale.interpreters.memory import dtype_of
from tamale.interpreters.parameters import (
    TensorParameters,
    array_types_of,
    arrays_of,
    parameters_of,
    plain_formats,
)
from tamale.interpreters.running import ResultType
from tamale.tools.cli.interpreted import Interface, Operand


def interface_of_arrays(
    function: func.FuncOp, formats: Mapping[str, str], shape: tuple[int, ...] | None
) -> Interface:
    """
    What a function of sizes and arrays takes and gives.

    Raises:
        TamaleError: flags are missing, or the function has other arrays than the formats.
    """
    return _Arrays(function, formats).interface(shape)


@dataclass(frozen=True)
class _Arrays:
    function: func.FuncOp
    formats: Mapping[str, str]

    def interface(self, shape: tuple[int, ...] | None) -> Interface:
        returned = [self._element(type) for type in self.function.function_type.outputs]
        tensors = parameters_of(self.function)
        told = bool(tensors) and (not returned or tensors[-1].element is None)
        result = tensors.pop() if told else None
        name = self._name_of_result([tensor.name for tensor in tensors], result)
        shape = self._shape(result, shape)
        if returned:
            format = self._format(name, len(shape), tuple(map(str, returned[:-1])), array_types_of)
            element = returned[-1]
        elif result is None:
            raise TamaleError(f"interpret: {self._function} takes and returns nothing")
        else:
            format, element = self._stored(result), self._values(result)
        operands = tuple(
            Operand(t.name, ResultType(self._stored(t), dtype_of(self._values(t)))) for t in tensors
        )
        return Interface(operands, ResultType(format, dtype_of(element)), shape)

    @property
    def _function(self) -> str:
        return f"@{self.function.sym_name.data}"

    def _element(self, type: Attribute) -> Attribute:
        if not isinstance(type, MemRefType):
            raise TamaleError(
                f"interpret: {self._function} returns a value of type {type}, not the arrays of a "
                "tensor"
            )
        return cast("MemRefType[Attribute]", type).element_type

    def _values(self, tensor: TensorParameters) -> Attribute:
        if tensor.element is None:
            raise TamaleError(f"interpret: {self._function} has no {tensor.name}_vals")
        return tensor.element

    def _name_of_result(self, operands: list[str], result: TensorParameters | None) -> str:
        """
        What flags call the result; where no argument is about it, by any name that is free.

        Raises:
            TamaleError: a flag is about none of the function's tensors.
        """
        strangers = [name for name in self.formats if name not in operands]
        if result is None and len(strangers) == 1:
            return strangers[0]
        name = "RESULT" if result is None else result.name
        wrong = [stranger for stranger in strangers if stranger != name]
        if wrong:
            raise TamaleError(
                f"interpret: -f says how {wrong[0]} is stored; the tensors of {self._function} are "
                f"{', '.join([*operands, name])}"
            )
        return name

    def _shape(
        self, result: TensorParameters | None, shape: tuple[int, ...] | None
    ) -> tuple[int, ...]:
        """
        The sizes of the result.

        Raises:
            TamaleError: no flag says them, or not as many as the result has.
        """
        if shape is None and result is not None and result.order == 0:
            return ()
        if shape is None:
            order = 2 if result is None else result.order
            example = "x".join(str(size) for size in range(order + 3, 3, -1))
            raise TamaleError(
                f"interpret: {self._function} takes arrays, so that the sizes of its result are "
                f"not known\n  help: --shape {example}" + ("" if result else ", or --shape scalar")
            )
        if result is not None and len(shape) != result.order:
            raise TamaleError(
                f"interpret: the result {result.name} of {self._function} has order "
                f"{result.order}, but --shape has {len(shape)} sizes"
            )
        return shape

    def _stored(self, tensor: TensorParameters) -> Format:
        return self._format(tensor.name, tensor.order, tensor.arrays, arrays_of)

    def _format(
        self,
        tensor: str,
        order: int,
        arrays: tuple[str, ...],
        arrays_of: Callable[[Format], tuple[str, ...]],
    ) -> Format:
        """
        The format that a flag gives a tensor; dense if none does.

        Raises:
            TamaleError: tensors in this format have other level arrays.
        """
        text = self.formats.get(tensor, "dense")
        try:
            format = resolve_format(text, order)
        except FormatError as error:
            raise FormatError(f"interpret: -f {tensor}={text}: {error}") from error
        if arrays_of(format) == arrays:
            return format
        fitting = [n for n, f in plain_formats(order).items() if arrays_of(f) == arrays]
        called = name_of(format) or format
        raise TamaleError(
            f"interpret: {tensor} of {self._function} is not stored as '{called}'"
            f"\n  the function has {_listed(arrays)}; the format has {_listed(arrays_of(format))}"
            f"\n  help: pass the format that {tensor} had before lower-levels by "
            f"-f {tensor}=FORMAT" + (f"; it can be {', '.join(fitting)}" if fitting else "")
        )


def _listed(arrays: tuple[str, ...]) -> str:
    return f"level arrays {', '.join(arrays)}" if arrays else "no level arrays"
