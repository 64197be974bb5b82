"""`--print-ir-*`: the IR between passes, each dump headed by the command that continues from it."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass
from xdsl.printer import Printer

from tamale.passes import get_all_passes
from tamale.passes.pass_table import unknown_name
from tamale.passes.pipelines import TABLE
from tamale.tools.opt.arguments import single_quoted


def module_text(module: ModuleOp) -> str:
    """The module in custom form; in generic form if it is too broken for that."""
    for generic in (False, True):
        stream = StringIO()
        try:
            Printer(stream, print_generic_format=generic).print_op(module)
        except Exception:
            if generic:
                raise
            continue
        return stream.getvalue()
    raise AssertionError


@dataclass
class IrDumps:
    """Which states of the module to show, and where."""

    before: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset()
    after_all: bool = False
    only_changed: bool = False
    tree: Path | None = None
    suffix: str = ""
    """What every continuing command ends with, such as ` -t cpp`."""

    _last_text: str = field(default="", init=False)
    _chunk: int = field(default=0, init=False)
    _position: int = field(default=0, init=False)

    @staticmethod
    def from_arguments(args: Namespace) -> IrDumps:
        """
        The dumps that the command line asks for.

        Raises:
            TamaleError: a name in `--print-ir-before` or `--print-ir-after` is no pass.
        """
        before = frozenset(_expand(name)[0] for name in args.print_ir_before)
        after = frozenset(_expand(name)[-1] for name in args.print_ir_after)
        tree = Path(args.print_ir_tree_dir) if args.print_ir_tree_dir else None
        only_changed: bool = args.print_ir_after_change
        nothing_named = not (before or after)
        return IrDumps(
            before,
            after,
            after_all=args.print_ir_after_all or ((only_changed or bool(tree)) and nothing_named),
            only_changed=only_changed,
            tree=tree,
            suffix="" if args.target == "mlir" else f" -t {single_quoted(args.target)}",
        )

    def between(
        self, previous: ModulePass | None, module: ModuleOp, rest: Sequence[ModulePass]
    ) -> None:
        """Shows the module after `previous` and before the first of `rest`, as asked for."""
        if previous is None:
            self._chunk += 1
            self._position = 0
        else:
            self._position += 1
        changed = self._changed(module)
        if previous is not None and (self.after_all or previous.name in self.after) and changed:
            self._dump("after", previous, module, rest)
        if rest and rest[0].name in self.before:
            self._dump("before", rest[0], module, rest)

    def _changed(self, module: ModuleOp) -> bool:
        """Whether the module differs from the last state; always true unless one asked."""
        if not self.only_changed:
            return True
        text = module_text(module)
        changed, self._last_text = text != self._last_text, text
        return changed

    def _dump(
        self, when: str, pass_: ModulePass, module: ModuleOp, rest: Sequence[ModulePass]
    ) -> None:
        pipeline = ",".join(map(str, rest))
        command = f"tamale-opt -p {single_quoted(pipeline)}{self.suffix}"
        head = f"// {when} {pass_.name}\n// {command}\n"
        text = f"{head}{module_text(module)}\n"
        if self.tree is None:
            print(text, file=sys.stderr)
            return
        folder = self.tree if self._chunk == 1 else self.tree / f"chunk-{self._chunk}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{self._position:02}-{when}-{pass_.name}.mlir").write_text(text)


def _expand(name: str) -> tuple[str, ...]:
    known = (*get_all_passes(), *TABLE.pipelines)
    if name not in known:
        raise unknown_name("pass", name, known)
    return TABLE.expand(name)
