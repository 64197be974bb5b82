"""
taco's flags on our command line, so that its commands can be pasted.

    tamale run "y(i)=A(i,j)*x(j)" -f=A:ds -i=A:A.mtx -d=j:100 -time=10

A flag of taco's is rewritten as ours, or refused with what to write instead. What both spell alike
(`-f=A:ds`, `-i=A:A.mtx`) is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from tamale.dialects.errors import TamaleError

COMMANDS = ("compile", "run", "explain")
"""The subcommands that take statements."""

_FLAG = re.compile(r"-([A-Za-z][A-Za-z-]*)(?:=(.*))?", re.DOTALL)
_NAMED = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*)\s*:(.*)", re.DOTALL)

DTYPES = {
    "double": "float64",
    "float": "float32",
    "complexdouble": "complex128",
    "complexfloat": "complex64",
    **{f"int{bits}": f"int{bits}" for bits in (8, 16, 32, 64)},
    "char": "int8",
    "short": "int16",
    "int": "int32",
    "long": "int64",
    "longlong": "int64",
}
"""taco's element types -> ours."""

FILLS = {"d": "1", "r": "1", "s": "0.07", "h": "0.005"}
"""How taco fills tensors -> which share of their coordinates gets entries."""

STAGES = {
    "print-compute": "cpp",
    "print-assembly": "cpp",
    "print-kernels": "cpp",
    "print-evaluate": "cpp",
    "print-concrete": "cin",
    "print-iteration-graph": "dot",
}
"""What taco prints -> the stage of ours that shows it."""

REFUSED = {
    "c": "kernels here always compute and assemble; leave it out",
    "cuda": "tamale makes code for the CPU only",
    "prefix": "the name of the function is --name NAME",
    "write-source": "write `tamale compile ... -o FILE`",
    "write-compute": "write `tamale compile ... -o FILE`",
    "write-assembly": "write `tamale compile ... -o FILE`",
    "write-kernels": "write `tamale compile ... -o FILE`",
    "read-source": "compile the C++ that `tamale compile` writes yourself",
    "write-time": "times are printed; write `tamale run ... > FILE`",
    "verify": "results are always checked; leave it out",
    "help": "write `tamale run --help`",
}
"""Flags that nothing here stands for, and what to do."""

SCHEDULING = {
    "reorder": "--order i,k,j, with every loop",
    "precompute": "write --precompute 'T(i,l) = A(i,k) * B(k,l)', the tensor and what it keeps",
    "parallelize": "--threads N: workers share the outermost loops, each with the same work",
}
"""taco's scheduling commands that mean something here, and how they are written."""

IGNORED = ("print-nocolor", "O", "cpu")
"""Flags that ask for what is done anyway."""


def translated(words: Sequence[str]) -> list[str]:
    """
    A command line in which taco's flags are ours.

    Raises:
        TamaleError: a flag has no equivalent, or cannot be read.
    """
    if not words or words[0] not in COMMANDS:
        return list(words)
    return [new for word in words for new in _translated(word, words[0])]


def _translated(word: str, command: str) -> Iterator[str]:
    found = _FLAG.fullmatch(word)
    name, value = (found[1], found[2]) if found else ("", None)
    if name in REFUSED and (len(name) > 1 or value is not None):
        raise _error(word, REFUSED[name])
    if name in IGNORED:
        return
    if name in STAGES:
        if command != "compile":
            raise _error(word, f"write `tamale compile ... --emit {STAGES[name]}`")
        yield from ("--emit", STAGES[name])
    elif name in _REWRITES and value is not None:
        yield from _REWRITES[name](word, value)
    else:
        yield word


def _size(word: str, value: str) -> tuple[str, ...]:
    """`-d=i:100`; taco's `-d=A:3,4` sets the sizes of a tensor."""
    variable, size = _pair(word, value)
    if not size.strip().isdigit():
        raise _error(word, f"give each index variable its size: --size {variable}=100")
    return "--size", f"{variable}={size.strip()}"


def _dtype(word: str, value: str) -> tuple[str, ...]:
    """All operands have one type on our command line; taco's `-t` is per tensor."""
    _, kind = _pair(word, value)
    if kind.strip() not in DTYPES:
        raise _error(word, f"element types are {', '.join(dict.fromkeys(DTYPES.values()))}")
    return "--dtype", DTYPES[kind.strip()]


def _generate(word: str, value: str) -> tuple[str, ...]:
    """`-g=A:s`: an operand without a file, with random entries."""
    name, fill = _pair(word, value)
    if fill.strip() not in FILLS:
        raise _error(word, f"say which share of the coordinates has entries: --fill {name}=0.01")
    return "--fill", f"{name}={FILLS[fill.strip()]}"


def _output(word: str, value: str) -> tuple[str, ...]:
    named = _NAMED.fullmatch(value)
    return "-o", named[2].strip() if named else value


def _schedule(word: str, value: str) -> Iterator[str]:
    """`-s=reorder(i,k,j)`, with every loop; other commands are refused."""
    for command in re.findall(r"[^,()]+(?:\((?:[^()]|\([^()]*\))*\))?", value):
        name, _, inner = command.strip().partition("(")
        if name not in SCHEDULING:
            raise _error(word, f"schedules are {', '.join(SCHEDULING)}; tamale chooses the rest")
        if name != "reorder":
            raise _error(word, SCHEDULING[name])
        yield from ("--order", inner.removesuffix(")"))


def _pair(word: str, value: str) -> tuple[str, str]:
    named = _NAMED.fullmatch(value)
    if named is None:
        raise _error(word, "a name, ':' and what is meant are expected")
    return named[1], named[2]


_REWRITES: Mapping[str, Callable[[str, str], Iterable[str]]] = {
    "time": lambda word, value: ("--time", value or "1"),
    "nthreads": lambda word, value: ("--threads", value),
    "d": _size,
    "t": _dtype,
    "g": _generate,
    "o": _output,
    "s": _schedule,
}


def _error(word: str, help: str) -> TamaleError:
    return TamaleError(f"taco's flag  {word}  cannot be used here\n  help: {help}")
