"""`tamale interpret`: runs a module of any stage on tensors from files, without a C++ compiler."""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import cast

from xdsl.dialects import func
from xdsl.dialects.builtin import MemRefType, ModuleOp, TensorType
from xdsl.ir import Attribute
from xdsl.utils.exceptions import ParseError, VerifyException

from tamale.dialects import tamale_context
from tamale.dialects.errors import TamaleError
from tamale.dialects.format.attribute import tensor_format
from tamale.dialects.format.named import resolve_format
from tamale.dialects.verification import verify_module
from tamale.frontend.files import read
from tamale.frontend.interop import tensor
from tamale.frontend.tensor import Tensor
from tamale.interpreters.counting import WorkCounter
from tamale.interpreters.meant import MeantTensor
from tamale.interpreters.memory import dtype_of
from tamale.interpreters.running import (
    Outcome,
    ResultType,
    function_named,
    run_function,
    takes_tensors,
)
from tamale.tools.cli.operands import with_dtype
from tamale.tools.cli.statement import formats_of
from tamale.tools.opt.located_parser import LocatedParser

_ARRAY_HINT = re.compile(r"(?P<tensor>\w+?)(_dim\d+|\d+_[a-z]+|_vals)")
_SHAPE = re.compile(r"\d{1,18}(x\d{1,18})*|scalar")


def add_arguments(parser: ArgumentParser) -> None:
    """The arguments of `tamale interpret`."""
    parser.add_argument("file", metavar="FILE", help="a module, as tamale-opt reads it; - is stdin")
    parser.add_argument(
        "--args",
        action="append",
        default=[],
        metavar="A=FILE,x=FILE",
        help="read operands from files (.mtx .mtx.gz .tns .npy .npz); may be repeated",
    )
    parser.add_argument("--function", metavar="NAME", help="the function to run, if there are more")
    parser.add_argument(
        "-f",
        "--format",
        action="append",
        default=[],
        metavar="T=FORMAT",
        help="where the module has arrays instead of tensors: how an operand, or the result, is "
        "stored; dense by default; may be repeated",
    )
    parser.add_argument(
        "--shape",
        metavar="MxN",
        help="dimension sizes of the result, where the module does not tell them",
    )
    parser.add_argument(
        "--work", action="store_true", help="also print how often each loop ran, and the loads"
    )


def run(arguments: Namespace) -> int:
    """Reads the module and its operands, runs the function, prints the result."""
    module = read_module(arguments.file)
    function = function_named(module, arguments.function)
    files, formats = parse_files(arguments.args), formats_of(arguments)
    names = list(operand_names(function, files))
    operands = [read_operand(function, name, names, files, formats) for name in names]
    work, shape = WorkCounter(), parse_shape(arguments.shape)
    outcome = run_function(
        module,
        operands,
        result_type(function, files, formats, shape),
        shape=shape,
        name=function.sym_name.data,
        listeners=[work],
    )
    print(result_text(outcome))
    if arguments.work:
        print(work_text(work))
    return 0


def read_module(path: str) -> ModuleOp:
    """
    A module from a file, verified.

    Raises:
        TamaleError: the file cannot be read, or is no valid module.
    """
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text(encoding="utf-8")
        module = LocatedParser(tamale_context(), text, path).parse_module()
        verify_module(module)
    except (ParseError, VerifyException, UnicodeDecodeError) as error:
        raise TamaleError(f"interpret: '{path}' is no module: {error}") from error
    return module


def parse_files(flags: list[str]) -> dict[str, Path]:
    """
    Operand -> file, from `A=a.mtx,x=x.npy`.

    Raises:
        TamaleError: a part is no name with a file, or two are about one operand.
    """
    files: dict[str, Path] = {}
    for part in (part for flag in flags for part in flag.split(",")):
        name, equals, path = (word.strip() for word in part.partition("="))
        if not (name.isidentifier() and equals and path):
            raise TamaleError(
                f"interpret: expected a tensor name, '=' and a file, got '{part}'\n"
                "  help: write --args A=a.mtx,x=x.npy"
            )
        if name in files:
            raise TamaleError(f"interpret: {name} is given two files")
        files[name] = Path(path)
    return files


def parse_shape(text: str | None) -> tuple[int, ...] | None:
    """
    Dimension sizes, from `5x4`; `scalar` for none.

    Raises:
        TamaleError: the text is something else.
    """
    if text is None:
        return None
    if not _SHAPE.fullmatch(text):
        raise TamaleError(f"interpret: expected sizes such as 5x4, got '{text}'")
    return () if text == "scalar" else tuple(int(size) for size in text.split("x"))


def operand_names(function: func.FuncOp, files: Mapping[str, Path]) -> Iterator[str]:
    """
    What the operands are called, in the order of the arguments.

    Raises:
        TamaleError: an operand has no file, or a file no operand.
    """
    names: dict[str, None] = {}
    for number, argument in enumerate(function.body.block.args):
        hint = argument.name_hint or f"#{number}"
        array = None if isinstance(argument.type, TensorType) else _ARRAY_HINT.fullmatch(hint)
        names[array["tensor"] if array else hint] = None
    known = list(names)
    if not takes_tensors(function) and known and known[-1] not in files:
        known.pop()  # The sizes and the array of the result.
    for name in files:
        if name not in known:
            raise TamaleError(
                f"interpret: '{name}' names no operand of @{function.sym_name.data}; its operands "
                f"are {', '.join(known) or 'none'}"
            )
    for name in known:
        if name not in files:
            raise TamaleError(f"interpret: {name} needs a file\n  help: --args {name}=FILE")
        yield name


def read_operand(
    function: func.FuncOp,
    name: str,
    names: list[str],
    files: Mapping[str, Path],
    formats: Mapping[str, str],
) -> Tensor:
    """An operand stored as the function wants it."""
    found = tensor(read(files[name]))
    if not takes_tensors(function):
        return found.to_format(resolve_format(formats.get(name, "dense"), found.order))
    type = cast("TensorType[Attribute]", function.body.block.args[names.index(name)].type)
    format = tensor_format(type)
    if found.order != format.order:
        raise TamaleError(
            f"interpret: {name} has order {format.order}, but '{files[name]}' has {found.order}"
        )
    dtype = dtype_of(type.element_type).name
    return with_dtype(found, dtype, files[name], "interpret").to_format(format)


def result_type(
    function: func.FuncOp,
    files: Mapping[str, Path],
    formats: Mapping[str, str],
    shape: tuple[int, ...] | None,
) -> ResultType:
    """
    How the function's result is stored, which arrays alone do not tell.

    Raises:
        TamaleError: the function returns several values, or the sizes of its result are missing.
    """
    outputs = list(function.function_type.outputs)
    if takes_tensors(function):
        if len(outputs) != 1:
            raise TamaleError(
                f"interpret: @{function.sym_name.data} returns {len(outputs)} values, not one"
            )
        return ResultType.of(outputs[0])
    if shape is None:
        raise TamaleError(
            f"interpret: @{function.sym_name.data} takes arrays, so that the sizes of its result "
            "are not known\n  help: --shape 5x4, or --shape scalar"
        )
    array = outputs[-1] if outputs else list(function.function_type.inputs)[-1]
    names = [name for name in formats if name not in files]
    format = resolve_format(formats[names[0]] if names else "dense", len(shape))
    return ResultType(format, dtype_of(cast("MemRefType[Attribute]", array).element_type))


def result_text(outcome: Outcome) -> str:
    """A line about the result, then its values: all of a dense one, else entry by entry."""
    sizes = " x ".join(map(str, outcome.shape)) or "scalar"
    head = f"{sizes}, {outcome.dtype}"
    if isinstance(outcome, MeantTensor):
        return f"{head}, not stored yet\n{outcome.values}"
    if outcome.format.all_dense:
        return f"{head}, dense\n{outcome.to_numpy()}"
    coordinates, vals = outcome.entries()
    lines = [
        f"({', '.join(str(int(c)) for c in place)}) {value}"
        for *place, value in zip(*coordinates, vals, strict=True)
    ]
    return "\n".join([f"{head}, {outcome.format}, {len(lines)} entries", *lines])


def work_text(work: WorkCounter) -> str:
    """How often each loop ran, the most frequent first, and how many values were loaded."""
    loops = [f"loop {name}: {count}" for name, count in work.visits.most_common()]
    return "\n".join([*loops, f"loads: {work.loads}"])
