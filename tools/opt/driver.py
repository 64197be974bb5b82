"""xDSL's driver with our dialects, passes, targets, options and diagnostics."""

from __future__ import annotations

import os
import re
import sys
from argparse import ArgumentParser
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO

from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass, PassPipeline
from xdsl.utils.arg_spec import parse_spec
from xdsl.utils.exceptions import ArgSpecParseError
from xdsl.xdsl_opt_main import xDSLOptMain

from tamale.backends import get_all_targets
from tamale.dialects import get_all_dialects
from tamale.dialects.debug import switch_on
from tamale.dialects.errors import TamaleError
from tamale.dialects.verification import verify_module
from tamale.passes import get_all_passes
from tamale.passes.pipeline import Pipeline, check_promise, resolve_passes
from tamale.tools.opt.arguments import add_arguments
from tamale.tools.opt.check_passes import PassCheck
from tamale.tools.opt.diagnostics import USER_ERRORS, diagnose
from tamale.tools.opt.ir_dumps import IrDumps
from tamale.tools.opt.located_parser import LocatedFrontend
from tamale.tools.opt.observing import observers
from tamale.tools.opt.reporter import Reporter
from tamale.tools.opt.reproducer import adopt_configuration
from tamale.tools.opt.timing import Stopwatch
from tamale.tools.opt.universes import join

SPLIT_MARK = "// -----"
_SPLIT_LINE = re.compile(rf"^{SPLIT_MARK}.*$", re.MULTILINE)
PARSER = "the parser"


def run_driver(args: Sequence[str]) -> int:
    """Runs `tamale-opt` on `args`; returns the exit code. Bad usage exits with 2."""
    try:
        return TamaleOptMain("The pass driver of tamale", args).execute()
    except BrokenPipeError:
        raise
    except OSError as error:
        message = f"cannot open '{error.filename}': {error.strerror}"
    except (TamaleError, ArgSpecParseError) as error:
        message = str(error).rstrip()
    print(f"tamale-opt: error: {message}", file=sys.stderr)
    return 1


class TamaleOptMain(xDSLOptMain):
    """One run of `tamale-opt`; `execute` takes the place of xDSL's `run`."""

    def register_all_dialects(self) -> None:
        for name, factory in get_all_dialects().items():
            self.ctx.register_dialect(name, factory)
        for name, factory in join(get_all_dialects(), "dialect", "all_dialects"):
            self.ctx.register_dialect(name, factory)

    def register_all_frontends(self) -> None:
        self.available_frontends["mlir"] = lambda: LocatedFrontend

    def register_all_passes(self) -> None:
        for name, factory in get_all_passes().items():
            self.register_pass(name, factory)
        for name, factory in join(self.available_passes, "pass", "all_passes"):
            self.register_pass(name, factory)

    def register_all_targets(self) -> None:
        self._targets = get_all_targets()
        self._targets |= dict(join(self._targets, "target", "all_targets"))
        self.available_targets |= self._targets

    def register_all_arguments(self, arg_parser: ArgumentParser) -> None:
        add_arguments(arg_parser)

    def setup_pipeline(self) -> None:
        """Reads the pipeline and prepares what happens between passes."""
        if self.args.run_reproducer:
            adopt_configuration(self.args)
            self.ctx.allow_unregistered = self.args.allow_unregistered_dialect
        switch_on(self.args.debug_only)
        self._check_target()
        passes = self._passes()
        self.args.passes = ",".join(map(str, passes))
        self.pipeline = PassPipeline(passes, self._between)
        self._dumps = IrDumps.from_arguments(self.args)
        self._pass_check = PassCheck(self.args)
        self._stopwatch = Stopwatch()
        self._observers = observers(self.args)
        self._stage = PARSER
        self._passes_done = 0

    def _passes(self) -> tuple[ModulePass, ...]:
        """The passes of the pipeline, and those that are to be inserted into it."""
        pipeline = Pipeline(resolve_passes(self.args.passes, self.available_passes))
        for text in self.args.insert_after:
            name, _, inserted = text.partition(":")
            for pass_ in reversed(resolve_passes(inserted, self.available_passes)):
                pipeline = pipeline.insert_after(name, pass_)
        return pipeline.passes

    def _check_target(self) -> None:
        """Refuses bad options of the target before any work is done."""
        spec = parse_spec(self.args.target)
        try:
            self._targets[spec.name]().from_spec(spec)
        except ValueError as error:
            raise TamaleError(f"target '{spec.name}': {error}") from None

    def execute(self) -> int:
        """Parses, transforms and prints every piece of the input; returns the exit code."""
        text = self._read_input()
        reporter = Reporter(self.args, self.get_input_name(), text)
        with self._output() as output:
            for number, piece in enumerate(self._pieces(text)):
                if number:
                    output.write(f"{SPLIT_MARK}\n")
                output.write(self._process(piece, reporter))
        exit_code = reporter.finish()
        if self.args.timing:
            print(self._stopwatch.table(), file=sys.stderr)
        if self.args.timing_json:
            Path(self.args.timing_json).write_text(f"{self._stopwatch.json()}\n")
        for observer in self._observers:
            observer.finish()
        return exit_code

    def _read_input(self) -> str:
        stream, _ = self.get_input_stream()
        with stream:
            content = stream.read()
        try:
            return content.decode("utf-8")
        except UnicodeDecodeError as error:
            raise TamaleError(f"{self.get_input_name()} is not UTF-8: {error}") from None

    @contextmanager
    def _output(self) -> Generator[IO[str]]:
        if self.args.output_file is None:
            yield sys.stdout
            sys.stdout.flush()
            return
        with open(self.args.output_file, "w", encoding="utf-8") as file:
            yield file

    def _pieces(self, text: str) -> Iterator[str]:
        """The pieces of the input, padded so that lines keep their numbers."""
        if not self.args.split_input_file:
            yield text
            return
        lines_before = 0
        for piece in _SPLIT_LINE.split(text):
            yield "\n" * lines_before + piece
            lines_before += piece.count("\n")

    def _process(self, piece: str, reporter: Reporter) -> str:
        """The output for one piece of the input; empty if it was refused."""
        self._stage = PARSER
        self._stopwatch.lap(None)
        module: ModuleOp | None = None
        try:
            module = self.parse_chunk(BytesIO(piece.encode()), "mlir")
            assert module is not None
            self._stopwatch.lap("parse")
            self.apply_passes(module)
            program = self.output_resulting_program(module)
            self._stopwatch.lap("print")
            for observer in self._observers:
                observer.printed(program)
            return program
        except USER_ERRORS as error:
            diagnostic = diagnose(error, self.get_input_name(), module)
            reporter.refuse(error, diagnostic, piece, parsing=self._stage == PARSER)
        except Exception as error:
            if os.environ.get("TAMALE_DEBUG") == "1":
                raise
            reporter.confess(error, self._stage, piece)
        return ""

    def _between(
        self, previous: ModulePass | None, module: ModuleOp, following: ModulePass | None
    ) -> None:
        """Runs before the first and after every pass: times, dumps, checks."""
        self._stopwatch.lap(previous.name if previous else None)
        self._passes_done = self._passes_done + 1 if previous else 0
        self._dumps.between(previous, module, self.pipeline.passes[self._passes_done :])
        for observer in self._observers:
            observer.between(previous, module)
        self._stopwatch.lap(None)
        if not self.args.disable_verify:
            self._check(previous, module)
        if self.args.check_passes:
            self._stage = f"the interpreter after {previous.name if previous else PARSER}"
            self._pass_check.between(previous, module)
            self._stopwatch.lap("check")
        self._stage = following.name if following else f"target {self.args.target}"

    def _check(self, previous: ModulePass | None, module: ModuleOp) -> None:
        self._stage = f"the verifier after {previous.name}" if previous else "the verifier"
        verify_module(module)
        if previous is not None:
            check_promise(previous, module)
        self._stopwatch.lap("verify")
