"""The page that shows the journey: every pass, what it reads and leaves, and the named roads."""

from tamale.passes.pass_table import pass_table, step

LAST_FORM = "scf arith memref math complex cf"
CONTROL_FLOW = f"cfir {LAST_FORM}"

PASSES = (
    #    name                 reads         leaves        why it exists
    step("concretize",        "tin",        "cin",        "pick a loop order, give each loop a domain"),
    step("simplify-domains",  "cin",        "cin",        "drop what a set expression does not need"),
    step("insert-workspaces", "cin",        "cin",        "a scalar for a reduction inside the result"),
    step("iterate-locate",    "cin",        "cin",        "iterate one side of each intersection, locate the rest"),
    step("build-lattices",    "cin",        "cfir",       "one ordered case per iteration-lattice point"),
    step("lower-lattices",    "cfir",       CONTROL_FLOW, "cases become loops and branches"),
    step("lower-levels",      CONTROL_FLOW, LAST_FORM,    "level functions become loads and stores"),
    step("simplify",          LAST_FORM,    LAST_FORM,    "fold, share and drop what no one needs"),
)  # fmt: skip

PIPELINES = {
    "compute": (
        "concretize",
        "simplify-domains",
        "insert-workspaces",
        "iterate-locate",
        "build-lattices",
        "lower-lattices",
        "lower-levels",
        "simplify",
    ),
}

STAGES = {
    "tin": None,
    "cin": "simplify-domains",
    "ocin": "iterate-locate",
    "cfir": "build-lattices",
    "mlir": "simplify",
}
"""Stage of a kernel -> the pass of the compute road that leads to it."""

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
)

TABLE = pass_table(PASSES, PIPELINES, BEFORE)
