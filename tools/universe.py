"""What `xdsl-opt` and other tools of xDSL get to know of tamale: entry point `xdsl.universe`."""

from xdsl.universe import Universe

from tamale.backends import TARGETS
from tamale.dialects import DIALECTS
from tamale.dialects.lazy import lazy_table
from tamale.passes.pipelines import TABLE
from tamale.passes.registry import own_passes

OWN_DIALECTS = ("format", "tin", "cin", "cfir", "query", "assembly")
"""Those that xDSL does not have."""

TAMALE = Universe(
    all_dialects=lazy_table({name: DIALECTS[name] for name in OWN_DIALECTS}),
    all_passes={name: factory for name, factory in own_passes().items() if name in TABLE.steps},
    all_targets=lazy_table({name: TARGETS[name] for name in ("cpp", "dot")}),
)
