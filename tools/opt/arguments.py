"""The options of `tamale-opt`; those that `mlir-opt` or `xdsl-opt` has are named as there."""

from argparse import ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from typing import Any

from tamale.dialects.debug import TAGS
from tamale.passes.pipelines import TABLE
from tamale.passes.registry import XDSL_PASSES

FLAG: Any = {"action": "store_true"}


def add_arguments(parser: ArgumentParser) -> None:
    """Adds every option to `parser`."""
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = _list_of_passes()
    parser.set_defaults(frontend="mlir")
    _add_main(parser)
    _add_input(parser)
    _add_output(parser)
    _add_debugging(parser)


def _list_of_passes() -> str:
    rows = [(row.name, row.why) for row in TABLE.steps.values()]
    rows += [(name, "named pipeline") for name in TABLE.pipelines]
    rows += [(name, "of xDSL") for name in XDSL_PASSES]
    return "\n".join(["passes:", *(f"  {name:20} {why}" for name, why in rows)])


def _add_main(parser: ArgumentParser) -> None:
    parser.add_argument("input_file", nargs="?", help="path of the input; stdin if not given")
    parser.add_argument(
        "-p",
        "--passes",
        "--pass-pipeline",
        default="",
        metavar="PASSES",
        help="a,b{option=value}; also builtin.module(a,b)",
    )
    parser.add_argument(
        "--insert-after",
        action="append",
        default=[],
        metavar="PASS:PASSES",
        help="run PASSES right after PASS of the pipeline, such as "
        "concretize:my-pass{option=value}; may be repeated",
    )
    parser.add_argument(
        "-t", "--target", default="mlir", metavar="TARGET", help="mlir (default), cpp or dot"
    )
    parser.add_argument("-o", "--output-file", metavar="FILE", help="stdout if not given")
    parser.add_argument("-v", "--version", action="store_true", help="print the versions, exit")


def _add_input(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("input")
    group.add_argument(
        "--split-input-file", **FLAG, help="treat the pieces between // ----- lines one by one"
    )
    group.add_argument("--allow-unregistered-dialect", **FLAG, help="accept ops nobody defined")
    group.add_argument("--no-implicit-module", **FLAG, help="do not put a module around the input")
    group.add_argument(
        "--verify-diagnostics",
        **FLAG,
        help="fail unless the errors are those of the // expected-error comments; "
        "without any comment, print errors on stdout and succeed",
    )
    group.add_argument(
        "--parsing-diagnostics", **FLAG, help="print syntax errors on stdout and succeed"
    )


def _add_output(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("output")
    group.add_argument("--print-op-generic", **FLAG, help="print every op in generic form")
    group.add_argument("--print-no-properties", **FLAG, help="print properties as attributes")
    group.add_argument("--print-debuginfo", **FLAG, help="print locations")
    group.add_argument("--syntax-highlight", **FLAG, help="colour the output")


def _add_debugging(parser: ArgumentParser) -> None:
    group = parser.add_argument_group("debugging; output goes to stderr")
    for when in ("before", "after"):
        group.add_argument(
            f"--print-ir-{when}",
            action="append",
            default=[],
            metavar="PASS",
            help=f"print the IR {when} PASS; may be repeated",
        )
    group.add_argument("--print-ir-after-all", **FLAG, help="print the IR after every pass")
    group.add_argument(
        "--print-ir-after-change", **FLAG, help="print the IR only after passes that changed it"
    )
    group.add_argument(
        "--print-ir-tree-dir", metavar="DIR", help="write these to files in DIR instead"
    )
    group.add_argument("--timing", **FLAG, help="print where the time went")
    group.add_argument("--timing-json", metavar="FILE", help="write where the time went to FILE")
    group.add_argument(
        "--statistics", **FLAG, help="print what each pass changed in numbers, such as loops"
    )
    group.add_argument(
        "--debug-only",
        type=debug_tags,
        default=(),
        metavar="TAGS",
        help=f"show what passes say under these tags, separated by commas: {', '.join(TAGS)}",
    )
    group.add_argument("--remarks", **FLAG, help="say what passes decided, and why")
    group.add_argument(
        "--check-passes",
        **FLAG,
        help="run the module on small random tensors before and after each pass; fail at the "
        "first pass that changes a result",
    )
    group.add_argument("--disable-verify", **FLAG, help="check nothing between passes")
    group.add_argument(
        "--run-reproducer",
        **FLAG,
        help="take the options from the first line of the input, a reproducer.mlir",
    )


def debug_tags(text: str) -> tuple[str, ...]:
    """The tags in an option, which passes know."""
    tags = tuple(tag.strip() for tag in text.split(",") if tag.strip())
    for tag in tags:
        if tag not in TAGS:
            raise ArgumentTypeError(f"'{tag}' is no tag; there are {', '.join(TAGS)}")
    return tags


def single_quoted(word: str) -> str:
    """`word` as a shell reads it back; quoted even where the shell would not need it."""
    return "'" + word.replace("'", "'\"'\"'") + "'"
