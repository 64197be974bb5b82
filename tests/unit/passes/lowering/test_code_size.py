"""The size of the code of a lattice is known before it is written, and bounded."""

import pytest
from xdsl.utils.exceptions import PassFailedException

from tamale.dialects import cfir
from tamale.frontend.request import make_request
from tamale.frontend.stages import Stages
from tamale.passes import Pipeline
from tamale.passes.lowering.code_size import case_bodies


def addition(terms: int, format: str) -> Stages:
    names = "ABCDEFGH"[:terms]
    right = " + ".join(f"{name}(i,j)" for name in names)
    formats = {name: format for name in (*names, "Z")}
    return Stages(make_request(f"Z(i,j) = {right}", formats, {}))


@pytest.mark.parametrize("terms, format, bodies", [(1, "csr", 2), (2, "csr", 6), (3, "csr", 20)])
def test_a_union_of_k_levels_has_a_body_per_point_and_point_below(
    terms: int, format: str, bodies: int
):
    module = addition(terms, format).module("cfir")
    kernel = next(op for op in module.walk() if isinstance(op, cfir.KernelOp))
    # The loop over rows has one case; inside there are 3^k - 2^k pairs of points.
    assert 3**terms - 2**terms + 1 == bodies
    assert case_bodies(kernel.body.block) == bodies


def test_nested_unions_multiply():
    module = addition(2, "dcsr").module("cfir")
    kernel = next(op for op in module.walk() if isinstance(op, cfir.KernelOp))
    # Both (1 + 5), A alone (1 + 1) and B alone (1 + 1); the latter also as loops of their own.
    assert case_bodies(kernel.body.block) == 6 + 2 + 2 + 2 + 2


def test_many_operands_are_added_in_parts():
    module = addition(8, "csr").module("cfir")
    sizes = [case_bodies(op.body.block) for op in module.walk() if isinstance(op, cfir.KernelOp)]
    assert sizes == [6] * 7


def test_too_many_operands_are_refused_in_time():
    module = addition(8, "csr").module("tin")
    with pytest.raises(PassFailedException, match="takes [0-9]+ cases of code, more than 700"):
        Pipeline("concretize,iterate-locate,build-lattices").run(module)
