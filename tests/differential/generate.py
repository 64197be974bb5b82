"""Random cases for the differential test; a case depends on the seed and its number alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from random import Random

import numpy as np
from cases import Case, Entries
from expressions import divides, has_reduced_factor, random_statement
from storage import random_entries, random_format, random_name, random_sizes

from tamale.dialects.format.named import resolve_format
from tamale.dialects.notation.ast import Access, Assignment, Call, Reduce, to_text, walk
from tamale.frontend.notation.reductions import accesses, variables
from tamale.passes.levels import is_padded

_DTYPES = {
    "float64": 55,
    "float32": 12,
    "int32": 9,
    "int64": 9,
    "complex128": 8,
    "mixed": 7,
}
ASSEMBLIES = (None, "append", "count")
_MIXED = ("float64", "float32", "int32", "int64")


def random_case(seed: int, number: int, draw: int = 0) -> Case:
    """The case of that number; further draws have other sizes and entries, for the same kernel."""
    rng = Random(f"{seed}:{number}")
    data = Random(f"{seed}:{number}:{draw}")
    dtype = rng.choices(list(_DTYPES), list(_DTYPES.values()))[0]
    statement = random_statement(rng, _kind(rng, dtype))
    sizes = _sizes(data, statement)
    loops = list(sizes)
    if rng.random() < 0.2:
        rng.shuffle(loops)
    used = [*accesses(statement.expression)]
    if statement.operator is not None:
        used.append(statement.result)
    first = {access.tensor: access for access in reversed(used)}
    named = rng.random() < 0.5
    # Zeros are taken for padding where an operand is converted, and may be divided by.
    pads = not divides(statement.expression)
    sparse = rng.random() < (0.75 if named else 0.45)
    out = _dense(rng, statement)
    if sparse:
        out = _format(rng, statement.result, loops, result=True, named=named, pads=pads)
    operands: list[Entries] = []
    special = dtype in ("float64", "float32") and _is_ring(statement) and data.random() < 0.12
    # What is done duplicate by duplicate is right only where nothing is infinite.
    finite = not special and not divides(statement.expression)
    for name in dict.fromkeys(access.tensor for access in used):
        access = first[name]
        format = _format(rng, access, loops, named=named, pads=pads)
        if name == statement.result.tensor:
            format = out
        type = rng.choice(_MIXED) if dtype == "mixed" else dtype
        operands.append(_entries(data, access, format, type, sizes, duplicates=finite))
    if special and not (named and any(_loses_zeros(operand) for operand in operands)):
        operands = [_with_specials(data, operand) for operand in operands]
    label = f"case {number} of seed {seed}, draw {draw}"
    # Of their own, so that the other choices of a case stay what they are.
    assumed = _assumed(Random(f"{seed}:{number}:assumed"), [*sizes, *(o.name for o in operands)])
    assembly = Random(f"{seed}:{number}:assembly").choice(ASSEMBLIES)
    return Case(label, to_text(statement), tuple(operands), out, sizes, assumed, assembly)


def _assumed(rng: Random, names: Iterable[str]) -> dict[str, int]:
    """Sizes and entries that a kernel is made for: for half of the cases, and some of the names."""
    if rng.random() < 0.5:
        return {}
    return {name: int(10 ** (9 * rng.random())) for name in names if rng.random() < 0.8}


def _kind(rng: Random, dtype: str) -> str:
    if dtype.startswith("int"):
        return rng.choice(("int", "int", "bits"))
    return "complex" if dtype.startswith("complex") else "float"


def _is_ring(statement: Assignment) -> bool:
    """Whether only sums and products are taken, in which NaN and infinities mean what they do."""
    operators = {n.operator for n in walk(statement.expression) if isinstance(n, Reduce | Call)}
    if has_reduced_factor(statement.expression):
        return False
    return operators <= {"add", "sub", "mul", "neg"} and statement.operator in (None, "add")


def _loses_zeros(entries: Entries) -> bool:
    """Whether zeros that are entries are taken for padding in a conversion."""
    format = resolve_format(entries.format, len(entries.shape))
    return is_padded(format) and not format.all_dense


def _with_specials(rng: Random, entries: Entries) -> Entries:
    """NaN or an infinity here and there; it must not matter where a factor has no entry."""
    vals = entries.vals.copy()
    for place in range(len(vals)):
        if rng.random() < 0.2:
            vals[place] = rng.choice((np.nan, np.inf))
    return replace(entries, vals=vals)


def _sizes(rng: Random, statement: Assignment) -> dict[str, int]:
    """Sizes of all index variables; variables that share a mode of a tensor have the same."""
    names = dict.fromkeys([*statement.result.indices, *variables(statement.expression)])
    leader = {name: name for name in names}
    seen: dict[str, Access] = {}
    for access in [*accesses(statement.expression), statement.result]:
        known = seen.setdefault(access.tensor, access)
        for a, b in zip(known.indices, access.indices, strict=True):
            merged, gone = leader[a], leader[b]
            leader = {v: merged if old == gone else old for v, old in leader.items()}
    # The largest or smallest of nothing is no number that every format agrees on.
    operators = {n.operator for n in walk(statement.expression) if isinstance(n, Reduce | Call)}
    empty = statement.operator in (None, "add") and not operators & {"max", "min"}
    classes = random_sizes(rng, tuple(dict.fromkeys(leader.values())), empty=empty)
    return {name: classes[leader[name]] for name in names}


def _format(
    rng: Random,
    access: Access,
    loops: Iterable[str],
    *,
    named: bool,
    pads: bool,
    result: bool = False,
) -> str:
    """A format of a name, or levels put together, mostly such that the loops fit them."""
    place = {variable: k for k, variable in enumerate(loops)}
    order = len(access.indices)
    if named:
        return random_name(rng, order, result=result, pads=pads)
    modes = sorted(range(order), key=lambda mode: place[access.indices[mode]])
    return random_format(rng, order, modes, result=result)


def _dense(rng: Random, statement: Assignment) -> str:
    order = len(statement.result.indices)
    modes = list(range(order))
    if rng.random() < 0.3:
        rng.shuffle(modes)
    return f"dense({', '.join(map(str, modes))})" if order else "dense"


def _entries(
    rng: Random,
    access: Access,
    format: str,
    dtype: str,
    sizes: Mapping[str, int],
    *,
    duplicates: bool,
) -> Entries:
    shape = tuple(sizes[v] for v in access.indices)
    resolved = resolve_format(format, len(shape))
    properties = [resolved.properties(k) for k in range(len(resolved.levels))]
    unique = all(p.unique for p in properties)
    last_unique = not shape or properties[-1].unique
    coordinates, vals = random_entries(
        rng,
        shape,
        dtype,
        full=resolved.all_dense,
        duplicates=duplicates and not unique and not last_unique and rng.random() < 0.5,
    )
    arrival = np.arange(len(vals))
    if not all(p.ordered for p in properties):
        arrival = np.array(rng.sample(range(len(vals)), len(vals)), np.int64)
    if any(level.kind == "banded" for level in resolved.levels):
        arrival = arrival[(coordinates[1] <= coordinates[0])[arrival]]
    columns = tuple(np.asarray(c)[arrival] for c in coordinates)
    return Entries(access.tensor, format, shape, columns, vals[arrival])
