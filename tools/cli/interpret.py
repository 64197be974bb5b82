"""`tamale interpret`: runs a module of any stage on tensors from files, without a C++ compiler."""

from __future__ import annotations

import re
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from xdsl.dialects import func
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.exceptions import ParseError, VerifyException

from tamale.dialects import tamale_context
from tamale.dialects.errors import TamaleError
from tamale.dialects.verification import verify_module
from tamale.frontend.tensor import Tensor
from tamale.interpreters.counting import WorkCounter
from tamale.interpreters.meant import MeantTensor
from tamale.interpreters.memory import InterpretationFailure
from tamale.interpreters.running import Outcome, function_named, run_function, takes_tensors
from tamale.tools.cli.interpreted import Interface, Operand, interface_of_tensors
from tamale.tools.cli.interpreted_arrays import interface_of_arrays
from tamale.tools.cli.statement import formats_of
from tamale.tools.opt.located_parser import LocatedParser

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
    files, shape = parse_files(arguments.args), parse_shape(arguments.shape)
    interface_of = interface_of_tensors if takes_tensors(function) else interface_of_arrays
    interface = interface_of(function, formats_of(arguments), shape)
    paths = list(operand_files(function, interface.operands, files))
    operands = [o.read(path) for o, path in zip(interface.operands, paths, strict=True)]
    work = WorkCounter()
    outcome = outcome_of(module, function, operands, interface, work)
    print(result_text(outcome))
    if arguments.work:
        print(work_text(work))
    return 0


def outcome_of(
    module: ModuleOp,
    function: func.FuncOp,
    operands: Sequence[Tensor],
    interface: Interface,
    work: WorkCounter,
) -> Outcome:
    """What the function computes; where it goes wrong on arrays, the sizes may not fit."""
    try:
        return run_function(
            module,
            operands,
            interface.result,
            shape=interface.shape,
            name=function.sym_name.data,
            listeners=[work],
        )
    except InterpretationFailure as error:
        if takes_tensors(function):
            raise
        tensors = zip(interface.operands, operands, strict=True)
        sizes = [f"{operand.name} is {shape_text(found.shape)}" for operand, found in tensors]
        shape = f"--shape {shape_text(interface.shape or ())}"
        raise InterpretationFailure(
            f"{error}\n  help: arrays do not tell whether sizes fit; do these? "
            f"{', '.join([*sizes, shape])}"
        ) from error


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


def operand_files(
    function: func.FuncOp, operands: Sequence[Operand], files: Mapping[str, Path]
) -> Iterator[Path]:
    """
    The file of each operand, in order.

    Raises:
        TamaleError: an operand has no file, or a file no operand.
    """
    names = [operand.name for operand in operands]
    for name in files:
        if name not in names:
            raise TamaleError(
                f"interpret: '{name}' names no operand of @{function.sym_name.data}; its operands "
                f"are {', '.join(names) or 'none'}"
            )
    for name in names:
        if name not in files:
            raise TamaleError(f"interpret: {name} needs a file\n  help: --args {name}=FILE")
        yield files[name]


def shape_text(shape: Sequence[int]) -> str:
    """Dimension sizes in words."""
    return " x ".join(map(str, shape)) or "scalar"


def result_text(outcome: Outcome) -> str:
    """A line about the result, then its values: all of a dense one, else entry by entry."""
    head = f"{shape_text(outcome.shape)}, {outcome.dtype}"
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
