"""Debug output: by tag, and made only where it is read."""

import pytest

from tamale.dialects.debug import debug, switch_on
from tamale.tools.tamale_opt import main


def never() -> str:
    raise AssertionError("nobody reads this")


def test_only_tags_that_are_switched_on_speak(capsys: pytest.CaptureFixture[str]):
    switch_on(["domains"])
    debug("domains", lambda: "one\ntwo")
    debug("lattices", never)
    switch_on([])
    debug("domains", never)
    assert capsys.readouterr().err == "[domains] one\n[domains] two\n"


def test_a_tag_that_nobody_knows(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as exit_:
        main(["in.mlir", "--debug-only=domains,magic"])
    assert exit_.value.code == 2
    assert "'magic' is no tag; there are domains, lattices" in capsys.readouterr().err
