"""Running passes: from a written pipeline to pass objects, and the promises held after each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.utils.arg_spec import ArgSpec, parse_pipeline
from xdsl.utils.exceptions import ArgSpecParseError, PassFailedException

from tamale.dialects import tamale_context
from tamale.dialects.errors import TamaleError
from tamale.dialects.locations import locate
from tamale.dialects.timing import measured
from tamale.dialects.verification import verify_module
from tamale.dialects.walking import walk_ops
from tamale.passes.pass_table import EVERYWHERE, unknown_name
from tamale.passes.pipelines import TABLE
from tamale.passes.registry import get_all_passes, own_passes

Factories = Mapping[str, Callable[[], type[ModulePass]]]


def resolve_passes(text: str, more: Factories = MappingProxyType({})) -> tuple[ModulePass, ...]:
    """
    The passes that a written pipeline stands for.

    Args:
        text: `a,b{option=value other=value}`, where a name is a pass or a named pipeline; the
            spelling of MLIR, `builtin.module(a,b)`, is accepted.
        more: passes besides tamale's own and those of the entry points `tamale.passes`.

    Raises:
        TamaleError: the text cannot be read, or a name or an option is unknown.
    """
    body = text.strip()
    if wrapped := re.fullmatch(r"builtin\.module\((.*)\)", body, re.DOTALL):
        body = wrapped[1].strip()
    # xDSL refuses blanks around commas; commas inside string literals stay as they are.
    body = re.sub(r'("[^"]*")|\s*,\s*', lambda comma: comma[1] or ",", body)
    try:
        specs = tuple(parse_pipeline(body))
    except ArgSpecParseError as error:
        raise TamaleError(f"cannot read the pipeline '{text}'\n{error}") from None
    return tuple(pass_ for spec in specs for pass_ in _instantiate(spec, more))


def _instantiate(spec: ArgSpec, more: Factories) -> tuple[ModulePass, ...]:
    available = own_passes()
    if spec.name in TABLE.pipelines:
        if spec.parameters:
            raise TamaleError(f"the pipeline '{spec.name}' takes no options")
        return tuple(available[name]()() for name in TABLE.expand(spec.name))
    if spec.name not in available:
        available = get_all_passes() | dict(more)
    if spec.name not in available:
        raise unknown_name("pass", spec.name, (*available, *TABLE.pipelines))
    try:
        return (available[spec.name]().from_spec(spec),)
    except ValueError as error:
        raise TamaleError(f"pass '{spec.name}': {error}") from None


def check_promise(pass_: ModulePass, module: ModuleOp) -> None:
    """
    Checks that `pass_`, which just ran, left only the dialects that its row promises.

    A pass without a row (xDSL's, a user's) promises nothing.

    Raises:
        PassFailedException: located at the first op of another dialect.
    """
    row = TABLE.steps.get(pass_.name)
    if row is None:
        return
    allowed, promised = row.leaves | EVERYWHERE, set[type[Operation]]()
    for op in walk_ops(module):
        if type(op) in promised:
            continue
        if op.dialect_name() not in allowed:
            message = (
                f"{pass_.name} promised to leave only {sorted(row.leaves)}, "
                f"but '{op.name}' remains."
            )
            raise locate(PassFailedException(message), op)
        promised.add(type(op))


class Pipeline:
    """
    A sequence of passes to run on a module.

        Pipeline("compute").insert_after("iterate-locate", MyPass()).run(module)
        Pipeline("concretize,simplify-domains").run(module, after_each=print)
    """

    passes: tuple[ModulePass, ...]
    """The passes, in the order in which they run."""

    def __init__(self, passes: str | Iterable[ModulePass]):
        """Takes a written pipeline, as `tamale-opt -p` does, or pass objects."""
        self.passes = resolve_passes(passes) if isinstance(passes, str) else tuple(passes)

    def __str__(self) -> str:
        return ",".join(map(str, self.passes))

    def insert_after(self, name: str, pass_: ModulePass) -> Pipeline:
        """
        The pipeline that also runs `pass_` right after the last pass called `name`.

        Raises:
            TamaleError: this pipeline runs no pass called `name`.
        """
        names = [p.name for p in self.passes]
        if name not in names:
            raise unknown_name("pass in this pipeline", name, set(names))
        cut = len(names) - names[::-1].index(name)
        return Pipeline((*self.passes[:cut], pass_, *self.passes[cut:]))

    def steps(self, module: ModuleOp, *, verify: bool = True) -> Iterator[ModulePass]:
        """
        Runs the passes on `module`, in place, and yields each pass after it ran.

        Args:
            verify: also check the module before the first and after every pass; the promises
                of the page are checked in any case.
        """
        context = tamale_context()
        if verify:
            verify_module(module)
        for pass_ in self.passes:
            with measured(pass_.name):
                pass_.apply(context, module)
            if verify:
                verify_module(module)
            check_promise(pass_, module)
            yield pass_

    def run(
        self,
        module: ModuleOp,
        after_each: Callable[[ModuleOp], object] | None = None,
        *,
        verify: bool = True,
    ) -> ModuleOp:
        """Runs the passes on `module`, in place; calls `after_each` on it after every pass."""
        for _ in self.steps(module, verify=verify):
            if after_each is not None:
                after_each(module)
        return module
