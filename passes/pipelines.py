"""The page that shows the journey: every pass, what it reads and leaves, and the named roads."""

from tamale.passes.pass_table import pass_table, step

LAST_FORM = "scf arith memref math complex cf"
BESIDE = f"assembly {LAST_FORM}"
"""What conversions put beside kernels, and what passes by the passes on these."""
QUERIED = f"query {BESIDE}"

FOREIGN = f"linalg tensor bufferization sparse_tensor {LAST_FORM}"
"""What kernels of MLIR are made of."""

PASSES = (
    #    name                   reads                  leaves                 why it exists
    step("import-linalg",      f"tin {FOREIGN}",      f"tin {LAST_FORM}",    "kernels of MLIR, and its encodings, are taken"),
    step("export-formats",     f"tin {QUERIED}",      f"tin {QUERIED}",      "formats are said as MLIR's encodings"),
    step("insert-temporaries", f"tin {QUERIED}",      f"tin {QUERIED}",      "parts that one nest would compute again and again"),
    step("insert-conversions", f"tin {QUERIED}",      f"tin {QUERIED}",      "operands and results that do not fit are converted"),
    step("plan-conversion",    f"tin {QUERIED}",      f"tin {QUERIED}",      "what must be known, which levels are made in one pass"),
    step("concretize",         f"tin {QUERIED}",      f"cin {QUERIED}",      "pick a loop order, give each loop a domain"),
    step("simplify-domains",   f"cin {QUERIED}",      f"cin {QUERIED}",      "drop what a set expression does not need"),
    step("insert-workspaces",  f"cin {QUERIED}",      f"cin {QUERIED}",      "a place for each reduction: a scalar, or a list of entries"),
    step("lower-queries",      f"cin {QUERIED}",      f"cin {BESIDE}",       "each aggregation becomes kernels in canonical form"),
    step("rewrite-queries",    f"cin {BESIDE}",       f"cin {BESIDE}",       "statistics that arrays tell are read off them"),
    step("narrow-queries",     f"cin {BESIDE}",       f"cin {BESIDE}",       "counts take no more memory than they can need"),
    step("iterate-locate",     f"cin {BESIDE}",       f"cin {BESIDE}",       "iterate one side of each intersection, locate the rest"),
    step("partition",          f"cin {BESIDE}",       f"cin {BESIDE}",       "workers share the outermost loops, each the same work"),
    step("build-lattices",     f"cin {BESIDE}",       f"cfir {BESIDE}",      "one ordered case per iteration-lattice point"),
    step("plan-assembly",      f"cfir {BESIDE}",      f"cfir {BESIDE}",      "append to sparse results, or count them, scan and fill"),
    step("lower-lattices",     f"cfir {BESIDE}",      f"cfir {BESIDE}",      "cases become loops and branches"),
    step("insert-prefetches",  f"cfir {BESIDE}",      f"cfir {BESIDE}",      "segments and rows all over memory are asked for ahead"),
    step("lower-assembly",     f"cfir {BESIDE}",      f"cfir {BESIDE}",      "loops over entries, remapped coordinates, sorting"),
    step("lower-levels",       f"cfir {BESIDE}",      LAST_FORM,             "level functions become loads and stores"),
    step("simplify",           LAST_FORM,             LAST_FORM,             "fold, share and drop what no one needs"),
    step("reassociate-sums",   LAST_FORM,             LAST_FORM,             "compilers add several elements at a time"),
    step("tile-accumulators",  LAST_FORM,             LAST_FORM,             "rows are added to in registers, 32 elements at a time"),
    step("unroll-and-jam",     LAST_FORM,             LAST_FORM,             "sums of neighbouring elements are made side by side"),
    step("prefetch-scatters",  LAST_FORM,             LAST_FORM,             "places that counters lead to are asked for ahead"),
)  # fmt: skip

BORDER = ("import-linalg", "export-formats")
"""The passes to and from MLIR's ways to say what the compute road is about."""

PIPELINES = {
    "compute": tuple(step.name for step in PASSES if step.name not in BORDER),
    "convert": ("compute",),
}
"""One road for statements, for conversions, and for statements with conversions in them."""

ONLY_IN_CONVERSIONS = (
    "plan-conversion",
    "lower-queries",
    "rewrite-queries",
    "narrow-queries",
    "lower-assembly",
    "prefetch-scatters",
)
"""The passes that have nothing to do, and need not be loaded, where nothing is converted."""

STAGES = {
    "tin": None,
    "cin": "simplify-domains",
    "ocin": "partition",
    "cfir": "plan-assembly",
    "mlir": "prefetch-scatters",
}
"""Stage of a kernel -> the pass of the compute road that leads to it."""

CONVERSION_STAGES = {
    "tin": None,
    "assembly": "plan-conversion",
    "cin": "narrow-queries",
    "cfir": "lower-assembly",
    "mlir": "prefetch-scatters",
}
"""Stage of a conversion -> the pass of the same road that leads to it."""

BEFORE = (
    (
        "simplify-domains",
        "iterate-locate",
        "locate picks a side of an intersection; a universe is no side",
    ),
    (
        "insert-workspaces",
        "iterate-locate",
        "a workspace changes which loops a tensor takes part in",
    ),
    (
        "insert-workspaces",
        "lower-queries",
        "the kernels of queries accumulate in their results, which the rewrites read",
    ),
    (
        "iterate-locate",
        "partition",
        "what a loop visits is its work, and what is located is none",
    ),
    (
        "rewrite-queries",
        "narrow-queries",
        "a rewrite makes kernels anew, whose results have the width of any query",
    ),
)

TABLE = pass_table(PASSES, PIPELINES, BEFORE)
