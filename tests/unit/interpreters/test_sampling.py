"""Samples fit the functions that they are made for."""

import pytest
from xdsl.dialects import func

import tamale as tm
from tamale.interpreters.sampling import STYLES, sample
from tamale.passes import Pipeline


@pytest.mark.parametrize("road", ["", "concretize", "concretize,iterate-locate,build-lattices"])
def test_modes_with_one_index_variable_have_one_size(road: str):
    module = tm.parse("Z(i,j,i) = A(i,j)", A="csf", Z="csf")
    if road:
        Pipeline(road).run(module)
    function = next(op for op in module.walk() if isinstance(op, func.FuncOp))
    for seed in range(4):
        made = sample(function, STYLES[0], seed)
        rows, columns = made.operands[0].shape
        assert made.shape == (rows, columns, rows)
