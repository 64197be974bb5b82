"""Which flags a compiler gets."""

import pytest

from tamale.backends.cpp.flags import REQUIRED_FLAGS
from tamale.backends.jit.families import GCC, GCC_ON_LINUX, OTHERS, Family, family_of

GCC_SAYS = """c++ (Debian 12.2.0-14+deb12u1) 12.2.0
Copyright (C) 2022 Free Software Foundation, Inc.
This is free software; see the source for copying conditions."""

CLANG_SAYS = """Debian clang version 14.0.6
Target: x86_64-pc-linux-gnu
Thread model: posix"""


@pytest.mark.parametrize(
    "version, platform, family",
    [
        (GCC_SAYS, "linux", GCC_ON_LINUX),
        (GCC_SAYS, "darwin", GCC),
        (CLANG_SAYS, "linux", OTHERS),
        ("", "linux", OTHERS),
    ],
)
def test_family_of(version: str, platform: str, family: Family):
    assert family_of(version, platform) == family


@pytest.mark.parametrize("family", [GCC, GCC_ON_LINUX, OTHERS])
def test_every_family_gets_what_generated_code_asks_for(family: Family):
    assert family.flags[: len(REQUIRED_FLAGS)] == REQUIRED_FLAGS


def test_only_gcc_gets_flags_that_only_gcc_knows():
    assert "-ftree-pre" not in OTHERS.flags
    assert OTHERS.lean_link == OTHERS.libraries == ()
