"""Configuration of the lit tests: `lit tests/lit`, or `lit tests/lit/passes/simplify.mlir`."""

import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from lit_format import InProcessTest
from run_lines import SUBSTITUTIONS

config.name = "tamale"
config.test_format = InProcessTest()
config.suffixes = [".mlir"]
config.excludes = ["Inputs", ".lit"]
config.test_source_root = str(HERE)
config.test_exec_root = str(HERE / ".lit")
config.substitutions += SUBSTITUTIONS

# The tools of the environment that runs lit, activated or not.
config.environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])

# A rewrite that never converges would hang.
if lit_config.maxIndividualTestTimeIsSupported[0]:
    config.maxIndividualTestTime = 60
