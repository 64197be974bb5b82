"""Every row of the lazy tables leads to what it promises."""

import pytest
from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.utils.target import Target

from tamale.backends import get_all_targets
from tamale.dialects import get_all_dialects
from tamale.passes import get_all_passes


@pytest.mark.parametrize("name", get_all_dialects())
def test_dialect(name: str):
    dialect = get_all_dialects()[name]()
    assert isinstance(dialect, Dialect)
    assert dialect.name == name


@pytest.mark.parametrize("name", get_all_passes())
def test_pass(name: str):
    class_ = get_all_passes()[name]()
    assert issubclass(class_, ModulePass)
    assert class_.name == name


@pytest.mark.parametrize("name", get_all_targets())
def test_target(name: str):
    class_ = get_all_targets()[name]()
    assert issubclass(class_, Target)
    assert class_.name == name
