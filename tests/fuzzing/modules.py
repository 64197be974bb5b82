"""Verified modules that are damaged at a stage of the road, and lowered from there."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random

import conversions
import generate
from corpus import ir_pieces
from ir_damage import damaged
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.utils.exceptions import VerifyException

from tamale.backends.cpp.printer import print_cpp
from tamale.dialects import tamale_context
from tamale.dialects.verification import verify_module
from tamale.frontend.building import build_module
from tamale.frontend.conversion_stages import build_conversion
from tamale.passes.pipeline import Pipeline, resolve_passes
from tamale.tools.opt.diagnostics import USER_ERRORS
from tamale.tools.opt.located_parser import LocatedParser

INPUTS_OF_ONE = 40
"""How many inputs are made from one module."""


def statement_module(seed: int) -> ModuleOp:
    """A random statement on random formats."""
    return build_module(generate.random_case(seed, 0).request())


def conversion_module(seed: int) -> ModuleOp:
    """A conversion between random formats."""
    case = conversions.random_case(seed, 0)
    return build_conversion(case.source, case.target, case.dtype)


def lit_module(seed: int) -> ModuleOp:
    """A module of the lit tests, at any stage."""
    text = Random(seed).choice(ir_pieces("passes"))
    module = LocatedParser(tamale_context(), text, "fuzzed.mlir").parse_module()
    verify_module(module)
    return module


SOURCES: Sequence[Callable[[int], ModuleOp]] = (
    *(statement_module, statement_module, conversion_module),
    *(lit_module, lit_module, lit_module),
)


@lru_cache(maxsize=2)
def stages(seed: int) -> Sequence[tuple[ModuleOp, Sequence[ModulePass]]]:
    """A module on its way: as each pass leaves it, and the passes that are still to run."""
    rng = Random(seed)
    while True:
        try:
            module = rng.choice(SOURCES)(rng.getrandbits(30))
            break
        except USER_ERRORS:
            continue
    road = resolve_passes("compute")
    seen = [(module.clone(), road)]
    try:
        for done, _ in enumerate(Pipeline(road).steps(module), 1):
            seen.append((module.clone(), road[done:]))
    except USER_ERRORS:
        pass
    return seen


def lower_damaged(rng: Random, number: int) -> str:
    """Damages a module at a stage, and lowers what the verifier accepts, down to C++."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        seen = stages(number // INPUTS_OF_ONE)
        module, rest = rng.choice(seen)
        module = damaged(module, rng)
        try:
            verify_module(module)
        except VerifyException:
            return "refused"
        try:
            print_cpp(Pipeline(rest).run(module))
        except USER_ERRORS:
            return "refused while lowered"
        return "accepted"
