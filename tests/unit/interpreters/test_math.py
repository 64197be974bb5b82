"""Counting bits as C++ and LLVM do."""

import pytest
from xdsl.dialects.builtin import IntegerType
from xdsl.parser import Parser

from tamale.dialects import tamale_context
from tamale.interpreters.memory import plain, scalar
from tamale.interpreters.running import interpreter_for


@pytest.mark.parametrize("bits, value, zeros", [(64, 40, 3), (64, -(2**63), 63), (8, 0, 8)])
def test_zero_bits_below_the_lowest_one(bits: int, value: int, zeros: int):
    text = f"""func.func @f(%a: i{bits}) -> i{bits} {{
      %n = math.cttz %a : i{bits}
      func.return %n : i{bits}
    }}"""
    module = Parser(tamale_context(), text).parse_module()
    number = scalar(value, IntegerType(bits))
    (count,) = interpreter_for(module, None).call_op("f", (number,))
    assert plain(count) == zeros
